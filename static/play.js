// A game: what the server tells of it, and what is asked of the server.
import { get, post } from "./api.js";
import { Board, ratioOf } from "./board.js";
import { Chat } from "./chat.js";
import { Clocks } from "./clock.js";
import { Connection } from "./connection.js";
import { DayClocks } from "./days.js";
import { h, line } from "./dom.js";
import { Foresight } from "./foresight.js";
import { glyphOf, icon } from "./glyphs/index.js";
import { Hint, startText } from "./hint.js";
import { Moves } from "./moves.js";
import { Clicks, partsOf, tokensOf } from "./notation.js";
import { missing } from "./missing.js";
import { Rematch } from "./rematch.js";
import { overWords, resultCard, resultText } from "./result.js";
import { shuffleNote } from "./shuffle.js";
import { Socket } from "./socket.js";
import { timeText } from "./terms.js";
import { rulesPath } from "./top.js";
import { knows, say, variantName } from "./words.js";

/** How long a refusal stands in the hint. */
const TOLD_MS = 2500;

const other = (side) => (side === "first" ? "second" : "first");

export class Play {
  constructor(id, game, catalogue, me) {
    this.variant = catalogue.get(game.variant.key);
    Object.assign(this, { id, game, me, glyph: glyphOf(game.variant.key), texts: [], traces: [], hovered: null, foreseen: null, ply: 0, moves: [], clicks: new Clicks([]), sent: null, question: false });
  }

