// What a move that is not made yet would do, and what of it is to be chosen next, in words.
import { say } from "./words.js";

const list = (cells) => [...cells].join(", ");

/**
 * The sentences for what is foreseen; "" if that is nothing.
 * @param {Partial<Trace> | null | undefined} foreseen
 * @param {Glyph} glyph
 * @returns {string}
 */
export const effectText = (foreseen, glyph) => {
  const { paths = [], removed = [], strikes = [], groups = [] } = foreseen ?? {};
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = removed.filter((cell) => !struck.has(cell));
  const path = glyph.hops && paths.find(({ length }) => length > 2);
  return [
    path && say("hint.hops", { n: path.length - 1, cell: path.at(-1) }),
    taken.length > 0 && say(glyph.removes ?? "hint.takes", { cells: list(taken) }),
    struck.size > 0 && say("hint.strikes", { cells: list(struck) }),
    groups.length > 0 && taken.length === 0 && say("hint.crowd"),
  ].filter(Boolean).join(" ");
};

/**
 * What is to be chosen after the first click.
 * @param {import("./notation.js").Clicks} clicks
 * @param {Glyph} glyph
 * @returns {string}
 */
export const nextText = (clicks, glyph) => say(clicks.wantsPiece() ? "hint.next" : glyph.goesOn ?? "hint.where");
