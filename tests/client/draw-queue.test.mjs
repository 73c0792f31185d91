// Order in which the board of a game shows moves: a move waits for the animation of the one before.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

let time = 0;
let timers = [];
let isReduced = false;
globalThis.document = { hidden: false };
globalThis.matchMedia = () => ({ matches: isReduced });
const { DrawQueue } = await import("../../static/game/draw-queue.js");

/** Lets time pass, calls the timers that are due, and lets their promises settle. */
const advance = async (ms) => {
  time += ms;
  const due = timers.filter(({ at }) => at <= time);
  timers = timers.filter(({ at }) => at > time);
  due.forEach(({ action }) => action());
  await new Promise((resolve) => setImmediate(resolve));
};

/** Returns a queue and the log of its board, whose animation ends with `animation`. */
const queueOf = (animation = Promise.resolve()) => {
  const log = [];
  const board = {
    show: ({ cells, preview }) => log.push(preview ? `${cells} with ${preview}` : cells),
    showPreview: (preview) => log.push(`preview ${preview}`),
    motion: { ended: () => animation },
  };
  const queue = new DrawQueue(board);
  /** Shows a move and animates it for 300 ms, as the page does with each message. */
  const move = (ply) => {
    queue.show({ cells: `move ${ply}` }, ply, true);
    queue.run(() => {
      log.push(`animate ${ply}`);
      queue.notify(300);
    });
  };
  return { queue, log, move };
};

/** Returns an animation and the function that ends it. */
const animationToEnd = () => {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
};

beforeEach((context) => {
  [time, timers, isReduced, document.hidden] = [0, [], false, false];
  context.mock.method(performance, "now", () => time);
  context.mock.method(globalThis, "setTimeout", (action, ms) => {
    const timer = { at: time + ms, action };
    timers.push(timer);
    return timer;
  });
  context.mock.method(globalThis, "clearTimeout", (timer) => {
    timers = timers.filter((one) => one !== timer);
  });
});

test("an answer waits until the animation has ended", async () => {
  const { log, move, queue } = queueOf();
  move(1);
  await advance(100);
  move(2);
  queue.showPreview("strikes");
  assert.deepEqual(log, ["move 1", "animate 1"]);
  await advance(200);
  assert.equal(log.length, 2, "the effects of the first move are still seen");
  await advance(200);
  assert.deepEqual(log.slice(2), ["move 2 with strikes", "animate 2"]);
});

test("an animation that ends late delays the answer", async () => {
  const { promise, resolve } = animationToEnd();
  const { log, move } = queueOf(promise);
  move(1);
  move(2);
  await advance(500);
  assert.deepEqual(log, ["move 1", "animate 1"]);
  resolve();
  await advance(0);
  assert.deepEqual(log.slice(2), ["move 2", "animate 2"]);
  assert.deepEqual(timers, []);
});

test("an animation that does not end delays the answer for a while", async () => {
  const { log, move } = queueOf(new Promise(() => {}));
  move(1);
  move(2);
  await advance(500);
  await advance(1400);
  assert.equal(log.length, 2);
  await advance(200);
  assert.deepEqual(log.slice(2), ["move 2", "animate 2"]);
});

test("what is shown during a late animation is drawn once", async () => {
  for (const [show, expected] of [
    [({ queue }) => queue.flush(), ["move 2", "animate 2"]],
    [({ move }) => move(3), ["move 3", "animate 3"]],
    [({ queue }) => queue.show({ cells: "start" }, 0, false), ["start"]],
  ]) {
    const { promise, resolve } = animationToEnd();
    const page = queueOf(promise);
    page.move(1);
    page.move(2);
    await advance(500);
    show(page);
    assert.deepEqual(page.log.slice(2), expected);
    resolve();
    await advance(5000);
    assert.deepEqual(page.log.slice(2), expected);
  }
});

test("later marks of a held position are drawn with it", async () => {
  const { queue, log, move } = queueOf();
  move(1);
  move(2);
  queue.show({ cells: "move 2, chosen" }, 2, true);
  await advance(1000);
  assert.deepEqual(log, ["move 1", "animate 1", "move 2, chosen", "animate 2"]);
});

test("input shows the latest position at once", async () => {
  const { queue, log, move } = queueOf();
  move(1);
  move(2);
  queue.flush();
  assert.deepEqual(log, ["move 1", "animate 1", "move 2", "animate 2"]);
  queue.flush();
  move(3);
  assert.equal(log.at(-1), "animate 3", "after input nothing waits");
});

test("a burst of moves shows the last one only", async () => {
  const { log, move } = queueOf();
  move(1);
  for (const ply of [2, 3]) move(ply);
  assert.deepEqual(log, ["move 1", "animate 1", "move 3", "animate 3"]);
  await advance(5000);
  assert.equal(log.length, 4);
});

test("a past position replaces a held one", async () => {
  const { queue, log, move } = queueOf();
  move(1);
  move(2);
  queue.show({ cells: "start" }, 0, false);
  await advance(5000);
  assert.deepEqual(log, ["move 1", "animate 1", "start"]);
});

test("reduced motion pauses, a hidden page does not wait", async () => {
  const { log, move } = queueOf();
  isReduced = true;
  move(1);
  move(2);
  assert.equal(log.length, 2);
  await advance(500);
  assert.equal(log.length, 4);
  document.hidden = true;
  move(3);
  assert.equal(log.at(-1), "animate 3");
});
