// What is seen and heard when something happens in a game.
import { partsOf, tokensOf } from "./notation.js";
import { sound, soundMove } from "./sound.js";
import { timeline } from "./timeline.js";

/** A move was made by a side; `isSeen` if the board shows it. */
export const witnessMove = (play, { trace, by, isSeen }) => {
  const { board, course, glyph, you, game } = play;
  const times = isSeen ? board.animate(trace, by) : timeline(trace, glyph);
  const [before, now] = [course.end - 1, course.end].map((ply) => tokensOf(partsOf(course.text(ply)).cells));
  const turns = trace.paths.some((path) => path.length > 1 && glyph.turns?.(before.get(path[0]), now.get(path.at(-1))));
  soundMove(glyph, times, Boolean(turns));
  if (you && by !== you && game.turn === you) sound("yours", times.end + 120);
};

/** What a move did that is about to be taken back, if the board shows it; null if it is not known. */
export const aboutToGo = ({ course }, ply) => {
  const [trace, text] = [course.traces[ply + 1], course.text(ply + 1)];
  return course.isNow() && trace && text ? { trace, cells: partsOf(text).cells } : null;
};

/** That move goes back. */
export const witnessTakeback = ({ board }, gone) => {
  if (gone) board.rewind(gone.trace, gone.cells);
};

/** The game has just ended. */
export const witnessEnd = ({ board, course }, { winner }) => {
  if (winner && course.isNow()) board.wave(winner);
  sound("end", 400);
};
