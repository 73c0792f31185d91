// ClickPath: moves from sequences of clicks, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClickPath } from "../../static/model/click-path.js";

/** Clicks cells in order (`!` marks own pieces); returns results, selected cells and the move. */
const click = (legal, cells) => {
  const own = new Set(cells.match(/[a-z]\d+(?=!)/g));
  const clicks = new ClickPath(legal, (cell) => own.has(cell));
  const results = cells.split(" ").map((cell) => clicks.click(cell.replace("!", "")));
  return [results.join(" "), clicks.chosen.join(" "), clicks.completeMove()];
};

test("clicks in notation order complete the move", () => {
  assert.deepEqual(click(["h5(d1)d5", "h5-g5"], "h5! d1! d5"), [
    "chosen chosen move",
    "h5 d1 d5",
    "h5(d1)d5",
  ]);
  assert.deepEqual(click(["c3", "d4"], "c3"), ["move", "c3", "c3"]);
  assert.deepEqual(click(["c3-e3"], "c3! a1 e3"), ["chosen illegal move", "c3 e3", "c3-e3"]);
});

test("extendable move waits for a second click or the button", () => {
  const legal = ["c1", "c1xh7", "c1xb2"];
  assert.deepEqual(click(legal, "c1"), ["chosen", "c1", "c1"]);
  assert.deepEqual(click(legal, "c1 c1"), ["chosen move", "c1", "c1"]);
  assert.deepEqual(click(legal, "c1 h7"), ["chosen move", "c1 h7", "c1xh7"]);
});

test("penalties are clicked in any order and can be changed", () => {
  const first = ["b2-b5", "xc7,b2-b5", "xc8,b2-b5", "xf3,b2-b5", "xc7xf3,b2-b5", "xc8xf3,b2-b5"];
  const second = first.map((u) => u.replace("b2-b5", "d4-d6"));
  const legal = [...first, ...second];
  assert.deepEqual(click(legal, "c7 f3 b2! b5"), [
    "chosen chosen chosen move",
    "c7 f3 b2 b5",
    "xc7xf3,b2-b5",
  ]);
  assert.deepEqual(click(legal, "f3 c7 b2! b5"), [
    "chosen chosen chosen move",
    "c7 f3 b2 b5",
    "xc7xf3,b2-b5",
  ]);
  assert.deepEqual(click(legal, "b2! f3 c7"), ["chosen chosen chosen", "c7 f3 b2", null]);
  assert.deepEqual(click(legal, "c7 f3 c8"), ["chosen chosen chosen", "c8 f3", null]);
  assert.deepEqual(click(legal, "c7 f3 c7"), ["chosen chosen undone", "f3", null]);
  assert.deepEqual(click(legal, "f3 b2! d4!"), ["chosen chosen chosen", "f3 d4", null]);
  assert.deepEqual(click(legal, "b2! d4!"), ["chosen began", "d4", null]);
});

test("move with an untaken penalty is not sent immediately", () => {
  const legal = ["b2-b5", "xf3,b2-b5"];
  assert.deepEqual(click(legal, "b2! b5"), ["chosen chosen", "b2 b5", "b2-b5"]);
  assert.deepEqual(click(legal, "b2! b5 b5"), ["chosen chosen move", "b2 b5", "b2-b5"]);
  assert.deepEqual(click(legal, "b2! b5 f3"), ["chosen chosen move", "f3 b2 b5", "xf3,b2-b5"]);
  const pass = ["pass", "xf3,pass", "xg7,pass", "xf3xg7,pass"];
  assert.deepEqual(click(pass, "g7"), ["chosen", "g7", "xg7,pass"]);
  assert.deepEqual(click(pass, "g7 f3"), ["chosen move", "f3 g7", "xf3xg7,pass"]);
  assert.deepEqual(new ClickPath(pass).buttonMoves(), ["pass"]);
});

test("step is sent although a longer move shares its cells", () => {
  assert.deepEqual(click(["h5-g5", "h4(h5)g5"], "h5! g5"), ["chosen chosen", "h5 g5", "h5-g5"]);
  const clicks = new ClickPath(["h5-g5", "h4(h5)g5"], (cell) => cell.startsWith("h"));
  assert.deepEqual([clicks.click("h5"), clicks.click("g5")], ["chosen", "move"]);
});

test("clicking another own piece replaces the last selection", () => {
  const legal = ["a1(b1)c1", "a1(a2)a3", "e5-e6"];
  assert.deepEqual(click(legal, "a1! b1! a2!"), ["chosen chosen chosen", "a1 a2", null]);
  assert.deepEqual(click(legal, "a1! b1! e5!"), ["chosen chosen began", "e5", null]);
});
