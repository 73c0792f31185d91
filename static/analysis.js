// The analysis board: any position of any game, both sides by the same hand.
import { Engine } from "./analysis-engine.js";
import { keepAddress, wanted } from "./analysis-link.js";
import { TreeList } from "./analysis-list.js";
import { Review } from "./analysis-review.js";
import { Setup } from "./analysis-setup.js";
import { shareCard } from "./analysis-share.js";
import { Table } from "./analysis-table.js";
import { Tree } from "./analysis-tree.js";
import { get, post, variants } from "./api.js";
import { ratioOf } from "./board.js";
import { h, line, toast } from "./dom.js";
import { listen } from "./me.js";
import { missing } from "./missing.js";
import { top } from "./top.js";
import { say, variantName } from "./words.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
const STEPS = [["first", "game.first", "M18 6l-6 6 6 6M8 6v12"], ["back", "game.back", "M14 6l-6 6 6 6"], ["forward", "game.forward", "M10 6l6 6-6 6"], ["last", "game.last", "M6 6l6 6-6 6M16 6v12"]];

const main = document.querySelector("main");
const path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
const id = path[1] === "analysis" ? path[0] : null;

class Analysis {
  constructor(catalogue, game) {
    Object.assign(this, { catalogue, game, signs: new Map() });
    this.played = game?.state.moves.split(" ").filter(Boolean);
    this.list = new TreeList((step) => this.go(step));
    this.engine = new Engine((u) => this.play(u), (u) => this.suggest(u));
    this.share = shareCard(() => this.tree, id);
    this.listen();
  }

  /** Takes what the address asks for, or the game. */
  async open() {
    const asked = wanted();
    const key = this.game?.variant.key ?? asked.variant ?? (path[0] === "analysis" && path[1]);
    const variant = this.catalogue.get(key) ?? [...this.catalogue.values()][0];
    const options = this.game?.options ?? Object.fromEntries(variant.options.map(({ key: name, values, default: usual }) => [name, values.find((value) => String(value) === asked.options[name]) ?? usual]));
    const start = this.game?.initialFen ?? asked.start;
    try {
      await this.begin(variant, options, start, asked.moves ?? [], asked.at);
    } catch (refused) {
      // A page that shows nothing yet begins at the start, and says what is wrong.
      if (this.tree || !start) throw refused;
      await this.begin(variant, options, null);
      this.setup.refuse(start, refused);
    }
  }

  /** Begins anew from a start, the variant's own if it is null. */
  async begin(variant, options, start, words = [], at = null) {
    const chosen = Object.fromEntries(variant.options.map(({ key, default: usual }) => [key, options[key] ?? usual]));
    const seed = variant.chance ? Math.floor(Math.random() * 2 ** 32) : 0;
    const answer = await post("/api/position", { variant: variant.key, options: chosen, ...(start ? { start } : { seed }) });
    const { position } = answer;
    const tree = new Tree(variant, chosen, position);
    tree.root.answer = answer;
    const own = start && !this.game ? await post("/api/position", { variant: variant.key, options: chosen }).then((told) => told.position) : position;
    // Moves that cannot be played do not keep the others from being shown.
    const all = [this.played ?? [], words].filter(({ length }) => length);
    let wrong = null;
    for (const each of all) {
      wrong = await tree.read(each).then(() => wrong, (refused) => {
        // What was not answered may be right: the link stays as it is.
        if (refused.passes) throw refused;
        return refused;
      });
    }
    Object.assign(this, { tree, own: variant.chance ? null : own });
    if (this.game || this.table?.variant !== variant) this.lay(variant);
    const steps = [...tree.root.all()];
    await this.go(steps[at ?? (this.game ? 0 : steps.length - 1)] ?? tree.root, true);
    if (wrong) toast(say("analysis.badmoves", { why: wrong.message }));
  }

