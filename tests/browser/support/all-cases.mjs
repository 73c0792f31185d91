// Tests with many similar cases run a part of them in tests/run, and all in tests/slow.
import { recordedGames } from "../../client/support/server-rules.mjs";

export const ALL_CASES = process.env.SPRONG_ALL_CASES === "1";

const isShortest = (game) =>
  recordedGames.every(
    ({ variant, moves }) => variant !== game.variant || moves.length >= game.moves.length,
  );

/**
 * Recorded games to play by clicks: one for each value of each option, or the shortest of each
 * variant.
 */
export const gamesToPlay = ALL_CASES ? recordedGames : recordedGames.filter(isShortest);
