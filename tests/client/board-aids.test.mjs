// Aids of the boards, which the client derives from a position by itself, against the rules core:
// the hops of Hogga, the strikes of Kopf oder Knopf, the cells that a knight attacks. Also click
// paths that a finger has to tap twice.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClickPath } from "../../static/model/click-path.js";
import { cellsOf, flipTurn, parseCells, parsePosition } from "../../static/model/notation.js";
import { recordedGames } from "./support/server-rules.mjs";
import { transcripts } from "./support/transcripts.mjs";
import { ask } from "./support/wasm-rules.mjs";

const { guidanceOf } = await import("../../static/guidance/index.js");
const { furtherHops, hopsFrom } = await import("../../static/guidance/hogga-hops.js");
const { strikesOf } = await import("../../static/guidance/kopf-strikes.js");

const shapes = Object.fromEntries(
  transcripts().map(({ variant, messages }) => [variant, messages[0].d.board]),
);
const SIDES = { first: "first", second: "second" };

/** Returns the positions of the recorded games of a variant, without the last ones. */
const positionsOf = (variant) =>
  recordedGames
    .filter((game) => game.variant === variant)
    .flatMap(({ options, seed, moves }) => {
      const setup = {
        variant,
        seed,
        options: Object.fromEntries(
          options.split(" ").map((pair) => {
            const [key, value] = pair.split("=");
            return [key, /^(\d+|true|false)$/.test(value) ? JSON.parse(value) : value];
          }),
        ),
      };
      const played = moves.slice(0, -1);
      return ask({ ...setup, moves: played, replay: true }).replay.map(({ position }) => ({
        setup: { variant, options: setup.options },
        position,
      }));
    });

const markOf = ({ marks, rows }, cell) =>
  marks?.[rows - Number(cell.slice(1))]?.[cell.charCodeAt(0) - 97] ?? ".";

test("hops of hogga lead to the jumps of the rules", () => {
  let count = 0;
  for (const { setup, position } of positionsOf("hogga")) {
    const { cells, turn } = parsePosition(position);
    const tokens = parseCells(cells);
    const { legal = [] } = ask({ ...setup, start: position });
    const letter = turn === "first" ? "b" : "w";
    const other = letter === "b" ? "w" : "b";
    for (const [origin, token] of tokens) {
      if (token.toLowerCase() !== letter || !legal.length) continue;
      // All cells that chains of hops reach, but those on which no turn may end.
      const reached = new Set([origin]);
      for (const cell of reached)
        for (const next of hopsFrom(tokens, cell, origin)) reached.add(next);
      const ends = [...reached].filter(
        (cell) => cell !== origin && markOf(shapes.hogga, cell) !== other,
      );
      const isStep = (cell) =>
        Math.abs(cell.charCodeAt(0) - origin.charCodeAt(0)) <= 1 &&
        Math.abs(cell.slice(1) - origin.slice(1)) <= 1;
      const moves = legal.map(cellsOf).filter(([from]) => from === origin);
      assert.deepEqual(
        ends.filter((cell) => !isStep(cell)).sort(),
        moves
          .map(([, to]) => to)
          .filter((cell) => !isStep(cell))
          .sort(),
        `${origin} in ${position}`,
      );
      count += ends.length;
    }
  }
  assert.ok(count > 500, `only ${count} jumps`);
});

test("further hops continue a jump and never a step", () => {
  const tokens = parseCells(".,.,.,.,.,.,./w,b,.,b,.,b,./.,.,.,.,.,.,.");
  assert.deepEqual(furtherHops(["a2", "c2"], tokens), [
    ["c2", "e2"],
    ["e2", "g2"],
  ]);
  assert.deepEqual(furtherHops(["a2", "a3"], tokens), []);
  assert.deepEqual(furtherHops(["a2", "c2", "e2", "g2"], tokens), []);
});

test("threats of kopf oder knopf are the strikes of the rules", () => {
  let count = 0;
  for (const { setup, position } of positionsOf("kopfOderKnopf")) {
    for (const start of [position, flipTurn(position)]) {
      const { cells, turn } = parsePosition(start);
      const { preview } = ask({ ...setup, start, clicks: [] });
      // With a choice of penalties, the strikes depend on it.
      if (preview?.groups?.length) continue;
      const mark = (cell) => markOf(shapes.kopfOderKnopf, cell);
      const strikes = strikesOf(parseCells(cells), mark, turn === "first" ? "r" : "b");
      assert.deepEqual(
        strikes.map(String).sort(),
        (preview?.strikes ?? []).map(String).sort(),
        start,
      );
      count += strikes.length;
    }
  }
  assert.ok(count > 20, `only ${count} strikes`);
});

test("an attacked number is refused and others are not", () => {
  let count = 0;
  for (const { setup, position } of positionsOf("knightFight")) {
    const { cells, turn } = parsePosition(position);
    const tokens = parseCells(cells);
    const { legal = [] } = ask({ ...setup, start: position });
    const theirs = [...tokens].find(([, token]) => token === (turn === "first" ? "b" : "w"))?.[0];
    if (!theirs || !legal.length) continue;
    const { attacked } = guidanceOf("knightFight").inspect({
      cell: theirs,
      tokens,
      markOf: () => ".",
      sides: Object.values(SIDES),
    });
    const targets = new Set(legal.map((u) => cellsOf(u)[0]));
    for (const cell of tokens.keys()) {
      if (targets.has(cell)) assert.ok(!attacked.includes(cell), `${cell} in ${position}`);
      const { refusal } = targets.has(cell)
        ? {}
        : ask({ ...setup, start: position, clicks: [cell] });
      if (refusal?.rule === "attacked") {
        assert.ok(attacked.includes(cell), `${cell} in ${position}`);
        count += 1;
      }
    }
  }
  assert.ok(count > 5, `only ${count} attacked targets`);
});

test("a stack is named from the top", () => {
  const tokens = parseCells("wb,w,.");
  const look = (cell) =>
    guidanceOf("caterpillarWar").inspect({ cell, tokens, markOf: () => ".", sides: [] });
  assert.deepEqual(
    look("a1").stack.map(({ token }) => token),
    ["b", "w"],
  );
  assert.match(look("a1").text, /^a1, from the top: black, white\.$/);
  assert.deepEqual([look("b1"), look("c1")], [null, null]);
});

test("the lead is told to the side that is ahead", () => {
  const { lead } = guidanceOf("knightFight");
  assert.deepEqual(lead([68, 41]), ["ahead by 27", ""]);
  assert.deepEqual(lead([41, 68]), ["", "ahead by 27"]);
  assert.deepEqual(lead([41, 41]), ["", ""]);
});

test("only the last cell of a move completes it", () => {
  const clicks = new ClickPath(["a1-b2", "a1-c3", "d4xe5", "d4"], (cell) => cell === "a1");
  assert.equal(clicks.completesWith("a1"), false);
  clicks.click("a1");
  assert.equal(clicks.completesWith("b2"), true);
  assert.deepEqual(clicks.chosen, ["a1"], "the question changes nothing");
  assert.equal(clicks.completesWith("a1"), false, "a click that undoes");
  clicks.setPath([]);
  assert.equal(clicks.completesWith("d4"), false, "the move could continue");
  clicks.click("d4");
  assert.equal(clicks.completesWith("e5"), true);
});
