// Move tree of the analysis board: movetext, storage in the address, and numbered movetext for
// records.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkProperty, growTree } from "./support/generators.mjs";

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
const emptyTree = (options = { points: false, target: "10" }) =>
  new Tree(VARIANT, options, "b,./.,w 1");
const choices = fc.array(fc.nat(), { maxLength: 25 });

test("the movetext of a tree restores the same tree", () => {
  checkProperty(choices, (picks) => {
    const tokens = movetextTokens(growTree(emptyTree(), picks).root);
    const restored = emptyTree();
    addMovetext(restored.root, tokens);
    assert.deepEqual(movetextTokens(restored.root), tokens);
    assert.equal(
      [...restored.root.walk()].length,
      tokens.filter((token) => !"()".includes(token)).length + 1,
    );
  });
});

test("invalid movetext is refused", () => {
  for (const tokens of [["("], ["a1-b1", ")"], [")"], ["(", "a1-b1"]])
    assert.throws(
      () => addMovetext(emptyTree().root, tokens),
      Error,
      `accepted: ${tokens.join(" ")}`,
    );
});

test("current line leads from the root through the current node", () => {
  checkProperty(choices, fc.nat(), (picks, pick) => {
    const tree = growTree(emptyTree(), picks);
    const nodes = [...tree.root.walk()];
    tree.at = nodes[pick % nodes.length];
    const line = tree.line();
    assert.equal(line[0], tree.root);
    assert.ok(line.includes(tree.at));
    assert.equal(line.at(-1).children.length, 0);
    line.slice(1).forEach((node, index) => assert.equal(node.parent, line[index]));
    assert.deepEqual(
      line.at(-1).moves,
      line.slice(1).map(({ u }) => u),
    );
    line.forEach((node, ply) => assert.equal(node.ply, ply));
  });
});

test("the address restores variant, options, start, moves and node", () => {
  const texts = fc.constantFrom("b,./.,w 1", "w,#/%,& 2 0:0", "?,=/+,/ 1");
  checkProperty(
    choices,
    fc.nat(),
    fc.boolean(),
    fc.constantFrom("10", "8"),
    texts,
    (picks, pick, points, target, basePosition) => {
      const tree = growTree(emptyTree({ points, target }), picks);
      const nodes = [...tree.root.walk()];
      const nodeIndex = pick % nodes.length;
      tree.at = nodes[nodeIndex];
      writeAddress(tree, basePosition, null);
      const parsed = parseAddress();
      assert.equal(parsed.variant, "hogga");
      assert.deepEqual(parsed.options, {
        ...(points && { points: "true" }),
        ...(target === "8" && { target }),
      });
      assert.equal(parsed.start, tree.root.position === basePosition ? null : tree.root.position);
      assert.deepEqual(parsed.moves ?? [], movetextTokens(tree.root));
      assert.equal(parsed.at ?? 0, nodeIndex);
    },
  );
});

test("address of a game has moves only if they differ from it", () => {
  const tree = emptyTree();
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
  checkProperty(choices, (picks) => {
    const tokens = movetextTokens(growTree(emptyTree(), picks).root);
    const unnumbered = numberedMovetext(tokens)
      .replace(/\d+\.(\.\.)? /g, "")
      .replaceAll("(", "( ")
      .replaceAll(")", " )");
    assert.deepEqual(unnumbered.split(" ").filter(Boolean), tokens);
  });
});
