// Requests to a server that accepts them and never answers.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

const { account, get, post } = await import("../../static/lib/http.js");
const { isReachable, setReachable } = await import("../../static/lib/connectivity.js");

test("reads time out after 15 s, actions do not", async (context) => {
  const requests = [];
  // Ends the time of the latest read, when the server has received it.
  let expire = () => {};
  let receive;
  const posted = new Promise((resolve) => {
    receive = resolve;
  });
  const server = createServer(({ url }, response) => {
    requests.push(url);
    if (url === "/api/challenge") receive(response);
    else expire();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { fetch } = globalThis;
  const { timeout } = AbortSignal;
  const pending = [];
  context.after(async () => {
    server.close();
    server.closeAllConnections();
    await Promise.allSettled(pending);
    // This ends the polling.
    setReachable(true);
    Object.assign(globalThis, { fetch });
    AbortSignal.timeout = timeout;
  });
  globalThis.fetch = (path, options) =>
    fetch(new URL(path, `http://127.0.0.1:${server.address().port}`), options);
  const timeouts = [];
  AbortSignal.timeout = (ms) => {
    timeouts.push(ms);
    const controller = new AbortController();
    expire = () => controller.abort(new DOMException("timed out", "TimeoutError"));
    return controller.signal;
  };
  pending.push(post("/api/challenge", {}));
  for (const request of [() => get("/api/tv/channels"), account]) {
    await assert.rejects(
      request(),
      ({ status, message }) => status === 0 && message.includes("cannot be reached"),
    );
  }
  assert.deepEqual(timeouts.slice(0, 2), [15000, 15000]);
  assert.equal(isReachable(), false);
  (await posted).end("{}");
  assert.deepEqual(await pending[0], {});
  assert.deepEqual(
    requests.filter((path) => path.startsWith("/api")).sort(),
    ["/api/challenge", "/api/guest", "/api/tv/channels"],
    "no request is repeated",
  );
});
