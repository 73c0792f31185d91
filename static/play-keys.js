// What the keyboard does on the page of a game, besides the keys of the board and of the moves.
import { Hint } from "./hint.js";
import { cellsOf } from "./notation.js";
import { Shortcuts } from "./shortcuts.js";
import { lastText } from "./spoken.js";
import { Typed } from "./typed.js";
import { say } from "./words.js";
import { isZen, setZen } from "./zen.js";

/**
 * Why no move can be typed now; "" if one can.
 * @param {import("./play.js").Play} play
 * @returns {string}
 */
const waits = ({ game, you, turn }) => {
  if (game.end) return say("error.over");
  if (turn.sent) return say("hint.sent", { u: turn.sent.u });
  return game.turn === you ? "" : say("hint.opponent", { name: game[game.turn].name });
};

/**
 * Makes a typed move by the road of the clicks.
 * @param {import("./play.js").Play} play
 * @param {string} u
 */
const make = async (play, u) => {
  const { course, turn, board } = play;
  if (!course.isNow()) await course.go(course.end);
  if (!turn.isMine()) return;
  play.prompt.question = false;
  play.prompt.passing = false;
  const cells = cellsOf(u);
  if (cells.length === 0) return void turn.send(u);
  turn.ahead(u, cells);
  if (!turn.isOpen()) return;
  // It waits for a last yes, which is given on the board.
  board.focusOn(cells.at(-1));
  board.svg.focus({ preventScroll: true });
};

/**
 * The field for typed moves (null for those who watch), and the button of the help; the keys that are letters work from now on.
 * @param {import("./play.js").Play} play
 * @returns {{ typed: Typed | null, button: HTMLElement }}
 */
export const playKeys = (play) => {
  const typed = !play.you ? null : new Typed({
    legal: () => play.turn.clicks.moves.map(({ u }) => u), wait: () => waits(play), make: (u) => make(play, u),
    leave: () => play.board.svg.focus({ preventScroll: true }),
  });
  const tell = async () => Hint.announce((await lastText(play, play.them)) || say("told.none"));
  /** @type {import("./shortcuts.js").Letter[]} */
  const letters = [
    [["o"], "keys.last", tell], [["c"], "keys.clocks", () => Hint.announce(play.clocks.spoken() || say("card.unlimited"))],
    [["f"], "keys.flip", () => play.layout.flip()], [["z"], "wish.zen", () => setZen(!isZen())],
  ];
  if (typed) letters.unshift([["m", "/"], "keys.type", () => typed.focus()]);
  return { typed, button: new Shortcuts(letters).button };
};
