// Requests to a server that accepts them and never answers.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

const { account, get, post } = await import("../../static/lib/http.js");
const { isReachable, setReachable } = await import("../../static/lib/connectivity.js");

/** Factor by which timeouts are shortened. */
const SPEEDUP = 100;

test("reads time out after 15 s, actions do not", async (context) => {
  const requests = [];
  const server = createServer(({ url }, response) => {
    requests.push(url);
    if (url === "/api/challenge") setTimeout(() => response.end("{}"), 20000 / SPEEDUP);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
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
  globalThis.fetch = (path, options) =>
    fetch(new URL(path, `http://127.0.0.1:${server.address().port}`), options);
  const timeouts = [];
  AbortSignal.timeout = (ms) => {
    timeouts.push(ms);
    return timeout.call(AbortSignal, ms / SPEEDUP);
  };
  const pendingPost = post("/api/challenge", {});
  for (const request of [() => get("/api/tv/channels"), account]) {
    await assert.rejects(
      request(),
      ({ status, message }) => status === 0 && message.includes("cannot be reached"),
    );
  }
  assert.deepEqual(timeouts.slice(0, 2), [15000, 15000]);
  assert.equal(isReachable(), false);
  assert.deepEqual(await pendingPost, {});
  assert.deepEqual(
    requests.filter((path) => path.startsWith("/api")).sort(),
    ["/api/challenge", "/api/guest", "/api/tv/channels"],
    "no request is repeated",
  );
});
