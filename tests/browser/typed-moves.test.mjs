// Parsing of typed moves: case and separators are optional, and ambiguous input is not completed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTypedMove } from "../../static/model/typed-move.js";

const legal = ["h5-g5", "h5-h6", "h2(h5)e8", "a1", "a1xb2", "xi4,b4-e4", "pass"];

test("a complete move is parsed in any case, any separators", () => {
  for (const [text, u] of [
    ["h5-g5", "h5-g5"],
    ["H5G5", "h5-g5"],
    [" h2 h5 e8 ", "h2(h5)e8"],
    ["XI4 B4 E4", "xi4,b4-e4"],
    ["Pass", "pass"],
  ])
    assert.equal(parseTypedMove(text, legal).move, u, text);
});

test("a prefix lists the moves that begin with it and is no move", () => {
  assert.deepEqual(parseTypedMove("h5", legal), { move: null, candidates: ["h5-g5", "h5-h6"] });
  assert.deepEqual(parseTypedMove("h2(", legal), { move: null, candidates: ["h2(h5)e8"] });
  assert.deepEqual(parseTypedMove("", legal), { move: null, candidates: [] });
  assert.deepEqual(parseTypedMove("-", legal), { move: null, candidates: [] });
  assert.deepEqual(parseTypedMove("z", legal), { move: null, candidates: [] });
});

test("a move that is a prefix is a move and lists the others", () => {
  assert.deepEqual(parseTypedMove("a1", legal), { move: "a1", candidates: ["a1", "a1xb2"] });
});

test("moves that differ in separators need exact notation", () => {
  const ambiguous = ["a1-b2", "a1(b2)"];
  assert.deepEqual(parseTypedMove("a1b2", ambiguous), { move: null, candidates: ambiguous });
  assert.equal(parseTypedMove("A1(B2)", ambiguous).move, "a1(b2)");
});
