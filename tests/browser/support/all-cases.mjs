// Tests with many similar cases run a part of them in tests/run, and all in tests/slow.
import { recordedGames } from "../../client/support/server-rules.mjs";

export const ALL_CASES = process.env.SPRONG_ALL_CASES === "1";

const isShortest = (game) =>
  recordedGames
    .filter(({ variant }) => variant === game.variant)
    .reduce((best, other) => (other.moves.length < best.moves.length ? other : best)) === game;

/**
 * Returns the pairs of rows and columns to test: all, or each row with one column, in turns.
 */
export const pairs = (rows, columns) =>
  rows.flatMap((row, at) =>
    (ALL_CASES ? columns : [columns[at % columns.length]]).map((column) => [row, column]),
  );

/** Languages whose texts must fit: all, or the one with the longest texts. */
export const languagesToFit = Object.entries({
  English: "en-GB",
  Dutch: "nl-NL",
  Swedish: "sv-SE",
}).filter(([language]) => ALL_CASES || language === "Dutch");

/**
 * Recorded games to play by clicks: one for each value of each option, or the shortest of each
 * variant.
 */
export const gamesToPlay = ALL_CASES ? recordedGames : recordedGames.filter(isShortest);
