// Part of mnemic: long-term memory for opencode. Installed whole; changes in this file are lost with the next version.
//
// It only passes opencode's events on to mnemic's hook, and puts what that answers into the system prompt of the turn.

import { spawn } from "node:child_process"

const COMMAND = ["mnemic-hook", "opencode"]
const BUNDLE = []
const LIMIT = 2000 // milliseconds; the hook itself answers within 300

// Never fails: without an answer there is no memory in this turn, and opencode goes on.
const hook = (event, cwd, told) =>
  new Promise((resolve) => {
    const parts = []
    const done = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(Buffer.concat(parts).toString("utf8"))?.hookSpecificOutput?.additionalContext ?? "")
      } catch {
        resolve("")
      }
    }
    const child = spawn(COMMAND[0], [...COMMAND.slice(1), event, ...BUNDLE], {
      cwd,
      stdio: ["pipe", "pipe", "ignore"],
      windowsHide: true,
    })
    const timer = setTimeout(() => child.kill(), LIMIT)
    child.on("error", done)
    child.on("close", done)
    child.stdout.on("data", (part) => parts.push(part))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ hook_event_name: event, cwd, ...told }))
  })

export const Mnemic = async ({ client, directory }) => {
  const contexts = new Map() // session -> what is in its system prompt during this turn
  const children = new Set() // sessions of subagents
  const replies = async (session) => {
    const answer = await client.session.messages({ path: { id: session } })
    const last = (answer.data ?? []).filter((message) => message.info?.role === "assistant").at(-1)
    return (last?.parts ?? []).filter((part) => part.type === "text").map((part) => part.text).join("\n")
  }
  const ended = async (session) => {
    const reply = await replies(session).catch(() => "")
    const event = children.has(session) ? "SubagentStop" : "Stop"
    await hook(event, directory, { session_id: session, last_assistant_message: reply, stop_hook_active: false })
  }
  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && about.info?.parentID) children.add(about.info.id)
      else if (event.type === "session.created")
        await hook("SessionStart", directory, { session_id: about.info?.id, source: "startup" })
      else if (event.type === "session.idle") await ended(about.sessionID)
      else if (event.type === "session.deleted") {
        contexts.delete(about.info?.id)
        children.delete(about.info?.id)
        await hook("SessionEnd", directory, { session_id: about.info?.id, reason: "deleted" })
      }
    },
    "chat.message": async (input, output) => {
      if (children.has(input.sessionID)) return
      const said = (output.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
      const prompt = said.map((part) => part.text).join("\n")
      contexts.set(input.sessionID, await hook("UserPromptSubmit", directory, { session_id: input.sessionID, prompt }))
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = contexts.get(input.sessionID)
      if (context) output.system.push(context)
    },
    "experimental.session.compacting": async (input) => {
      await hook("PreCompact", directory, { session_id: input.sessionID, trigger: "auto" })
    },
  }
}