  open(main) {
    const { game } = this;
    this.you = game.you;
    const connection = new Connection();
    this.socket = new Socket(`/ws/game/${this.id}`, { versioned: true, hear: (message) => this.hear(message), state: (word) => (word === "unknown" ? main.replaceChildren(missing()) : connection.told(word)) });
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
    this.hint = new Hint();
    this.rematch = this.you && new Rematch({ id: this.id, you: this.you, game, me: this.me, socket: () => this.socket, changed: () => this.finished && this.say() });
    this.list = new Moves((ply) => this.go(ply));
    this.chat = new Chat({ player: Boolean(this.you), send: (text) => this.socket.command("talk", { text }), fresh: (count) => this.badge(count) });
    this.below = this.you ?? "first";
    if (this.below === "second") this.board.flipped = true;
    document.body.classList.add("play");
    document.querySelector("header.top").append(this.title());
    main.className = "game";
    main.style.setProperty("--ratio", ratioOf(this.variant.board));
    this.panel = h("section", { class: "card panel" }, this.list.list, this.list.steps, this.hint.element, this.acts());
    this.bars = { first: this.bar("first"), second: this.bar("second") };
    this.left = h("div", { class: "left" }, this.info(), this.chat.element);
    main.replaceChildren(this.left, h("div", { class: "mid" }, h("div", { class: "board" }, this.board.svg)),
      h("div", { class: "right" }, this.bars[other(this.below)], this.panel, this.bars[this.below]));
    this.seat();
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select")) return;
      if (event.key === "Escape") {
        this.left.classList.remove("about");
        this.clear();
      }
      if (event.key === "c" && !event.ctrlKey && !event.metaKey && !event.altKey) Hint.announce(this.clocks.spoken());
    });
    this.board.drawCoords();
    this.whole(game);
    setInterval(() => this.game.startBy && this.say(), 1000);
  }

  info() {
    this.status = h("span", { class: "chip" });
    this.crowd = h("p", { class: "watching small soft num" });
    const tagline = `tagline.${this.variant.key}`;
    const options = this.variant.options.filter(({ key, default: usual }) => this.game.options[key] !== usual)
      .map(({ key }) => h("span", { class: "chip" }, `${say(`option.${key}`)} ${say(`option.${key}.${this.game.options[key]}`)}`));
    return h("section", { class: "card info" }, h("h1", {}, variantName(this.variant)), knows(tagline) && h("p", { class: "small soft" }, say(tagline)), h("p", { class: "small" }, h("a", { href: rulesPath(this.variant.key, this.id) }, say("rules.title"))),
      h("div", { class: "chips num" }, h("span", { class: "chip" }, this.timeText()), h("span", { class: "chip" }, this.ratedText()), ...options, this.status), this.sealed(), this.crowd);
  }

  /** What was promised of the shuffle; at the end, whether it was kept. */
  sealed() {
    const { shuffle, initialFen } = this.game;
    this.shuffleNote = shuffle && shuffleNote(shuffle, this.setup(), initialFen);
    return this.shuffleNote;
  }

  timeText() {
    return timeText(this.game.timeControl);
  }

  ratedText() {
    return say(this.game.rated ? "card.rated" : "card.casual");
  }

  title() {
    this.subtitle = h("small", { class: "num" });
    const back = h("a", { class: "icon", href: "/", "aria-label": say("nav.back") }, line("M14 6l-6 6 6 6"));
    const rules = h("a", { class: "icon", href: rulesPath(this.variant.key, this.id), "aria-label": say("rules.title"), title: say("rules.title") }, line("M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z"));
    const about = h("button", { type: "button", class: "about", onclick: () => this.left.classList.toggle("about") }, variantName(this.variant), this.subtitle);
    return h("div", { class: "title" }, back, about, rules);
  }

  bar(side) {
    const { name, rating, provisional, guest } = this.game[side];
    const shown = guest ? null : h("small", { class: "num" }, `${rating}${provisional ? "?" : ""}`);
    return h("section", { class: "card bar", "aria-label": `${name}, ${this.sideName(side)}` }, h("span", { class: "glyph" }, icon(this.variant.key, side)),
      h("div", {}, h("div", { class: "name", title: name }, h("span", {}, name)), h("div", { class: "line" }, shown, h("div", { class: "count num" }, h("span", { class: "slots", "aria-hidden": "true" }), h("span", {})))), this.clocks.elements[side]);
  }

  sideName(side) {
    return say(`side.${this.game.sides[side === "first" ? 0 : 1]}`);
  }

  acts() {
    const act = (key, d, deed, className) => h("button", { type: "button", class: className, onclick: deed }, line(d), say(key));
    this.drawKey = act("game.draw", "M4 9h16M4 15h16", () => this.askDraw());
    this.resignKey = act("game.resign", "M6 21V4h11l-2 4 2 4H6", () => this.askResign());
    this.abortKey = act("game.abort", "M6 6l12 12M18 6L6 18", () => this.askAbort());
    this.chatKey = act("game.chat", "M4 5h16v11H10l-5 4v-4H4z", () => this.chat.toggle(), "chat-key");
    const flip = act("game.flip", "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4", () => this.flip());
    return h("div", { class: "acts" }, this.you && this.drawKey, this.you && this.resignKey, this.you && this.abortKey, flip, this.chatKey);
  }

  badge(count) {
    this.chatKey.classList.toggle("badge", count > 0);
    this.chatKey.dataset.new = count;
  }

  flip() {
    this.below = other(this.below);
    this.board.flip();
    this.panel.before(this.bars[other(this.below)]);
    this.panel.after(this.bars[this.below]);
    this.seat();
  }

  /** On a phone the bars stand above and below the board by their class. */
  seat() {
    for (const side of ["first", "second"]) {
      this.bars[side].classList.toggle("own", side === this.below);
      this.bars[side].classList.toggle("opp", side !== this.below);
    }
  }

  /** Whether somebody sits here at a running clock, and is not to be taken away. */
  isBusy() {
    return Boolean(this.you && this.game.clock && !this.game.end);
  }

  hear({ t, d }) {
    const told = { full: this.whole, move: this.moved, draw: this.drawn, clock: this.clocked, chat: (said) => this.chat.add(said), end: this.ended, ack: this.acked, refused: this.refused, crowd: ({ n }) => this.crowded(n) };
    if (told[t]) return told[t].call(this, d);
    // What is not of this game is somebody else's to tell.
    return this.rematch?.hear({ t, d }) || this.notices?.hear({ t, d });
  }

  whole(game) {
    // A connection that comes back changes nothing that is being looked at or chosen.
    const past = this.isNow() ? null : this.ply;
    const { chosen } = this.clicks;
    const same = this.moves.join(" ") === game.state.moves;
    this.game = game;
    this.socket.v = game.v;
    this.moves = game.state.moves ? game.state.moves.split(" ") : [];
    this.texts = [game.initialFen];
    this.traces = [];
    this.texts[this.moves.length] = game.position;
    this.traces[this.moves.length] = game.last;
    if (this.sent && this.sent.ply < this.moves.length) this.sent = null;
    this.clicks = new Clicks(game.legal ?? [], (cell) => this.holdsOwn(cell));
    if (same && game.legal) this.clicks.chosen = chosen;
    this.list.set(this.moves);
    this.chat.set(game.chat);
    this.clocks.set(game.clocks, game);
    this.crowded(game.crowd);
    this.go(past ?? this.moves.length);
    if (this.glyph.told && this.moves.length) this.fetchTexts().catch(() => {});
    if (game.end && !this.finished) this.finish(game.end);
    if (game.end) this.rematch?.look().catch(() => {});
  }

  async moved({ u, ply, by, trace, cells, extras, turn, clock, legal, abortable, startBy, dueBy }) {
    const { game } = this;
    const following = this.ply === this.moves.length;
    const before = partsOf(game.position).cells;
    game.position = [cells, turn === "first" ? 1 : 2, extras].filter((part) => part !== "").join(" ");
    Object.assign(game, { turn, abortable, startBy, dueBy });
    if (game.draw && game.draw !== by) game.draw = null;
    this.moves.push(u);
    this.texts[ply] = game.position;
    this.traces[ply] = trace;
    this.list.add(this.glyph.told?.(u, before, trace) ?? u);
    this.clocks.set(clock, game);
    this.sent = null;
    this.question = false;
    this.told = false;
    this.clicks = new Clicks(legal ?? [], (cell) => this.holdsOwn(cell));
    if (by !== this.you) Hint.announce(say("hint.moved", { name: game[by].name, u }));
    if (!following) return this.say();
    this.go(ply);
    this.board.animate(trace);
    return undefined;
  }

  drawn({ by }) {
    this.game.draw = by;
    this.told = false;
    this.say();
  }

  clocked({ clocks }) {
    this.clocks.set(clocks, this.game);
  }

  ended(end) {
    this.game.end = end;
    const note = this.shuffleNote;
    this.game.shuffle = end.shuffle ?? this.game.shuffle;
    note?.replaceWith(this.sealed());
    this.game.draw = null;
    this.game.startBy = null;
    this.sent = null;
    this.told = false;
    this.question = false;
    this.clicks = new Clicks([]);
    this.clocks.set(end.clock, this.game);
    this.finish(end);
    this.show();
  }

  finish(end) {
    this.finished = true;
    this.panel.querySelector(".result")?.remove();
    const card = resultCard(this.game, end, this.you, this.rematch?.element, () => card.remove());
    this.panel.append(card);
    Hint.announce(resultText(this.game, end, this.you).join(". "));
  }

  crowded(n) {
    this.game.crowd = n;
    this.crowd.textContent = say("live.watching", { n });
  }

  acked() {}

  refused(answer) {
    const { cid, reason, error } = answer;
    if (this.rematch?.refused(answer)) return;
    if (this.sent?.cid === cid) {
      this.sent = null;
      this.clicks.chosen = [];
      this.show();
    }
    this.tell(knows(`error.${reason}`) ? say(`error.${reason}`) : error);
  }

  /** Says something in the hint for a moment. */
  tell(text) {
    this.hint.show(text);
    clearTimeout(this.telling);
    this.told = true;
    this.telling = setTimeout(() => {
      this.told = false;
      this.say();
    }, TOLD_MS);
  }

  /** Shows the position after that many plies. */
  async go(ply) {
    this.wanted = ply;
    if (this.texts[ply] !== undefined) this.stand(ply);
    if (this.texts[ply] !== undefined && (ply === 0 || this.texts[ply - 1] !== undefined)) return undefined;
    // What stood before tells what the last move did; it may have to be asked for.
    try {
      await this.fetchTexts();
    } catch (refused) {
      return this.texts[ply] === undefined ? this.tell(refused.message) : undefined;
    }
    return this.wanted === ply && this.stand(ply);
  }

  stand(ply) {
    this.ply = ply;
    this.list.mark(ply);
    this.show();
  }

  async fetchTexts() {
    const moves = [...this.moves];
    const { replay } = await post("/api/position", { ...this.setup(), start: this.game.initialFen, moves, replay: true });
    replay.forEach(({ position, trace }, at) => {
      this.texts[at + 1] ??= position;
      this.traces[at + 1] ??= trace;
    });
    if (!this.glyph.told) return;
    this.list.set(this.moves.map((u, ply) => this.glyph.told(u, partsOf(this.texts[ply]).cells, this.traces[ply + 1])));
    this.list.mark(this.ply);
  }

  /** What a question to the rules begins with. */
  setup() {
    return { variant: this.variant.key, options: this.game.options };
  }

  isNow() {
    return this.ply === this.moves.length;
  }

  isMine() {
    return this.isNow() && !this.game.end && this.you === this.game.turn && !this.sent;
  }

  show() {
    const { cells, extras } = partsOf(this.texts[this.ply]);
    const before = this.ply > 0 && this.texts[this.ply - 1] ? partsOf(this.texts[this.ply - 1]).cells : null;
    const mine = this.isMine();
    const chosen = this.sent && this.isNow() ? this.sent.chosen : mine ? this.clicks.chosen : [];
    const [offered, movable, also] = mine ? this.offers(cells) : [new Set(), new Set(), new Set()];
    if (this.hovered && !offered.has(this.hovered)) this.hovered = null;
    this.board.show({ cells, before, side: this.you, trace: this.traces[this.ply], chosen, offered, movable, also, unsent: Boolean(this.sent) });
    this.counts({ cells, extras, options: this.game.options, board: this.variant.board });
    this.foresight.stand(mine ? { ...this.setup(), start: this.texts[this.ply] } : null);
    this.foresee();
  }

  /** Asks what the cell pointed at would do, after what is chosen. */
  foresee() {
    const going = this.hovered && !this.clicks.chosen.includes(this.hovered) ? [this.hovered] : [];
    this.foresight.want([...this.clicks.chosen, ...going]);
  }

  /** What each side has of the game's own. */
  counts(shown) {
    const { phrase, values, of, slots = 0, others = false, more } = this.glyph.count(shown);
    // Who has won already and only waits does not resign, but stops waiting.
    this.waits = Boolean(this.you) && more?.at === (this.you === "first" ? 0 : 1);
    this.resignKey.lastChild.textContent = say(this.waits ? "game.stop" : "game.resign");
    ["first", "second"].forEach((side, at) => {
      const [drawn, text] = this.bars[side].querySelector(".count").children;
      const also = more?.at === at ? ` · ${say(more.phrase, { n: more.n })}` : "";
      text.textContent = say(phrase, { n: values[at], of }) + also;
      text.classList.toggle("unseen", slots > 0);
      drawn.replaceChildren(...Array.from({ length: slots }, (_, slot) => h("i", { class: slot < values[at] ? "full" : undefined })));
      drawn.dataset.side = this.game.sides[others ? 1 - at : at];
    });
  }

  /** The cells offered now, and those with which a move could begin. A first cell that holds no own piece is itself where one goes. */
  offers(cells) {
    const tokens = tokensOf(cells);
    const own = (cell) => this.glyph.owner(tokens.get(cell)) === this.you;
    const first = this.clicks.first();
    const movable = new Set([...first].filter(own));
    if (this.clicks.chosen.length) return [this.clicks.next(), movable, this.clicks.also()];
    return [new Set([...first].filter((cell) => !own(cell))), movable, new Set()];
  }

  holdsOwn(cell) {
    return this.glyph.owner(this.board.tokens.get(cell)) === this.you;
  }

  click(cell) {
    if (!this.you || this.game.end) return;
    if (!this.isNow()) return void this.go(this.moves.length);
    if (this.sent) return;
    if (!this.isMine()) return this.tell(say("hint.opponent", { name: this.game[this.game.turn].name }));
    this.question = false;
    const came = this.clicks.click(cell);
    if (came === "move") return this.send(this.clicks.complete());
    if (came === "illegal") {
      this.tell(say(this.clicks.chosen.length ? "hint.illegal" : "hint.nomove"));
      return this.board.shake(cell);
    }
    this.told = false;
    this.show();
  }

  clear() {
    if (this.question) {
      this.question = false;
      return this.say();
    }
    if (!this.isMine() || this.clicks.chosen.length === 0) return undefined;
    this.clicks.undo();
    return this.show();
  }

  send(u) {
    const ply = this.moves.length;
    const chosen = [...this.clicks.chosen];
    this.sent = { u, ply, chosen, cid: this.socket.command("move", { u, ply }) };
    this.show();
  }

  askResign() {
    if (this.game.end) return;
    const [question, does] = this.waits ? ["hint.stop", "hint.dostop"] : ["hint.resign", "hint.doresign"];
    this.ask(question, does, () => this.socket.command("resign"));
  }

  askAbort() {
    if (this.game.abortable && !this.game.end) this.ask("hint.abort", "hint.doabort", () => this.socket.command("abort"));
  }

  askDraw() {
    if (this.game.end || this.game.draw === this.you) return;
    if (this.game.abortable) return void this.tell(say("game.notyet"));
    this.ask("hint.offerdraw", "hint.dooffer", () => this.socket.command("draw", { answer: "yes" }));
  }

  ask(question, does, deed) {
    this.told = false;
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
    this.status.textContent = turn;
    this.subtitle.textContent = [this.timeText(), this.ratedText(), turn].join(" · ");
    const yours = !over && this.you === game.turn;
    const what = over ? resultText(game, game.end, this.you)[0] : yours ? say("hint.yours") : turn;
    document.title = `${what} · ${variantName(this.variant)} · Sprong`;
    this.abortKey.hidden = !game.abortable || over;
    this.resignKey.hidden = game.abortable && !over;
    for (const key of [this.drawKey, this.resignKey]) key.setAttribute("aria-disabled", String(over || (key === this.drawKey && game.abortable)));
    if (!this.question && !this.told) this.hint.show(...this.words(over, yours));
  }

  /** What stands in the hint: a bold sentence, a plain one, buttons. */
  words(over, yours) {
    const { game } = this;
    if (!this.isNow()) return [say("hint.past", { n: this.ply, of: this.moves.length }), "", [[say("hint.tonow"), () => this.go(this.moves.length)]]];
    if (over) return overWords(game, this.you, this.rematch);
    const start = game.startBy ? startText(game.startBy - this.socket.now()) : "";
    if (!this.you) return [say("game.tomove", { side: this.sideName(game.turn) }), say("hint.watch")];
    if (this.sent) return [say("hint.sent", { u: this.sent.u })];
    if (game.draw) return this.offerWords(game.draw);
    if (!yours) return [say("hint.theirs", { name: game[game.turn].name })];
    const { chosen } = this.clicks;
    const effect = this.effect();
    if (!chosen.length) {
      const buttons = this.clicks.buttons().map((u) => [say(`button.${u}`), () => this.send(u), "main"]);
      const asked = this.glyph.asks?.({ ...partsOf(this.texts[this.ply]), side: this.you });
      const what = asked ?? say(this.clicks.first().size === 0 ? `hint.only.${this.clicks.buttons()[0]}` : this.board.shown.offered?.size ? "hint.where" : "hint.choose");
      return [say("hint.yours"), [effect || what, start].filter(Boolean).join(" "), buttons];
    }
    const complete = this.clicks.complete();
    const clear = [say("hint.clear"), () => { this.clicks.chosen = []; this.show(); }];
    if (complete) return [say(this.glyph.leave ?? "hint.leavewhy"), effect, [[say("hint.leave", { u: complete }), () => this.send(complete), "main"], clear]];
    const piece = [...this.clicks.next()].some((cell) => this.holdsOwn(cell));
    return [say(piece ? "hint.next" : "hint.where"), effect || chosen.join(" → "), [clear]];
  }

  /** What is foreseen, in words. */
  effect() {
    const { paths = [], removed = [], strikes = [], groups = [] } = this.foreseen ?? {};
    const struck = new Set(strikes.map((cells) => cells.at(-1)));
    const taken = removed.filter((cell) => !struck.has(cell));
    const path = this.glyph.hops && paths.find(({ length }) => length > 2);
    const list = (cells) => [...cells].join(", ");
    return [
      path && say("hint.hops", { n: path.length - 1, cell: path.at(-1) }),
      taken.length > 0 && say(this.glyph.removes ?? "hint.takes", { cells: list(taken) }),
      struck.size > 0 && say("hint.strikes", { cells: list(struck) }),
      groups.length > 0 && taken.length === 0 && say("hint.crowd"),
    ].filter(Boolean).join(" ");
  }

  offerWords(by) {
    const name = this.game[other(this.you)].name;
    const answer = (yes) => () => this.socket.command("draw", { answer: yes });
    if (by === this.you) return [say("hint.offering"), say("hint.waitdraw", { name }), [[say("hint.takeback"), answer("no")]]];
    return [say("hint.offered", { name }), "", [[say("hint.no"), answer("no")], [say("hint.yes"), answer("yes"), "main"]]];
  }
}
