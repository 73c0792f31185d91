// Requests to a server that accepts them and never answers.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

const { account, get, post } = await import("../../static/lib/http.js");
const { isReachable, setReachable } = await import("../../static/lib/connectivity.js");

/** Factor by which timeouts are shortened. */
const HASTE = 100;

test("reads time out after 15 s, actions do not", async (context) => {
  const asked = [];
  const server = createServer(({ url }, answer) => {
    asked.push(url);
    if (url === "/api/challenge") setTimeout(() => answer.end("{}"), 20000 / HASTE);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { fetch } = globalThis;
  const { timeout } = AbortSignal;
  context.after(() => {
    // This ends the polling.
    setReachable(true);
    Object.assign(globalThis, { fetch });
    AbortSignal.timeout = timeout;
    server.close();
    server.closeAllConnections();
  });
  globalThis.fetch = (path, how) =>
    fetch(new URL(path, `http://127.0.0.1:${server.address().port}`), how);
  const limits = [];
  AbortSignal.timeout = (ms) => {
    limits.push(ms);
    return timeout.call(AbortSignal, ms / HASTE);
  };
  const done = post("/api/challenge", {});
  for (const question of [() => get("/api/tv/channels"), account]) {
    await assert.rejects(
      question(),
      ({ status, message }) => status === 0 && message.includes("cannot be reached"),
    );
  }
  assert.deepEqual(limits.slice(0, 2), [15000, 15000]);
  assert.equal(isReachable(), false);
  assert.deepEqual(await done, {});
  assert.deepEqual(
    asked.filter((path) => path.startsWith("/api")).sort(),
    ["/api/challenge", "/api/guest", "/api/tv/channels"],
    "no request is repeated",
  );
});
