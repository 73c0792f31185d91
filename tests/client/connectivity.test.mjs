// Reconnection to an unreachable server, and sounds on devices without audio.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

const events = new EventTarget();
globalThis.addEventListener = events.addEventListener.bind(events);
globalThis.localStorage = { getItem: () => "yes" };
const { isReachable, onReachabilityChange, onReconnect, setReachable } =
  await import("../../static/lib/connectivity.js");
const { playGameSound } = await import("../../static/common/navigation.js");
const { sound, soundMove } = await import("../../static/board/sound.js");

test("an unreachable server is polled until it answers, then no more", async (context) => {
  const asked = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    if (asked.length === 1) request.socket.destroy();
    else answer.writeHead(asked.length === 2 ? 503 : 200).end();
    // Returning to the page polls at once.
    if (asked.length < 3) setImmediate(() => events.dispatchEvent(new Event("visibilitychange")));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  context.after(() => server.close());
  globalThis.location = new URL(`http://127.0.0.1:${server.address().port}/rules`);
  const told = [];
  onReachabilityChange((there) => told.push(there));
  setReachable(false);
  await new Promise((back) => onReconnect(back));
  assert.equal(isReachable(), true);
  assert.deepEqual(told, [false, true]);
  assert.deepEqual(
    asked.filter((path) => path !== "/healthz"),
    [],
  );
  const before = asked.length;
  for (const what of ["visibilitychange", "online"]) events.dispatchEvent(new Event(what));
  await fetch(`${location.origin}/last`);
  assert.deepEqual(asked.slice(before), ["/last"], "a reachable server is polled");
});

test("a device without audio does not delay a game", async () => {
  navigator.userActivation = { hasBeenActive: true };
  globalThis.AudioContext = class {
    constructor() {
      throw new Error("no sound here");
    }
  };
  assert.equal(await playGameSound(), 0);
  assert.equal(sound("end"), 0);
  assert.equal(
    soundMove(
      { sound: "wood" },
      { ways: [{ at: 0, ends: [90] }], gone: [], threads: null, end: 90 },
      false,
    ),
    false,
  );
});
