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

test("an unreachable server is polled until it answers", async (context) => {
  const requests = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    if (requests.length === 1) request.socket.destroy();
    else response.writeHead(requests.length === 2 ? 503 : 200).end();
    // Returning to the page polls at once.
    if (requests.length < 3)
      setImmediate(() => events.dispatchEvent(new Event("visibilitychange")));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  globalThis.location = new URL(`http://127.0.0.1:${server.address().port}/rules`);
  const changes = [];
  onReachabilityChange((state) => changes.push(state));
  setReachable(false);
  await new Promise((resolve) => onReconnect(resolve));
  assert.equal(isReachable(), true);
  assert.deepEqual(changes, [false, true]);
  assert.deepEqual(
    requests.filter((path) => path !== "/healthz"),
    [],
  );
  const count = requests.length;
  for (const type of ["visibilitychange", "online"]) events.dispatchEvent(new Event(type));
  await fetch(`${location.origin}/last`);
  assert.deepEqual(requests.slice(count), ["/last"], "a reachable server is polled");
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
      { timedPaths: [{ at: 0, hopTimes: [90] }], removals: [], captureLinesAt: null, end: 90 },
      false,
    ),
    false,
  );
});
