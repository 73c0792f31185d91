// What is heard of a move, and when: notes that follow its timeline. Nothing sounds here.

/** A capture's second is heard so long after its first. */
const SECOND_MS = 55;

const heardAs = { struck: null, covered: "second", taken: "second", passed: "second", wiped: "second" };

/**
 * The notes of a move.
 * @param {import("./timeline.js").Timeline} times
 * @param {{ turns: boolean, wipes: boolean }} kind whether the piece was turned over, and whether numbers are wiped
 * @returns {{ what: string, at: number, step?: number }[]} each with its moment in milliseconds
 */
export const score = ({ ways, gone, threads }, { turns, wipes }) => {
  // Stones that go together land one after another, and are told as the hops of one are.
  const moves = ways.flatMap(({ ends }, number) => ends.map((at, hop) => ({ what: "move", at, step: hop + number })));
  const over = turns ? ways.map(({ at, ends }) => ({ what: "turn", at: (at + ends[0]) / 2 })) : [];
  const left = gone.map(({ how, at }) => ({ what: how === "wiped" && wipes ? "wipe" : heardAs[how], at: how === "wiped" && wipes ? at : at + SECOND_MS }));
  const struck = threads === null ? [] : [{ what: "strike", at: threads }];
  return [...struck, ...moves, ...over, ...left.filter(({ what }) => what)];
};
