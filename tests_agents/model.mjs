// The scripted model: aimock speaks the providers' protocols, a script says what the model does.
//
//   node model.mjs FOLDER     prints the address it listens on; ends when its standard input is closed
//
// FOLDER/script.json, read anew for every request: a list of replies, the nth for the nth request of a conversation, the
// last one for all that follow. A reply is a text, or a list of calls, {"tool": "memory_search", "arguments": {...}}. A
// tool is named without what a client puts before it. `{{receipt}}` in an argument stands for the last receipt in the
// results so far, as a real model would copy it.
// FOLDER/requests.jsonl: every request as it came, before aimock has read it.
import { appendFileSync, readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const folder = process.argv[2];
const installed = createRequire(path.join(process.env.TEST_AGENTS, "package.json"));
const { LLMock } = installed("@copilotkit/aimock");

const RECEIPT = /\b[sr]-[a-z2-7]{16}\b/g;
const ASK_FOR_TOOLS = "ToolSearch"; // Claude Code shows the tools of a server only when they are asked for

const called = (message) => (message.tool_calls ?? []).map((call) => call.function.name);

function filled(value, receipt) {
  if (Array.isArray(value)) return value.map((one) => filled(one, receipt));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, receipt)]));
  return typeof value === "string" ? value.replaceAll("{{receipt}}", receipt) : value;
}

function answer(request) {
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  if (names.length === 0) return { content: "A title" };
  const script = JSON.parse(readFileSync(path.join(folder, "script.json"), "utf8"));
  const said = request.messages.filter((one) => one.role === "assistant" && (one.content || one.tool_calls));
  const replies = said.filter((one) => !called(one).includes(ASK_FOR_TOOLS));
  const reply = script[Math.min(replies.length, script.length - 1)];
  if (typeof reply === "string") return { content: reply };
  const known = (tool) => names.find((name) => name === tool || name.endsWith(`_${tool}`));
  const hidden = reply.map((call) => call.tool).filter((tool) => !known(tool));
  const asked = said.length > 0 && called(said.at(-1)).includes(ASK_FOR_TOOLS);
  if (hidden.length > 0 && names.includes(ASK_FOR_TOOLS) && !asked)
    return { toolCalls: [{ name: ASK_FOR_TOOLS, arguments: JSON.stringify({ query: hidden.join(" ") }) }] };
  const results = request.messages.filter((one) => one.role === "tool").map((one) => one.content);
  const receipt = results.join("\n").match(RECEIPT)?.at(-1) ?? "";
  return {
    toolCalls: reply.map((call) => ({
      name: known(call.tool) ?? call.tool,
      arguments: JSON.stringify(filled(call.arguments, receipt)),
    })),
  };
}

const model = new LLMock({ port: 0 });
model.on({ predicate: () => true }, answer);
await model.start();

// Codex groups the tools of a server under its name, which aimock does not know of: they are flattened on the way in, and
// a call of one gets its group back on the way out.
function flattened(text) {
  const body = JSON.parse(text || "{}");
  const groups = (body.tools ?? []).filter((tool) => tool.type === "namespace");
  if (groups.length === 0) return { text, restored: (answer) => answer };
  const inner = (group) => group.tools.map((tool) => ({ ...tool, name: `${group.name}__${tool.name}` }));
  body.tools = [...body.tools.filter((tool) => tool.type === "function"), ...groups.flatMap(inner)];
  const names = groups.map((group) => group.name).join("|");
  const call = new RegExp(`"name":"(${names})__(\\w+)"`, "g");
  return { text: JSON.stringify(body), restored: (answer) => answer.replace(call, '"namespace":"$1","name":"$2"') };
}

async function text(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const front = http.createServer(async (request, response) => {
  const body = await text(request);
  appendFileSync(path.join(folder, "requests.jsonl"), `${JSON.stringify({ path: request.url, body })}\n`);
  const sent = flattened(body);
  const headers = { ...request.headers, "content-length": Buffer.byteLength(sent.text) };
  const onward = http.request(new URL(request.url, model.url), { method: request.method, headers }, async (reply) => {
    response.writeHead(reply.statusCode, reply.headers);
    response.end(sent.restored(await text(reply)));
  });
  onward.on("error", () => response.destroy());
  onward.end(sent.text);
});
front.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${front.address().port}`));
process.stdin.on("end", () => process.exit(0)).resume();
