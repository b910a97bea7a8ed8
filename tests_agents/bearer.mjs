// For clients that cannot send a token: passes every request on as it came, with the token added.
//
//   node bearer.mjs ADDRESS TOKEN     prints the address it listens on; ends when its standard input is closed
import http from "node:http";

const [target, token] = process.argv.slice(2);

const server = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  // `Host` and `Origin` stay as the client sent them: what the server makes of them is what some clients look at.
  const onward = http.request(new URL(request.url, target), { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit(0)).resume();
