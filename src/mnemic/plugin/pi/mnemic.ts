// Part of mnemic: long-term memory for pi. Installed whole; changes in this file are lost with the next version.
//
// It only passes pi's events on to mnemic's hook, and adds what that answers to the system prompt of the turn: it is no
// message of the conversation, and gone with the next prompt. Written without types, so that it runs as JavaScript too.

import { spawn } from "node:child_process"

const COMMAND = ["mnemic-hook", "pi"]
const BUNDLE = []
const LIMIT = 2000 // milliseconds; the hook itself answers within 300

// Never fails: without an answer there is no memory in this turn, and pi goes on.
function hook(event, cwd, told) {
  return new Promise((resolve) => {
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
}

// The text of the last reply among messages of any form.
function lastReply(messages = []) {
  const last = messages.filter((message) => message?.role === "assistant").at(-1)
  const content = last?.content ?? ""
  if (typeof content === "string") return content
  return content.filter((part) => part?.type === "text").map((part) => part.text).join("\n")
}

export default function (pi) {
  const session = (ctx) => ctx?.sessionManager?.getSessionId?.() ?? ctx?.sessionManager?.getSessionFile?.() ?? ""
  const cwd = (ctx) => ctx?.cwd ?? process.cwd()

  let reply // of the turn that is not reported yet
  const settled = async (ctx) => {
    if (reply === undefined) return
    const last_assistant_message = reply
    reply = undefined
    await hook("Stop", cwd(ctx), { session_id: session(ctx), last_assistant_message, stop_hook_active: false })
  }

  pi.on("session_start", async (event, ctx) => {
    await hook("SessionStart", cwd(ctx), { session_id: session(ctx), source: event?.reason ?? "startup" })
  })
  pi.on("before_agent_start", async (event, ctx) => {
    await settled(ctx)
    const context = await hook("UserPromptSubmit", cwd(ctx), { session_id: session(ctx), prompt: event.prompt })
    return context ? { systemPrompt: `${event.systemPrompt}\n\n${context}` } : undefined
  })
  // A prompt may end more than once (retries, compaction); the turn is over when pi has settled.
  pi.on("agent_end", async (event) => {
    reply = lastReply(event?.messages)
  })
  pi.on("agent_settled", async (_event, ctx) => settled(ctx))
  pi.on("session_before_compact", async (_event, ctx) => {
    await hook("PreCompact", cwd(ctx), { session_id: session(ctx), trigger: "auto" })
  })
  pi.on("session_shutdown", async (_event, ctx) => {
    await settled(ctx)
    await hook("SessionEnd", cwd(ctx), { session_id: session(ctx), reason: "exit" })
  })
}
