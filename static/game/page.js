// Page of a game: creates its components and connects them to the board and the socket. `Play`
// holds the state that the components share: `game` is the latest state from the server, `you` the
// side of the viewer (null for spectators). After a change, components call `show()` to redraw the
// board and `prompt.say()` to update the status line. Created by `room.js`.
import { Advice } from "./hint.js";
import { Bars, Clocks } from "./player-bars.js";
import { Board } from "../board/board.js";
import { Chat } from "./chat.js";
import { Connection } from "../common/connection-banner.js";
import { Course } from "./move-history.js";
import { Foresight } from "../board/move-preview.js";
import { glyphOf } from "../variants/index.js";
import { Hint } from "../common/status-line.js";
import { Info } from "./game-info.js";
import { Layout } from "./layout.js";
import { missing } from "../common/error-page.js";
import { Moves, PlyLink } from "./moves.js";
import { partsOf } from "../model/notation.js";
import { Offers } from "./offers.js";
import { Premove } from "./premove.js";
import { Presence } from "./absence.js";
import { Prompt } from "./status-prompt.js";
import { Rematch } from "./rematch.js";
import { isTaken } from "../lib/keyboard.js";
import { Socket } from "../lib/socket.js";
import { DayClocks } from "../lib/format-time.js";
import { Told } from "./message-handler.js";
import { Turn } from "./move-input.js";
import { Again, followed, Television } from "./tv.js";
import { listenForWishes, playKeys } from "./settings-dialog.js";
import { say, sideName, variantName } from "../lib/i18n.js";

/** Refresh interval of texts that contain seconds. */
const BEAT_MS = 500;

/** @type {(side: Side) => Side} */
const other = (side) => (side === "first" ? "second" : "first");

/**
 * Marks on the board that depend on the clicks of the player.
 * @typedef {Pick<Shown, "ahead"> & Required<Pick<Shown, "chosen" | "offered" | "movable" | "also">>
 * } InputMarks
 */

/** Page of one game, for a player or a spectator. */
export class Play {
  /** @type {string} */ id;
  /** @type {Game} */ game;
  /** @type {Account} */ me;
  /** @type {Glyph} */ glyph;
  /** @type {Side | null} */ you;
  /** @type {Side | null} */ them;
  /** @type {boolean} */ waits;
  /** @type {boolean} */ finished;
  /** @type {{ hear(frame: Frame): unknown }} */ notices;
  /** @type {Socket} */ socket;
  /** @type {Board} */ board;
  /** @type {Foresight} */ foresight;
  /** @type {Clocks | DayClocks} */ clocks;
  /** @type {Prompt} */ prompt;
  /** @type {Hint} */ hint;
  /** @type {PlyLink} */ link;
  /** @type {Course} */ course;
  /** @type {Turn} */ turn;
  /** @type {Advice} */ advice;
  /** @type {Premove} */ premove;
  /** @type {Offers} */ offers;
  /** @type {Presence} */ presence;
  /** @type {Rematch | null} */ rematch;
  /** @type {Again | null} */ again;
  /** @type {Television | null} */ tv;
  /** @type {Chat} */ chat;
  /** @type {Bars} */ bars;
  /** @type {Info} */ info;
  /** @type {ReturnType<typeof playKeys>} */ keys;
  /** @type {Layout} */ layout;
  /** @type {Told} */ told;

  /**
   * @param {string} id
   * @param {Game} game
   * @param {Catalogue} catalogue
   * @param {Account} me
   */
  constructor(id, game, catalogue, me) {
    this.variant = catalogue.get(game.variant.key);
    Object.assign(this, { id, game, me, glyph: glyphOf(game.variant.key) });
  }

