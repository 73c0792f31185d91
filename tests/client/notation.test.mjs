// Notation of cells, positions and moves, and click paths, which turn clicks into moves.
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
import { all, cell, legalMoves, nearCell, position } from "./support/generators.mjs";

test("a cell name converts to coordinates and back", () => {
  assert.deepEqual(cellCoordinates("c12"), [2, 11]);
  all(cell, (name) => assert.equal(cellName(...cellCoordinates(name)), name));
});

test("cells of a notation are in order, a word has none", () => {
  assert.deepEqual(cellsOf("e6-g6xh5"), ["e6", "g6", "h5"]);
  assert.deepEqual(cellsOf("pass"), []);
  all(
    fc.array(cell, { minLength: 1, maxLength: 9 }),
    fc.constantFrom("-", "x", ""),
    (cells, between) => assert.deepEqual(cellsOf(cells.join(between)), cells),
  );
});

test("every token has its cell, the first row of the text is the top", () => {
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

test("a position text has its parts, flipping its turn twice restores it", () => {
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

test("a move is found by its notation or by the same cells", () => {
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

test("clicking the cells of a move in order yields that move", () => {
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

test("selected cells are always the prefix of a move", () => {
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

test("cells offered as the next click are accepted", () => {
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

test("a second click undoes or completes, moves without cells are buttons", () => {
  const clicks = new ClickPath(["a1-b1", "a1-b1-c1", "pass"]);
  assert.deepEqual(clicks.buttonMoves(), ["pass"]);
  assert.equal(clicks.click("a1"), "chosen");
  assert.equal(clicks.click("a1"), "undone");
  clicks.click("a1");
  assert.equal(clicks.click("b1"), "chosen", "the move could continue");
  assert.equal(clicks.click("b1"), "move", "a second click completes the move");
  assert.equal(clicks.completeMove(), "a1-b1");
});

test("a click on another own piece replaces the selection", () => {
  const clicks = new ClickPath(["a1-b1", "a2-b1"], (name) => name.startsWith("a"));
  clicks.click("a1");
  assert.equal(clicks.click("a2"), "began");
  assert.equal(clicks.click("b1"), "move");
  assert.equal(clicks.completeMove(), "a2-b1");
});

test("the piece to move is selected once, own pieces may follow in its path", () => {
  const own = (name) => name.startsWith("a");
  const crawls = new ClickPath(["a1-b1", "a1(a4)b4"], own);
  assert.equal(crawls.needsPiece(), true);
  crawls.click("a1");
  assert.equal(crawls.needsPiece(), false);
  const only = new ClickPath(["a1(a4)b4"], own);
  only.click("a1");
  assert.equal(only.needsPiece(), false, "all next cells are own pieces");
  const pays = new ClickPath(["xc3,a1-b1", "xc3,a2-b2"], own);
  pays.click("c3");
  assert.equal(pays.needsPiece(), true, "a captured piece is not the piece to move");
  pays.click("a1");
  assert.equal(pays.needsPiece(), false);
});
