// Notation of cells, positions and moves, and click paths, which turn clicks into moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ClickPath } from "../../static/model/click-path.js";
import {
  cellName,
  cellCoordinates,
  cellsOf,
  parsePosition,
  sameMove,
  parseCells,
  flipTurn,
} from "../../static/model/notation.js";
import {
  checkProperty,
  cell,
  legalMoves,
  smallBoardCell,
  position,
} from "./support/generators.mjs";

test("a cell name converts to coordinates and back", () => {
  assert.deepEqual(cellCoordinates("c12"), [2, 11]);
  checkProperty(cell, (name) => assert.equal(cellName(...cellCoordinates(name)), name));
});

test("cells of a notation are in order, a word has none", () => {
  assert.deepEqual(cellsOf("e6-g6xh5"), ["e6", "g6", "h5"]);
  assert.deepEqual(cellsOf("pass"), []);
  checkProperty(
    fc.array(cell, { minLength: 1, maxLength: 9 }),
    fc.constantFrom("-", "x", ""),
    (cells, separator) => assert.deepEqual(cellsOf(cells.join(separator)), cells),
  );
});

test("every token has its cell, the first row is the top", () => {
  assert.equal(parseCells("a,b/c,d").get("a2"), "a");
  checkProperty(position, (text) => {
    const rows = parsePosition(text)
      .cells.split("/")
      .map((row) => row.split(","));
    const tokens = parseCells(parsePosition(text).cells);
    assert.equal(tokens.size, rows.flat().length);
    assert.equal(parseCells(parsePosition(text).cells), tokens, "parsed once");
    rows.forEach((row, index) =>
      row.forEach((token, col) =>
        assert.equal(tokens.get(cellName(col, rows.length - 1 - index)), token),
      ),
    );
  });
});

test("position text has its parts, flipping twice restores it", () => {
  checkProperty(position, (text) => {
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
  checkProperty(legalMoves, fc.nat(), (legal, index) => {
    const u = legal[index % legal.length];
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
  checkProperty(legalMoves, fc.nat(), (legal, index) => {
    const u = legal[index % legal.length];
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
  checkProperty(
    legalMoves,
    fc.array(smallBoardCell, { maxLength: 20 }),
    fc.func(fc.boolean()),
    (legal, cells, own) => {
      const clicks = new ClickPath(legal, own);
      for (const name of cells) {
        const before = [...clicks.chosen];
        const result = clicks.click(name);
        assert.ok(["move", "chosen", "began", "undone", "illegal"].includes(result), result);
        assert.ok(clicks.isPrefix(clicks.chosen), clicks.chosen.join());
        if (result === "illegal") assert.deepEqual(clicks.chosen, before);
        if (result === "move") assert.ok(legal.includes(clicks.completeMove()));
        if (result === "began") assert.deepEqual(clicks.chosen, [name]);
      }
    },
  );
});

test("cells offered as the next click are accepted", () => {
  checkProperty(legalMoves, fc.array(smallBoardCell, { maxLength: 4 }), (legal, cells) => {
    const clicks = new ClickPath(legal);
    cells.forEach((name) => clicks.click(name));
    const { targets, additional } = clicks.selectionState(() => false);
    for (const name of [...targets, ...additional]) {
      const other = new ClickPath(legal);
      other.chosen = [...clicks.chosen];
      assert.notEqual(other.click(name), "illegal", `${name} after ${clicks.chosen}`);
    }
  });
});

test("second click undoes or completes, pass is a button", () => {
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

test("the piece to move is selected once", () => {
  const own = (name) => name.startsWith("a");
  const chain = new ClickPath(["a1-b1", "a1(a4)b4"], own);
  assert.equal(chain.needsPiece(), true);
  chain.click("a1");
  assert.equal(chain.needsPiece(), false);
  const forced = new ClickPath(["a1(a4)b4"], own);
  forced.click("a1");
  assert.equal(forced.needsPiece(), false, "all next cells are own pieces");
  const penalty = new ClickPath(["xc3,a1-b1", "xc3,a2-b2"], own);
  penalty.click("c3");
  assert.equal(penalty.needsPiece(), true, "a captured piece is not the piece to move");
  penalty.click("a1");
  assert.equal(penalty.needsPiece(), false);
});
