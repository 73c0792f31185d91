// What is typed for a move: any size of letters, with or without what divides it, and no more than was meant.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTypedMove } from "../../static/model/notation.js";

const legal = ["h5-g5", "h5-h6", "h2(h5)e8", "a1", "a1xb2", "xi4,b4-e4", "pass"];

test("a whole move is known however it is written", () => {
  for (const [text, u] of [
    ["h5-g5", "h5-g5"],
    ["H5G5", "h5-g5"],
    [" h2 h5 e8 ", "h2(h5)e8"],
    ["XI4 B4 E4", "xi4,b4-e4"],
    ["Pass", "pass"],
  ])
    assert.equal(parseTypedMove(text, legal).move, u, text);
});

test("a beginning names the moves that begin so, and is none of them", () => {
  assert.deepEqual(parseTypedMove("h5", legal), { move: null, begin: ["h5-g5", "h5-h6"] });
  assert.deepEqual(parseTypedMove("h2(", legal), { move: null, begin: ["h2(h5)e8"] });
  assert.deepEqual(parseTypedMove("", legal), { move: null, begin: [] });
  assert.deepEqual(parseTypedMove("-", legal), { move: null, begin: [] });
  assert.deepEqual(parseTypedMove("z", legal), { move: null, begin: [] });
});

test("a move that could go on is a move, and the others are named too", () => {
  assert.deepEqual(parseTypedMove("a1", legal), { move: "a1", begin: ["a1", "a1xb2"] });
});

test("of two that differ by what divides them only the one that is written is meant", () => {
  const alike = ["a1-b2", "a1(b2)"];
  assert.deepEqual(parseTypedMove("a1b2", alike), { move: null, begin: alike });
  assert.equal(parseTypedMove("A1(B2)", alike).move, "a1(b2)");
});
