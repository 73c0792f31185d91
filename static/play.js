// A game: what the server tells of it, and what is asked of the server.
import { Advice } from "./advice.js";
import { Again } from "./again.js";
import { Bars } from "./bars.js";
import { Board } from "./board.js";
import { Chat } from "./chat.js";
import { Clocks } from "./clock.js";
import { Connection } from "./connection.js";
import { Course } from "./course.js";
import { DayClocks } from "./days.js";
import { Foresight } from "./foresight.js";
import { glyphOf } from "./glyphs/index.js";
import { Hint } from "./hint.js";
import { Info } from "./info.js";
import { isTaken } from "./key-owner.js";
import { Layout } from "./layout.js";
import { missing } from "./missing.js";
import { Moves } from "./moves.js";
import { partsOf } from "./notation.js";
import { Offers } from "./offers.js";
import { playKeys } from "./play-keys.js";
import { PlyLink } from "./plylink.js";
import { Premove } from "./premove.js";
import { Presence } from "./presence.js";
import { Rematch } from "./rematch.js";
import { overWords, resultText } from "./result.js";
import { Socket } from "./socket.js";
import { Told } from "./told.js";
import { Television, followed } from "./tv.js";
import { Turn } from "./turn.js";
import { listenForWishes } from "./wishes.js";
import { say, variantName } from "./words.js";

/** How long a refusal stands in the hint. */
const TOLD_MS = 2500;

/** What changes by the second is looked at so often. */
const BEAT_MS = 500;

const other = (side) => (side === "first" ? "second" : "first");

