// Settings dialog of a game, and the keyboard shortcuts of its page. Keys of the board are in
// `board/`, keys of the move list in `moves.js`. Used by `page.js` and `game-info.js`.
import { openDialog } from "../lib/dialog.js";
import { h, toggle } from "../lib/dom.js";
import { Hint } from "../common/status-line.js";
import { cellsOf } from "../model/notation.js";
import { aheadWish } from "./premove.js";
import { iconButton, isTaken, Shortcuts } from "../lib/keyboard.js";
import { setSounds, sounds } from "../board/sound.js";
import { Typed } from "../board/keyboard-move.js";
import { lastText } from "./last-move.js";
import {
  confirmSwitch,
  isZen,
  openZen,
  setCoordinates,
  setZen,
  showsCoordinates,
} from "../lib/settings.js";
import { say } from "../lib/i18n.js";

/** @typedef {import("./page.js").Play} Play */

const GEAR = "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 5v4M9 10v4M13 15v4";

/**
 * Builds the switch for premoves. Turning it off cancels the current premove.
 * @param {Play} play
 */
const aheadSwitch = (play) =>
  toggle(say("wish.premove"), aheadWish.is(), (on) => {
    aheadWish.set(on);
    if (!on) play.premove.clear();
    play.show();
    play.prompt.say();
  });

/**
 * Opens the dialog.
 * @param {Play} play
 */
const open = (play) => {
  const dialog = openDialog(say("wish.title"), (close) => {
    const zen = toggle(
      say("wish.zen"),
      isZen(),
      (on) => {
        setZen(on);
        close();
      },
      say("wish.zenkey"),
    );
    const flip = h(
      "button",
      { type: "button", class: "btn", onclick: () => play.layout.flip() },
      say("wish.flip"),
    );
    return h(
      "div",
      { class: "ask-body" },
      h(
        "div",
        {},
        play.you && confirmSwitch(() => play.show()),
        play.you && !play.game.daysPerTurn && aheadSwitch(play),
        toggle(say("wish.sound"), sounds(), setSounds),
        toggle(say("wish.coordinates"), showsCoordinates(), setCoordinates),
        zen,
      ),
      flip,
    );
  });
  dialog.querySelector(".switch").focus();
};

/**
 * Builds the text button that opens the dialog.
 * @param {Play} play
 */
export const wishButton = (play) =>
  h("button", { type: "button", class: "btn", onclick: () => open(play) }, say("wish.title"));

/**
 * Builds the icon button for the title bar of small screens.
 * @param {Play} play
 */
export const wishIcon = (play) => iconButton("wish.title", GEAR, () => open(play));

/**
 * Whether Escape cancels pending input before it ends zen mode.
 * @param {Play} play
 */
const isOpen = ({ prompt, turn, premove }) =>
  Boolean(prompt.question || turn.isOpen() || premove.chosen.length);

/**
 * Applies the zen setting. Escape ends zen mode if there is no pending input to cancel.
 * @param {Play} play
 */
export const listenForWishes = (play) => {
  openZen();
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && !event.repeat && !isTaken(event) && !isOpen(play))
        setZen(false);
    },
    true,
  );
};

/**
 * Returns the reason why no move can be typed now, "" if typing is possible.
 * @param {Play} play
 * @returns {string}
 */
const waits = ({ game, you, turn }) => {
  if (game.end) return say("error.over");
  if (turn.sent) return say("hint.sent", { u: turn.sent.u });
  return game.turn === you ? "" : say("hint.opponent", { name: game[game.turn].name });
};

/**
 * Plays a typed move in the same way as its clicks.
 * @param {Play} play
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
  // With move confirmation, Enter on the board confirms the move.
  board.focusOn(/** @type {string} */ (cells.at(-1)));
  board.svg.focus({ preventScroll: true });
};

/**
 * Registers the letter keys. Returns the field for typed moves (null for spectators) and the help
 * button.
 * @param {Play} play
 * @returns {{ typed: Typed | null, button: HTMLElement }}
 */
export const playKeys = (play) => {
  const typed = !play.you
    ? null
    : new Typed({
        legal: () => play.turn.clicks.moves.map(({ u }) => u),
        wait: () => waits(play),
        make: (u) => make(play, u),
        leave: () => play.board.svg.focus({ preventScroll: true }),
      });
  const tell = async () => Hint.announce((await lastText(play, play.them)) || say("told.none"));
  /** @type {import("../lib/keyboard.js").Letter[]} */
  const letters = [
    [["o"], "keys.last", tell],
    [["c"], "keys.clocks", () => Hint.announce(play.clocks.spoken() || say("card.unlimited"))],
    [["f"], "keys.flip", () => play.layout.flip()],
    [["z"], "wish.zen", () => setZen(!isZen())],
  ];
  if (typed) letters.unshift([["m", "/"], "keys.type", () => typed.focus()]);
  return { typed, button: new Shortcuts(letters).button };
};
