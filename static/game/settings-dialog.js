// Settings dialog of a game, and the keyboard shortcuts of its page. Keys of the board are in
// `board/`, keys of the move list in `common/moves.js`. Used by `page.js` and `game-info.js`.
import { openDialog } from "../lib/dialog.js";
import { h, toggle } from "../lib/dom.js";
import { StatusLine } from "../common/status-line.js";
import { cellsOf } from "../model/notation.js";
import { Shortcuts } from "../lib/keyboard.js";
import { setSoundEnabled, isSoundEnabled } from "../board/sound.js";
import { volumeSlider } from "../common/volume-slider.js";
import { KeyboardMove } from "../board/keyboard-move.js";
import { describeLastMove } from "./move-announcement.js";
import { isZen, setZen } from "./zen.js";
import {
  chatSetting,
  confirmationSetting,
  premoveSetting,
  setCoordinates,
  showsCoordinates,
} from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("./page.js").GamePage} GamePage */

/**
 * Builds the switch for the confirmation of moves.
 * @param {GamePage} page
 */
const confirmationSwitch = (page) =>
  toggle(t("game.confirm"), confirmationSetting.get(), (on) => {
    confirmationSetting.set(on);
    page.show();
  });

/**
 * Builds the switch for premoves. Turning it off cancels the current premove.
 * @param {GamePage} page
 */
const premoveSwitch = (page) =>
  toggle(t("setting.premove"), premoveSetting.get(), (on) => {
    premoveSetting.set(on);
    if (!on) page.premove.clear();
    page.show();
    page.prompt.update();
  });

/**
 * Opens the dialog.
 * @param {GamePage} page
 */
export const openSettings = (page) => {
  const dialog = openDialog(t("setting.title"), (close) => {
    const zen = toggle(
      t("setting.zen"),
      isZen(),
      (on) => {
        setZen(on);
        close();
      },
      t("setting.zenkey"),
    );
    const flip = h(
      "button",
      { type: "button", class: "btn", onclick: () => page.layout.flip() },
      t("setting.flip"),
    );
    return h(
      "div",
      { class: "dialog-body" },
      h(
        "div",
        {},
        page.you && confirmationSwitch(page),
        page.you && !page.game.daysPerTurn && premoveSwitch(page),
        !page.layout.silent &&
          toggle(t("game.chat"), chatSetting.get(), (on) => page.chat.setEnabled(on)),
        toggle(t("setting.sound"), isSoundEnabled(), setSoundEnabled),
        volumeSlider(),
        toggle(t("setting.coordinates"), showsCoordinates(), setCoordinates),
        zen,
      ),
      flip,
    );
  });
  dialog.querySelector(".switch").focus();
};

/**
 * Builds the text button that opens the dialog.
 * @param {GamePage} page
 */
export const settingsButton = (page) =>
  h(
    "button",
    { type: "button", class: "btn", onclick: () => openSettings(page) },
    t("setting.title"),
  );

/**
 * Returns the reason why no move can be typed now, "" if typing is possible.
 * @param {GamePage} page
 * @returns {string}
 */
const blockReason = ({ game, you, moveInput }) => {
  if (game.end) return t("error.over");
  if (moveInput.sent) return t("hint.sent", { u: moveInput.sent.u });
  return game.turn === you ? "" : t("hint.opponent", { name: game[game.turn].name });
};

/**
 * Plays a typed move in the same way as its clicks.
 * @param {GamePage} page
 * @param {string} u
 */
const playTyped = async (page, u) => {
  const { moveHistory, moveInput, board } = page;
  if (!moveHistory.isLatest()) await moveHistory.go(moveHistory.latestPly);
  if (!moveInput.canMove()) return;
  page.prompt.dropQuestion();
  page.prompt.dropTransient();
  const cells = cellsOf(u);
  if (cells.length === 0) return void moveInput.send(u);
  moveInput.playChosen(u, cells);
  if (!moveInput.isInProgress()) return;
  // With move confirmation, Enter on the board confirms the move.
  board.focusOn(/** @type {string} */ (cells.at(-1)));
  board.svg.focus({ preventScroll: true });
};

/**
 * Registers the letter keys. Returns the field for typed moves (null for spectators) and the help
 * button.
 * @param {GamePage} page
 * @returns {{ typed: KeyboardMove | null, button: HTMLElement }}
 */
export const registerKeys = (page) => {
  const typed = !page.you
    ? null
    : new KeyboardMove({
        legal: () => page.moveInput.clicks.moves.map(({ u }) => u),
        blockReason: () => blockReason(page),
        make: (u) => playTyped(page, u),
        leave: () => page.board.svg.focus({ preventScroll: true }),
      });
  const announceLastMove = async () =>
    StatusLine.announce((await describeLastMove(page, page.them)) || t("description.none"));
  /** @type {import("../lib/keyboard.js").Letter[]} */
  const letters = [
    [["o"], "keys.last", announceLastMove],
    [["c"], "keys.clocks", () => StatusLine.announce(page.clocks.spoken() || t("card.unlimited"))],
    [["f"], "keys.flip", () => page.layout.flip()],
    [["z"], "setting.zen", () => setZen(!isZen())],
  ];
  if (typed) letters.unshift([["m", "/"], "keys.type", () => typed.focus()]);
  return { typed, button: new Shortcuts(letters).button };
};

/**
 * Has the header's link to the settings open the dialog, which has those of the game too: between
 * the layouts of phones and of wide windows, no other button does.
 * @param {import("./page.js").GamePage} page
 */
export const adoptSettingsLink = (page) =>
  document.addEventListener("click", (event) => {
    const { ctrlKey, metaKey, shiftKey, target } = event;
    const link = target instanceof Element && target.closest('.site-header a[href="/settings"]');
    if (!link || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    openSettings(page);
  });