  /**
   * Creates the components, fills `main` and connects to the server.
   * @param {HTMLElement} main
   */
  open(main) {
    const { game } = this;
    this.you = game.you;
    this.them = this.you && other(this.you);
    const connection = new Connection();
    /** @type {(word: string) => unknown} */
    const state = (word) =>
      word === "unknown" ? main.replaceChildren(missing()) : connection.told(word);
    this.socket = new Socket(`/ws/game/${this.id}`, {
      versioned: true,
      hear: (message) => this.told.hear(message),
      state,
    });
    this.board = new Board(game.variant.key, {
      board: this.variant.board,
      label: say("game.board", { name: variantName(this.variant) }),
      click: (cell) => this.click(cell),
      hover: (cell) => this.foresight.point(cell),
      astray: () => this.prompt.tell(say("hint.illegal")),
    });
    this.foresight = new Foresight((preview) => {
      this.board.foresee(preview);
      this.prompt.say();
    });
    const Timer = game.daysPerTurn ? DayClocks : Clocks;
    this.clocks = new Timer({
      now: () => this.socket.now(),
      announce: Hint.announce,
      mine: this.you,
      names: { first: game.first.name, second: game.second.name },
    });
    this.prompt = new Prompt(this);
    this.hint = new Hint(() => this.board.svg.focus({ preventScroll: true }));
    this.link = new PlyLink({
      go: (ply) => this.course.go(Math.min(ply, this.course.end)),
      ply: () => this.course.ply,
    });
    this.keys = playKeys(this);
    const list = new Moves((ply) => this.course.go(ply), this.link.button, this.keys.button);
    this.course = new Course({
      setup: () => this.setup(),
      told: this.glyph.told,
      list,
      show: () => this.show(),
      wrong: (text) => this.prompt.tell(text),
    });
    this.turn = new Turn(this);
    this.advice = new Advice(this);
    this.premove = new Premove(this, (cell, tokens) => this.holdsOwn(cell, tokens));
    this.offers = new Offers(this, () => this.waits);
    this.presence = new Presence(this);
    this.rematch =
      this.you &&
      new Rematch({
        id: this.id,
        you: this.you,
        game,
        variant: this.variant,
        me: this.me,
        socket: () => this.socket,
        changed: () => this.finished && this.prompt.say(),
        others: () => this.hint.others,
      });
    this.again = this.you ? null : new Again(() => this.finished && this.prompt.say());
    const channel = followed();
    this.tv =
      !this.you && channel
        ? new Television({
            key: channel,
            id: this.id,
            changed: () => this.hint.meanwhile(() => this.prompt.say()),
          })
        : null;
    this.chat = new Chat({
      player: Boolean(this.you),
      send: (text) => this.socket.command("talk", { text }),
      fresh: (count) => this.layout.badge(count),
      go: (ply) => this.course.go(Math.min(ply, this.course.end)),
    });
    this.bars = new Bars(this, {
      give: () => this.socket.command("moretime"),
      again: () => this.presence.again(),
    });
    if (this.bars.below === "second") this.board.flipped = true;
    this.info = new Info(this, () => this.layout.about());
    this.layout = new Layout(this, list, main);
    this.told = new Told(this);
    this.told.whole(game);
    if (!this.turn.isMine()) this.link.follow();
    this.listen();
    listenForWishes(this);
  }

  /** Registers the Escape key and starts the refresh timer. */
  listen() {
    document.addEventListener("keydown", (event) => {
      // A repeat of the key press that closed a dialog must not clear the input of the game.
      if (event.key !== "Escape" || event.repeat || isTaken(event)) return;
      this.layout.about(false);
      this.clear();
    });
    setInterval(() => this.hint.meanwhile(() => this.prompt.beat()), BEAT_MS);
  }

  /**
   * Returns the name of a player. Callers pass null only through `them`, and only for players, who
   * always have an opponent.
   * @param {Side | null} side
   */
  name(side) {
    return this.game[/** @type {Side} */ (side)].name;
  }

  /**
   * Whether a built-in computer player has this side; false for null.
   * @param {Side | null} side
   */
  isComputer(side) {
    return Boolean(this.game[/** @type {Side} */ (side)]?.level);
  }

  /** @param {Side} side */
  sideName(side) {
    return sideName(this.game, side);
  }

  /** Whether the viewer plays a game with a clock and must not be redirected to another game. */
  isBusy() {
    return Boolean(this.you && this.game.clock && !this.game.end);
  }

  /** Returns the fields common to all requests to `/api/position`. */
  setup() {
    return { variant: this.variant.key, options: this.game.options };
  }

  /** Redraws the board, the counts and the move preview. */
  show() {
    const { course, turn, premove } = this;
    if (course.text() === undefined) return;
    const { cells, extras } = partsOf(course.text());
    const mine = turn.isMine();
    /** @type {InputMarks} */
    const none = { chosen: [], offered: new Set(), movable: new Set(), also: new Set() };
    /** @type {InputMarks} */
    const waiting =
      turn.sent && course.isNow()
        ? { ...none, chosen: turn.sent.chosen }
        : premove.may()
          ? premove.shown(cells)
          : none;
    /** @type {InputMarks} */
    const marks = mine ? turn.shown(cells) : waiting;
    this.board.show({
      cells,
      before: course.before(),
      side: this.you,
      trace: course.trace(),
      unsent: Boolean(turn.sent || marks.ahead),
      advised: course.isNow() ? this.advice.cells() : [],
      ...marks,
    });
    const ahead = this.bars.counts({
      cells,
      extras,
      options: this.game.options,
      board: this.variant.board,
    });
    // In Hogga, a player who has already won ends the game with the points so far, without a loss.
    this.waits = Boolean(this.you) && ahead === this.you;
    this.foresight.stand(
      mine ? { ...this.setup(), start: course.text() } : null,
      turn.clicks.chosen,
      marks.offered,
    );
  }

  /**
   * Whether a cell holds a piece of the viewer.
   * @param {string} cell
   * @param {Tokens} [tokens] default: the position on the board
   */
  holdsOwn(cell, tokens = this.board.tokens) {
    return this.glyph.owner(tokens.get(cell)) === this.you;
  }

  /**
   * Handles a click on a cell: returns to the latest position, continues the move or the premove,
   * or rejects the click.
   * @param {string} cell
   */
  click(cell) {
    if (!this.you || this.game.end) return undefined;
    if (!this.course.isNow()) return void this.course.go(this.course.end);
    if (this.turn.sent) return undefined;
    this.prompt.question = false;
    if (this.turn.isMine()) return this.turn.click(cell);
    if (this.premove.may()) return void this.premove.click(cell);
    return this.prompt.tell(say("hint.opponent", { name: this.name(this.game.turn) }));
  }

  /** Cancels the innermost pending input: an open question, one click or the premove. */
  clear() {
    return this.prompt.drop() || this.turn.undo() || this.premove.clear();
  }
}
