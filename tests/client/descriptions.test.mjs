// Descriptions of cells and moves for screen readers.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

const { pieceSetOf } = await import("../../static/variants/index.js");
const { guidanceOf } = await import("../../static/guidance/index.js");
const { moveText } = await import("../../static/board/move-description.js");

/** Token, mark of its cell, and description, by variant. */
const CELLS = {
  caterpillarWar: [
    [".", undefined, "empty"],
    ["w", undefined, "white"],
    ["b", undefined, "black"],
    // The top stone determines the owner.
    ["wb", undefined, "black on top, height 2: white, black"],
    ["bw", undefined, "white on top, height 2: black, white"],
    ["wbbw", undefined, "white on top, height 4: white, black, black, white"],
  ],
  knightFight: [
    ["w", undefined, "white knight"],
    ["b", undefined, "black knight"],
    ["37", undefined, "37"],
    ["00", undefined, "00"],
    [".", undefined, "wiped"],
  ],
  hogga: [
    ["b", ".", "black pawn"],
    ["w", "b", "white pawn, black dot"],
    ["B", "w", "black Hogga, white dot"],
    ["W", "w", "white Hogga, white dot"],
    ["W", ".", "white Hogga"],
    [".", "b", "empty, black dot"],
    [".", ".", "empty"],
  ],
  kopfOderKnopf: [
    ["r", "1", "red button, 1 hole"],
    ["b", "4", "blue button, 4 holes"],
    [".", "3", "empty, 3 holes"],
  ],
  wieNietWegIs: [
    ["w", undefined, "White, circle down"],
    ["W", undefined, "White, circle up"],
    ["r", undefined, "Red, circle down"],
    ["R", undefined, "Red, circle up"],
    [".", undefined, "empty"],
  ],
};

for (const [key, cells] of Object.entries(CELLS)) {
  test(`${key}: cells are described by token and mark`, () => {
    for (const [token, mark, description] of cells)
      assert.equal(pieceSetOf(key).describe(token, mark), description, `${token} on ${mark}`);
  });
}

test("a move is described by its path, captures, wipes and strikes", () => {
  /** Variant, notation, trace, and description. */
  const moves = [
    [
      "caterpillarWar",
      "h2(h5)e8",
      { paths: [["h2", "h5", "e8"]], removed: ["e8"] },
      "h2 to e8, removes 1: e8",
    ],
    ["knightFight", "e1", { paths: [["e1"]] }, "on e1"],
    [
      "knightFight",
      "g2xb2",
      { paths: [["e1", "g2"]], removed: ["g5", "b2"] },
      "e1 to g2, wipes g5, b2",
    ],
    ["hogga", "a1-c3", { paths: [["a1", "c3"]] }, "a1 to c3"],
    ["hogga", "a1-e5", { paths: [["a1", "c3", "e5"]] }, "a1 to e5 in 2 hops"],
    [
      "kopfOderKnopf",
      "xi4,b4-e4",
      { paths: [["b4", "e4"]], removed: ["i4", "f5"], strikes: [["e4", "f5"]] },
      "b4 to e4, removes 1: i4, strikes f5",
    ],
    ["kopfOderKnopf", "pass", { paths: [] }, "Pass"],
    [
      "wieNietWegIs",
      "d5-d3",
      { paths: [["d5", "d3"]], removed: ["d4"] },
      "d5 to d3, removes 1: d4",
    ],
    ["wieNietWegIs", "d5-d3", null, "d5-d3"],
  ];
  for (const [key, u, trace, description] of moves)
    assert.equal(moveText(u, trace, guidanceOf(key)), description);
  // With the position before the move, numbers replace the cells of wiped ones.
  const before = new Map([
    ["g5", "86"],
    ["b2", "44"],
  ]);
  assert.equal(
    moveText(
      "g2xb2",
      { paths: [["e1", "g2"]], removed: ["g5", "b2"] },
      guidanceOf("knightFight"),
      before,
    ),
    "e1 to g2, wipes 86, 44",
  );
});
