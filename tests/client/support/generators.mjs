// Generators of cells, moves, positions and trees for property tests.
import fc from "fast-check";

/** Checks a property with 300 random inputs. */
export const checkProperty = (...args) => fc.assert(fc.property(...args), { numRuns: 300 });

/** A cell of any board. */
export const cell = fc
  .tuple(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 1, max: 26 }))
  .map(([col, row]) => String.fromCharCode(97 + col) + row);

/** A cell of a board so small that moves share cells. */
export const smallBoardCell = fc.constantFrom("a1", "a2", "b1", "b2", "c1", "c2");

/** A notation with at least one cell, all of them distinct. */
export const notation = fc
  .tuple(
    fc.uniqueArray(smallBoardCell, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("-", "x", "*"),
  )
  .map(([cells, separator]) => cells.join(separator));

/** Legal moves with distinct click sequences. */
export const legalMoves = fc.uniqueArray(notation, {
  minLength: 1,
  maxLength: 12,
  selector: (u) => u.match(/[a-z]\d+/g).join(),
});

export const position = fc
  .record({
    cells: fc.integer({ min: 1, max: 13 }).chain((cols) =>
      fc.array(
        fc.array(fc.constantFrom(".", "#", "w", "b", "wb", "12", "W"), {
          minLength: cols,
          maxLength: cols,
        }),
        { minLength: 1, maxLength: 13 },
      ),
    ),
    turn: fc.constantFrom("1", "2"),
    extras: fc.array(fc.constantFrom("-", "0:0", "1+3", "4:8"), { maxLength: 3 }),
  })
  .map(({ cells, turn, extras }) =>
    [cells.map((row) => row.join(",")).join("/"), turn, ...extras].join(" "),
  );

/** Adds random moves to a tree, one for each number in `choices`, and returns it. */
export const growTree = (tree, choices) => {
  for (const choice of choices) {
    const nodes = [...tree.root.walk()];
    nodes[choice % nodes.length].childFor(`a${1 + (choice % 7)}-b${1 + (choice % 5)}`);
  }
  return tree;
};
