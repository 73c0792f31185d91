// Move tree of the analysis board: movetext, storage in the address, and numbered movetext for
// records.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { all, grown } from "./support/generators.mjs";

const { Tree, addMovetext, movetextTokens } = await import("../../static/analysis/tree.js");
const { writeAddress, numberedMovetext, parseAddress } =
  await import("../../static/analysis/url-state.js");

const VARIANT = {
  key: "hogga",
  options: [
    { key: "points", values: [false, true], default: false },
    { key: "target", values: ["10", "8"], default: "10" },
  ],
};
const empty = (options = { points: false, target: "10" }) =>
  new Tree(VARIANT, options, "b,./.,w 1");
const choices = fc.array(fc.nat(), { maxLength: 25 });

test("the movetext of a tree restores the same tree", () => {
  all(choices, (picks) => {
    const words = movetextTokens(grown(empty(), picks).root);
    const again = empty();
    addMovetext(again.root, words);
    assert.deepEqual(movetextTokens(again.root), words);
    assert.equal(
      [...again.root.walk()].length,
      words.filter((word) => !"()".includes(word)).length + 1,
    );
  });
});

test("invalid movetext is refused", () => {
  for (const wrong of [["("], ["a1-b1", ")"], [")"], ["(", "a1-b1"]])
    assert.throws(() => addMovetext(empty().root, wrong), Error, `accepted: ${wrong.join(" ")}`);
});

test("the current line leads from the root through the current node", () => {
  all(choices, fc.nat(), (picks, which) => {
    const tree = grown(empty(), picks);
    const steps = [...tree.root.walk()];
    tree.at = steps[which % steps.length];
    const line = tree.line();
    assert.equal(line[0], tree.root);
    assert.ok(line.includes(tree.at));
    assert.equal(line.at(-1).children.length, 0);
    line.slice(1).forEach((step, at) => assert.equal(step.parent, line[at]));
    assert.deepEqual(
      line.at(-1).moves,
      line.slice(1).map(({ u }) => u),
    );
    line.forEach((step, ply) => assert.equal(step.ply, ply));
  });
});

test("the address restores variant, options, start, moves and node", () => {
  const texts = fc.constantFrom("b,./.,w 1", "w,#/%,& 2 0:0", "?,=/+,/ 1");
  all(
    choices,
    fc.nat(),
    fc.boolean(),
    fc.constantFrom("10", "8"),
    texts,
    (picks, which, points, target, own) => {
      const tree = grown(empty({ points, target }), picks);
      const steps = [...tree.root.walk()];
      const at = which % steps.length;
      tree.at = steps[at];
      writeAddress(tree, own, null);
      const asked = parseAddress();
      assert.equal(asked.variant, "hogga");
      assert.deepEqual(asked.options, {
        ...(points && { points: "true" }),
        ...(target === "8" && { target }),
      });
      assert.equal(asked.start, tree.root.position === own ? null : tree.root.position);
      assert.deepEqual(asked.moves ?? [], movetextTokens(tree.root));
      assert.equal(asked.at ?? 0, at);
    },
  );
});

test("the address of a game contains moves only if they differ from it", () => {
  const tree = empty();
  addMovetext(tree.root, ["a1-b1", "a2-b2"]);
  writeAddress(tree, null, ["a1-b1", "a2-b2"]);
  assert.deepEqual(parseAddress(), {
    variant: null,
    options: {},
    start: null,
    moves: null,
    at: null,
  });
  addMovetext(tree.root, ["a1-b1", "a3-b3"]);
  writeAddress(tree, null, ["a1-b1", "a2-b2"]);
  assert.deepEqual(parseAddress().moves, ["a1-b1", "a2-b2", "(", "a3-b3", ")"]);
});

test("numbered movetext resumes its number after a variation", () => {
  assert.equal(numberedMovetext(["a", "b", "c"]), "1. a b 2. c");
  assert.equal(numberedMovetext(["a", "(", "x", "y", ")", "b", "c"]), "1. a (1. x y) 1... b 2. c");
  assert.equal(numberedMovetext([]), "");
  all(choices, (picks) => {
    const words = movetextTokens(grown(empty(), picks).root);
    const bare = numberedMovetext(words)
      .replace(/\d+\.(\.\.)? /g, "")
      .replaceAll("(", "( ")
      .replaceAll(")", " )");
    assert.deepEqual(bare.split(" ").filter(Boolean), words);
  });
});