export class Play {
  /** @type {string} */ id;
  /** @type {Game} */ game;
  /** @type {Account} */ me;
  /** @type {Glyph} */ glyph;
  /** @type {string | null} */ hovered;
  /** @type {Trace | null} */ foreseen;
  /** @type {boolean} */ question;
  /** @type {number | false} */ passing;
  /** @type {Side | null} */ you;
  /** @type {Side | null} */ them;
  /** @type {boolean} */ waits;
  /** @type {boolean} */ finished;
  /** @type {number} */ telling;
  /** @type {{ hear(frame: any): unknown }} */ notices;
  /** @type {Socket} */ socket;
  /** @type {Board} */ board;
  /** @type {Foresight} */ foresight;
  /** @type {Clocks | DayClocks} */ clocks;
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
    Object.assign(this, { id, game, me, glyph: glyphOf(game.variant.key), hovered: null, foreseen: null, question: false, passing: false });
  }

  open(main) {
    const { game } = this;
    this.you = game.you;
    this.them = this.you && other(this.you);
    const connection = new Connection();
    const state = (word) => (word === "unknown" ? main.replaceChildren(missing()) : connection.told(word));
    this.socket = new Socket(`/ws/game/${this.id}`, { versioned: true, hear: (message) => this.told.hear(message), state });
    this.board = new Board(game.variant.key, {
      board: this.variant.board, label: say("game.board", { name: variantName(this.variant) }),
      click: (cell) => this.click(cell),
      hover: (cell) => {
        this.hovered = cell;
        this.foresee();
      },
    });
    this.foresight = new Foresight((preview) => {
      this.foreseen = preview;
      this.board.foresee(preview);
      this.say();
    });
    const Timer = game.daysPerTurn ? DayClocks : Clocks;
    this.clocks = new Timer({ now: () => this.socket.now(), announce: Hint.announce, mine: this.you, names: { first: game.first.name, second: game.second.name } });
    this.hint = new Hint(() => this.board.svg.focus({ preventScroll: true }));
    this.link = new PlyLink({ go: (ply) => this.course.go(Math.min(ply, this.course.end)), ply: () => this.course.ply });
    this.keys = playKeys(this);
    const list = new Moves((ply) => this.course.go(ply), this.link.button, this.keys.button);
    this.course = new Course({ setup: () => this.setup(), told: this.glyph.told, list, show: () => this.show(), wrong: (text) => this.tell(text) });
    this.turn = new Turn(this);
    this.advice = new Advice(this);
    this.premove = new Premove(this, (cell, tokens) => this.holdsOwn(cell, tokens));
    this.offers = new Offers(this, () => this.waits);
    this.presence = new Presence(this);
    this.rematch = this.you && new Rematch({ id: this.id, you: this.you, game, me: this.me, socket: () => this.socket, changed: () => this.finished && this.say(), others: () => this.hint.others });
    this.again = this.you ? null : new Again(() => this.finished && this.say());
    const channel = followed();
    this.tv = !this.you && channel ? new Television({ key: channel, id: this.id, changed: () => this.hint.meanwhile(() => this.say()) }) : null;
    this.chat = new Chat({ player: Boolean(this.you), send: (text) => this.socket.command("talk", { text }), fresh: (count) => this.layout.badge(count), go: (ply) => this.course.go(Math.min(ply, this.course.end)) });
    this.bars = new Bars(this, { give: () => this.socket.command("moretime"), again: () => this.presence.again() });
    if (this.bars.below === "second") this.board.flipped = true;
    this.info = new Info(this, () => this.layout.about());
    this.layout = new Layout(this, list, main);
    this.told = new Told(this);
    this.told.whole(game);
    if (!this.turn.isMine()) this.link.follow();
    this.listen();
    listenForWishes(this);
  }

  listen() {
    document.addEventListener("keydown", (event) => {
      // Held longer, the key that closed a dialog is not meant for the game behind it.
      if (event.key !== "Escape" || event.repeat || isTaken(event)) return;
      this.layout.about(false);
      this.clear();
    });
    setInterval(() => this.hint.meanwhile(() => this.beat()), BEAT_MS);
  }

  name(side) {
    return this.game[side].name;
  }

  /** Whether the computer of the house plays that side. */
  isComputer(side) {
    return Boolean(this.game[side]?.level);
  }

  sideName(side) {
    return say(`side.${this.game.sides[side === "first" ? 0 : 1]}`);
  }

  /** Whether somebody sits here at a running clock, and is not to be taken away. */
  isBusy() {
    return Boolean(this.you && this.game.clock && !this.game.end);
  }

  beat() {
    this.presence.draw();
    if (this.game.startBy || this.presence.opponent) this.say();
  }

  /** Says something in the hint for a moment; an open question is left to stand. */
  tell(text, ms = TOLD_MS) {
    if (this.question) return Hint.announce(text);
    this.hint.show(text);
    clearTimeout(this.telling);
    this.passing = ms;
    this.telling = setTimeout(() => this.hint.meanwhile(() => {
      this.passing = false;
      this.say();
    }), ms);
    return undefined;
  }

  /** What was said for a moment gives way to what happens; what concerns both clocks stays its time. */
  pass() {
    if (Number(this.passing) <= TOLD_MS) this.passing = false;
  }

  /** Says what another has done; whoever is about to answer something hears it, and keeps the buttons. */
  mention(text, ms) {
    if (this.question || this.turn.isOpen() || this.offers.incoming) Hint.announce(text);
    else if (!this.premove.beside(text, ms ?? TOLD_MS)) this.tell(text, ms);
  }

  /** Says no to a click. */
  refuse(cell, why) {
    this.tell(why);
    this.board.shake(cell);
  }

  /** What a question to the rules begins with. */
  setup() {
    return { variant: this.variant.key, options: this.game.options };
  }

  show() {
    const { course, turn, premove } = this;
    if (course.text() === undefined) return;
    const { cells, extras } = partsOf(course.text());
    const mine = turn.isMine();
    /** @type {Required<Pick<Shown, "chosen" | "offered" | "movable" | "also">> & { ahead?: boolean }} */
    const none = { chosen: [], offered: new Set(), movable: new Set(), also: new Set() };
    const waiting = turn.sent && course.isNow() ? { ...none, chosen: turn.sent.chosen } : premove.may() ? premove.shown(cells) : none;
    const marks = mine ? turn.shown(cells) : waiting;
    if (this.hovered && !marks.offered.has(this.hovered)) this.hovered = null;
    this.board.show({ cells, before: course.before(), side: this.you, trace: course.trace(), unsent: Boolean(turn.sent || marks.ahead), advised: course.isNow() ? this.advice.cells() : [], ...marks });
    const ahead = this.bars.counts({ cells, extras, options: this.game.options, board: this.variant.board });
    // Who has won already and only waits does not resign, but stops waiting.
    this.waits = Boolean(this.you) && ahead === this.you;
    this.foresight.stand(mine ? { ...this.setup(), start: course.text() } : null);
    this.foresee();
  }

  /** Asks what the cell pointed at would do, after what is chosen. */
  foresee() {
    const { chosen } = this.turn.clicks;
    const going = this.hovered && !chosen.includes(this.hovered) ? [this.hovered] : [];
    this.foresight.want([...chosen, ...going]);
  }

  holdsOwn(cell, tokens = this.board.tokens) {
    return this.glyph.owner(tokens.get(cell)) === this.you;
  }

  click(cell) {
    if (!this.you || this.game.end) return undefined;
    if (!this.course.isNow()) return void this.course.go(this.course.end);
    if (this.turn.sent) return undefined;
    this.question = false;
    if (this.turn.isMine()) return this.turn.click(cell);
    if (this.premove.may()) return void this.premove.click(cell);
    return this.tell(say("hint.opponent", { name: this.name(this.game.turn) }));
  }

  clear() {
    if (this.question) {
      this.question = false;
      return this.say();
    }
    return this.turn.undo() || this.premove.clear();
  }

  ask(question, does, deed) {
    this.passing = false;
    this.question = true;
    this.hint.ask(say(question), say("hint.keep"), say(does), deed, () => {
      this.question = false;
      this.say();
    });
  }

  /** Says what is to be done now, and keeps everything that says it in step. */
  say() {
    const { game } = this;
    const over = Boolean(game.end);
    const turn = over ? say("game.over") : say("game.tomove", { side: this.sideName(game.turn) });
    this.info.told(turn);
    const what = over ? resultText(game, /** @type {End} */ (game.end), this.you)[0] : this.you === game.turn ? say("hint.yours") : turn;
    document.title = `${what} · ${variantName(this.variant)} · Sprong`;
    this.offers.keep();
    this.bars.keep();
    if (!this.question && !this.passing) this.hint.show(...this.words(over));
  }

  /** What stands in the hint: a bold sentence, a plain one, buttons. */
  words(over) {
    const { game, course, offers, turn } = this;
    const going = this.tv?.words();
    if (going) return going;
    // What the player is about to answer stays; an offer waits, and is told beside it.
    if (turn.isOpen()) {
      const [bold, plain, buttons] = turn.words();
      return [bold, [offers.short(), plain].filter(Boolean).join(" "), buttons];
    }
    if (offers.incoming) return offers.asked();
    if (!course.isNow()) return [say("hint.past", { n: course.ply, of: course.end }), "", [[say("hint.tonow"), () => course.go(course.end)]]];
    if (over) return overWords(game, this.you, this.rematch ?? this.again);
    if (!this.you) return [say("game.tomove", { side: this.sideName(game.turn) }), say("hint.watch")];
    if (turn.sent) return [say("hint.sent", { u: turn.sent.u })];
    if (this.premove.chosen.length) return this.premove.words();
    // A move that is made with a button must not be hidden.
    const mine = turn.isMine();
    const made = mine && turn.clicks.buttons().length ? null : offers.made();
    return this.presence.words() ?? made ?? (mine ? turn.words() : this.premove.words());
  }
}