  /** Puts a board of that variant into the page, with all that goes with it. */
  lay(variant) {
    document.title = `${say("analysis.title")}: ${variantName(variant)} · Sprong`;
    this.table = new Table(variant, (u) => this.play(u));
    if (this.game?.you === "second") this.table.board.flipped = true;
    this.table.board.drawCoords();
    this.setup = this.game ? null : new Setup(this.catalogue, variant, (...what) => this.begin(...what));
    this.review = this.played?.length ? new Review(id, this.tree, { go: (step) => this.go(step), marked: () => this.list.draw(this.tree, this.signs) }) : null;
    this.signs = this.review?.signs ?? new Map();
    main.className = "analysis";
    main.style.setProperty("--ratio", ratioOf(variant.board));
    const panel = h("section", { class: "card panel" }, this.engine.element, this.list.element, this.steps(), this.table.hint.element);
    main.replaceChildren(h("div", { class: "mid" }, h("h1", { class: "unseen" }, `${say("analysis.title")}: ${variantName(variant)}`), h("div", { class: "board" }, this.table.board.svg)),
      panel, this.setup?.element ?? this.review?.element ?? h("div"), h("div", { class: "beside" }, this.players() ?? "", this.share));
  }

  /** Who played the game, and the way back to it. */
  players() {
    const { game } = this;
    return game && h("p", { class: "players soft" }, `${variantName(this.tree.variant)}: ${game.first.name} – ${game.second.name}. `, h("a", { href: `/${id}` }, say("analysis.togame")));
  }

  steps() {
    const icon = (key, d, deed) => h("button", { class: "icon", type: "button", title: say(key), "aria-label": say(key), onclick: deed }, line(d));
    return h("div", { class: "step" }, ...STEPS.map(([where, key, d]) => icon(key, d, () => this.step(where))),
      icon("game.flip", "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4", () => this.table.flip()));
  }

  listen() {
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .keys, dialog")) return;
      if (event.key === "Escape") this.table?.clear();
      if (!(event.key in KEYS) || !this.tree) return;
      event.preventDefault();
      this.step(KEYS[event.key]);
    });
    // Another link of the same page, or the way back in the browser.
    addEventListener("hashchange", () => this.open().catch((refused) => toast(refused.message)));
  }

  step(where) {
    const way = this.tree.line();
    const at = way.indexOf(this.tree.at);
    return this.go({ first: way[0], back: way[at - 1], forward: way[at + 1], last: way.at(-1) }[where]);
  }

  async play(u) {
    const { tree } = this;
    const { at } = tree;
    try {
      const step = await tree.play(u);
      if (this.tree === tree && tree.at === at) await this.go(step, true);
    } catch (refused) {
      this.table.tell(refused.message);
    }
  }

  /** Looks at a step; `anew` if the tree has changed. */
  async go(step, anew = false) {
    const { tree, table } = this;
    if (!step || !tree) return;
    const forward = tree.at === step.parent;
    tree.at = step;
    if (anew) this.list.draw(tree, this.signs);
    else this.list.mark(step);
    table.stand(tree, forward);
    this.setup?.show(tree);
    this.review?.mark(step);
    keepAddress(tree, this.own, this.played);
    this.engine.look(tree);
    if (step.answer) return;
    try {
      await tree.know(step);
    } catch (refused) {
      table.tell(refused.message);
      return;
    }
    if (this.tree === tree && tree.at === step) table.know();
  }

  /** Marks the best move on the board. */
  async suggest(u) {
    const { at, setup } = this.tree;
    this.table.suggest(null);
    if (!u) return;
    const answer = await post("/api/position", { ...setup, start: at.position, moves: [u], replay: true }).catch(() => null);
    if (answer && this.tree.at === at && this.engine.on) this.table.suggest(answer.replay[0].trace);
  }
}

/** What is said in place of a board. */
const message = (text, ...more) => main.replaceChildren(h("div", { class: "message" }, h("p", {}, text), ...more));

const show = async () => {
  const [catalogue, game] = await Promise.all([variants(), id && get(`/api/game/${encodeURIComponent(id)}`)]);
  // Whoever plays looks at it with their own eyes.
  if (game && !game.end) return message(say("analysis.live"), h("a", { class: "btn", href: `/${id}` }, say("analysis.togame")));
  return new Analysis(catalogue, game).open();
};

top("/analysis");
listen();
show().catch((refused) => (refused.status === 404 ? main.replaceChildren(missing()) : message(refused.message)));
