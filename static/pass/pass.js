// Entry point of games on one device (/pass-and-play/{variant}): two people take turns on one
// screen. Shows the form of a new game, or continues the game that the browser keeps. Positions and
// legal moves come from the rules core, so that the page works without a network.
import { addBusyTest } from "../common/navigation.js";
import { loadFailed } from "../common/error-page.js";
import { initHeader } from "../common/header.js";
import { MoveList } from "../common/moves.js";
import { subscribe } from "../common/notifications.js";
import { StatusLine } from "../common/status-line.js";
import { KeyboardMove } from "../board/keyboard-move.js";
import { moveText } from "../board/move-description.js";
import { parseCells, parsePosition } from "../model/notation.js";
import { h, toast } from "../lib/dom.js";
import { post, variants } from "../lib/http.js";
import { isReservedKey, Shortcuts } from "../lib/keyboard.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";
import { DeviceGame } from "./device-game.js";
import { newGameForm, openNewGame } from "./new-game.js";
import { lastVariant, onKeptElsewhere, savedGame, saveGame, turnSetting } from "./saved-games.js";

const main = document.querySelector("main");

const PATH = "/pass-and-play";

/** @typedef {import("./new-game.js").NewGame} NewGame */

/** Returns a random seed of a shuffle. */
const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** Controller of the page. */
class PassPage {
  /** @type {Catalog} */ catalog;
  /** @type {DeviceGame | null} */ game;

  /** @param {Catalog} catalog */
  constructor(catalog) {
    Object.assign(this, { catalog, game: null });
    this.typed = new KeyboardMove({
      legal: () => this.legalMoves(),
      blockReason: () => (this.legalMoves().length ? "" : t("analysis.over")),
      make: (u) => this.game?.play(u),
      leave: () => this.focusBoard(),
    });
    /** @type {import("../lib/keyboard.js").Letter[]} */
    const letters = [
      [["m", "/"], "keys.type", () => this.game && this.typed.focus()],
      [["o"], "keys.move", () => this.game && StatusLine.announce(this.lastMoveText())],
      [["f"], "keys.flip", () => this.game?.view.flip()],
    ];
    this.list = new MoveList(
      (ply) => this.game?.moveHistory.go(ply),
      new Shortcuts(letters).button,
    );
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.repeat || isReservedKey(event)) return;
      this.game?.view.closeInfo();
      this.game?.board.undo();
    });
    onKeptElsewhere(() => this.follow());
  }

  /** Returns the legal moves of the latest position. */
  legalMoves() {
    return this.game?.answer?.legal ?? [];
  }

  focusBoard() {
    this.game?.board.board.svg.focus({ preventScroll: true });
  }

  /** Describes the last move. */
  lastMoveText() {
    const { moveHistory, guidance } = /** @type {DeviceGame} */ (this.game);
    const { moves, traces, positions, latestPly } = moveHistory;
    const before = positions[latestPly - 1];
    if (!latestPly) return t("description.none");
    return moveText(
      moves[latestPly - 1],
      traces[latestPly],
      guidance,
      before ? parseCells(parsePosition(before).cells) : null,
    );
  }

  /**
   * Continues the game of a variant, or shows the form of a new one.
   * @param {string | undefined} key
   */
  async open(key) {
    const variant = key ? this.catalog.get(key) : undefined;
    const saved = variant ? savedGame(variant.key) : null;
    if (!variant || !saved) return this.showForm({ variant });
    try {
      await this.openGame(variant, saved);
    } catch (refused) {
      const { isTransient, message } = /** @type {import("../lib/http.js").ApiError} */ (refused);
      if (isTransient) throw refused;
      // The rules do not allow the stored moves.
      saveGame(variant.key, null);
      toast(message);
      this.showForm({ variant });
    }
    return undefined;
  }

  /** @param {Partial<NewGame>} last */
  showForm(last) {
    document.title = `${t("pass.title")} · Sprong`;
    main.replaceChildren(
      h(
        "section",
        { class: "card pass-start" },
        h("h1", {}, t("pass.title")),
        newGameForm(
          this.catalog,
          last,
          (game) => this.start(game),
          h("p", { class: "soft" }, t("pass.lead")),
        ),
      ),
    );
  }

  /**
   * Starts a game; it replaces that of the same variant.
   * @param {NewGame} game
   */
  async start({ variant, options, first, second }) {
    const seed = variant.chance ? randomSeed() : null;
    const { position } = await post("/api/position", {
      variant: variant.key,
      options,
      ...(seed !== null && { seed }),
    });
    const saved = { options, start: position, seed, moves: "", first, second };
    await this.openGame(variant, saved, true);
    history.replaceState(history.state, "", `${PATH}/${variant.key}`);
    this.focusBoard();
  }

  /**
   * Shows a game, and keeps it as the one played last.
   * @param {Variant} variant
   * @param {import("./saved-games.js").SavedGame} saved
   * @param {boolean} [isNew]  whether it replaces the kept game of the variant
   */
  async openGame(variant, saved, isNew = false) {
    const game = new DeviceGame(variant, saved, {
      list: this.list,
      typed: this.typed,
      newGame: () => this.openForm(),
      playAgain: () => this.start({ variant, ...saved, first: saved.second, second: saved.first }),
      onOutdated: () => this.follow(),
    });
    await game.load();
    this.game?.close();
    this.game = game;
    game.view.open(main);
    if (isNew || !game.isOutdated()) saveGame(variant.key, saved);
    else await this.follow();
  }

  /** Shows the game that another tab has kept, with the same side of the board at the bottom. */
  async follow() {
    const { game } = this;
    if (!game || game.isSending || !game.isOutdated()) return undefined;
    const { bottomSide } = game.view;
    const hadFocus = game.board.board.svg.contains(document.activeElement);
    try {
      await this.open(game.variant.key);
    } catch (refused) {
      // The next move, or the next change in another tab, repeats the attempt.
      return toast(/** @type {Error} */ (refused).message);
    }
    const { view } = /** @type {DeviceGame} */ (this.game);
    if (!turnSetting.get() && view.bottomSide !== bottomSide) view.flip();
    if (hadFocus) this.focusBoard();
    return undefined;
  }

  /** Opens the form of a new game during a game. */
  openForm() {
    const game = /** @type {DeviceGame} */ (this.game);
    openNewGame(
      this.catalog,
      { variant: game.variant, ...game.saved },
      { isPlaying: game.isPlaying(), start: (next) => this.start(next) },
    );
  }
}

/** @type {PassPage | null} */
let page = null;

initHeader(PATH);
// During a game, the start of another game does not navigate away from the page.
addBusyTest(() => Boolean(page?.game?.isPlaying()));
subscribe();
variants()
  .then((catalog) => {
    page = new PassPage(catalog);
    return page.open(decodeURIComponent(location.pathname.split("/")[2] ?? "") || lastVariant());
  })
  .catch((refused) => main.replaceChildren(loadFailed(refused)));
