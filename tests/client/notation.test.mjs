// Cells, position texts, and clicks that become moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  ClickPath,
  cellName,
  cellCoordinates,
  cellsOf,
  parsePosition,
  sameMove,
  parseCells,
  flipTurn,
} from "../../static/model/notation.js";
import { all, cell, legalMoves, nearCell, position } from "./random.mjs";

test("a cell's name tells its place", () => {
  assert.deepEqual(cellCoordinates("c12"), [2, 11]);
  all(cell, (name) => assert.equal(cellName(...cellCoordinates(name)), name));
});

test("a notation names its cells in order, a word none", () => {
  assert.deepEqual(cellsOf("e6-g6xh5"), ["e6", "g6", "h5"]);
  assert.deepEqual(cellsOf("pass"), []);
  all(
    fc.array(cell, { minLength: 1, maxLength: 9 }),
    fc.constantFrom("-", "x", ""),
    (cells, between) => assert.deepEqual(cellsOf(cells.join(between)), cells),
  );
});

test("every token stands where the text has it, its first row above", () => {
  assert.equal(parseCells("a,b/c,d").get("a2"), "a");
  all(position, (text) => {
    const rows = parsePosition(text)
      .cells.split("/")
      .map((row) => row.split(","));
    const tokens = parseCells(parsePosition(text).cells);
    assert.equal(tokens.size, rows.flat().length);
    rows.forEach((row, at) =>
      row.forEach((token, col) =>
        assert.equal(tokens.get(cellName(col, rows.length - 1 - at)), token),
      ),
    );
  });
});

test("a position text has its parts, and turned twice is itself", () => {
  all(position, (text) => {
    const { cells, turn, extras } = parsePosition(text);
    assert.equal(
      [cells, turn === "first" ? 1 : 2, extras].filter((part) => part !== "").join(" "),
      text,
    );
    assert.notEqual(parsePosition(flipTurn(text)).turn, turn);
    assert.equal(flipTurn(flipTurn(text)), text);
  });
});

test("a move is found again, also where it is written otherwise", () => {
  all(legalMoves, fc.nat(), (legal, at) => {
    const u = legal[at % legal.length];
    assert.equal(sameMove(u, legal), u);
    assert.equal(sameMove(cellsOf(u).join("/"), legal), u);
    assert.equal(
      sameMove(
        u,
        legal.filter((other) => other !== u),
      ),
      undefined,
    );
  });
});

test("the cells of a move, clicked in order, are that move", () => {
  all(legalMoves, fc.nat(), (legal, at) => {
    const u = legal[at % legal.length];
    const clicks = new ClickPath(legal);
    for (const name of cellsOf(u)) {
      assert.ok(clicks.nextCells().has(name));
      clicks.click(name);
    }
    assert.equal(clicks.completeMove(), u);
    for (const _ of cellsOf(u)) clicks.undo();
    assert.deepEqual(clicks.chosen, []);
  });
});

test("what is chosen always begins a move, whatever is clicked", () => {
  all(
    legalMoves,
    fc.array(nearCell, { maxLength: 20 }),
    fc.func(fc.boolean()),
    (legal, cells, own) => {
      const clicks = new ClickPath(legal, own);
      for (const name of cells) {
        const before = [...clicks.chosen];
        const came = clicks.click(name);
        assert.ok(["move", "chosen", "began", "undone", "illegal"].includes(came), came);
        assert.ok(clicks.isPrefix(clicks.chosen), clicks.chosen.join());
        if (came === "illegal") assert.deepEqual(clicks.chosen, before);
        if (came === "move") assert.ok(legal.includes(clicks.completeMove()));
        if (came === "began") assert.deepEqual(clicks.chosen, [name]);
      }
    },
  );
});

test("what the board shows as the next click can be clicked", () => {
  all(legalMoves, fc.array(nearCell, { maxLength: 4 }), (legal, cells) => {
    const clicks = new ClickPath(legal);
    cells.forEach((name) => clicks.click(name));
    const { offered, also } = clicks.selectionState(() => false);
    for (const name of [...offered, ...also]) {
      const other = new ClickPath(legal);
      other.chosen = [...clicks.chosen];
      assert.notEqual(other.click(name), "illegal", `${name} after ${clicks.chosen}`);
    }
  });
});

test("a tap on what is chosen takes it back, and words without cells are buttons", () => {
  const clicks = new ClickPath(["a1-b1", "a1-b1-c1", "pass"]);
  assert.deepEqual(clicks.buttonMoves(), ["pass"]);
  assert.equal(clicks.click("a1"), "chosen");
  assert.equal(clicks.click("a1"), "undone");
  clicks.click("a1");
  assert.equal(clicks.click("b1"), "chosen", "the move could go on");
  assert.equal(clicks.click("b1"), "move", "a second tap says that it does not");
  assert.equal(clicks.completeMove(), "a1-b1");
});

test("another own piece takes the place of the one chosen before", () => {
  const clicks = new ClickPath(["a1-b1", "a2-b1"], (name) => name.startsWith("a"));
  clicks.click("a1");
  assert.equal(clicks.click("a2"), "began");
  assert.equal(clicks.click("b1"), "move");
  assert.equal(clicks.completeMove(), "a2-b1");
});

test("a piece to go with is chosen once: after it comes where it goes, over own pieces too", () => {
  const own = (name) => name.startsWith("a");
  const crawls = new ClickPath(["a1-b1", "a1(a4)b4"], own);
  assert.equal(crawls.needsPiece(), true);
  crawls.click("a1");
  assert.equal(crawls.needsPiece(), false);
  const only = new ClickPath(["a1(a4)b4"], own);
  only.click("a1");
  assert.equal(only.needsPiece(), false, "nor is it if all that may follow are own pieces");
  const pays = new ClickPath(["xc3,a1-b1", "xc3,a2-b2"], own);
  pays.click("c3");
  assert.equal(pays.needsPiece(), true, "what is taken first does not go anywhere");
  pays.click("a1");
  assert.equal(pays.needsPiece(), false);
});
