// The analysis board, empty, of a variant, or of a game that is over: any position of any game, both sides by the same hand.
import { analysisKeys, layOut, Steps } from "./layout.js";
import { Engine } from "./engine.js";
import { keepAddress, shareCard, startOf, wanted } from "./url-state.js";
import { TreeList } from "./line-list.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { Table } from "./board-panel.js";
import { get, post, variants } from "../lib/http.js";
import { worksWhile } from "../common/navigation.js";
import { h, toast } from "../lib/dom.js";
import { listen } from "../common/notifications.js";
import { missing, trouble } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { top } from "../common/header.js";
import { say } from "../lib/i18n.js";

export class Analysis {
  /** @type {Catalogue} */ catalogue;
  /** @type {string} */ key;
  /** @type {Game | null} */ game;
  /** @type {Map<import("./tree.js").Step, string>} */ signs;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {string | null} */ own;
  /** @type {Table} */ table;
  /** @type {Setup | null} */ setup;
  /** @type {Review | null} */ review;
  /** @type {boolean} */ touched;
  /** @type {number} */ asked;

  /**
   * `key` is the variant that the path names, if it names one; `game` the game that it is about.
   * @param {Catalogue} catalogue
   * @param {string} key
   * @param {Game | null} game
   */
  constructor(catalogue, key, game) {
    Object.assign(this, { catalogue, key, game, signs: new Map(), touched: false, asked: 0 });
    this.played = game?.state.moves.split(" ").filter(Boolean);
    this.list = new TreeList((step) => this.go(step));
    this.engine = new Engine(
      (u) => this.play(u),
      (u) => this.suggest(u),
    );
    this.keys = analysisKeys(this);
    this.steps = new Steps({
      keys: this.keys.button,
      go: (where) => this.step(where),
      drop: () => this.drop(),
      flip: () => this.table.flip(),
    });
    this.share = shareCard(() => this.tree, game?.id ?? null);
    // Another link of the same page, or the way back in the browser.
    addEventListener("hashchange", () => this.open().catch((refused) => toast(refused.message)));
  }

  /** Takes what the address asks for, or the game. */
  async open() {
    const asked = wanted();
    const variant =
      this.catalogue.get(this.game?.variant.key ?? asked.variant ?? this.key) ??
      [...this.catalogue.values()][0];
    const options =
      this.game?.options ??
      Object.fromEntries(
        variant.options.map(({ key: name, values, default: usual }) => [
          name,
          values.find((value) => String(value) === asked.options[name]) ?? usual,
        ]),
      );
    const start = this.game?.initialFen ?? asked.start;
    try {
      await this.begin(variant, options, start, asked.moves ?? [], asked.at);
    } catch (refused) {
      // A page that shows nothing yet begins at the start, and says what is wrong.
      if (this.tree || !start) throw refused;
      await this.begin(variant, options, null);
      this.setup?.refuse(start, refused);
    }
  }

  /**
   * Begins anew from a start, the variant's own if it is null; unless something else was begun before all was answered.
   * @param {Variant} variant
   * @param {Options} options
   * @param {string | null} start
   * @param {string[]} [words]
   * @param {number | null} [at]
   */
  async begin(variant, options, start, words = [], at = null) {
    const turn = ++this.asked;
    const answer = await startOf(
      variant,
      options,
      start,
      [this.played ?? [], words],
      Boolean(this.game),
    ).catch((refused) => {
      if (turn === this.asked) throw refused;
    });
    if (!answer || turn !== this.asked) return;
    const { tree, own, wrong } = answer;
    Object.assign(this, { tree, own });
    if (this.game || this.table?.variant !== variant) this.lay(variant);
    const steps = [...tree.root.all()];
    await this.go(steps[at ?? (this.game ? 0 : steps.length - 1)] ?? tree.root, true);
    if (wrong) this.complain(wrong);
  }

  /** The same by the visitor's own hand. */
  async setUp(variant, options, start) {
    await this.begin(variant, options, start);
    this.touched = true;
  }

  /** Says which move of a link was the first that cannot be played. */
  complain({ move, message }) {
    const text = move
      ? say("analysis.badmove", { ply: Math.ceil(move.ply / 2), u: move.u })
      : say("analysis.badmoves", { why: message });
    toast(text);
    if (this.setup) this.setup.wrong.textContent = text;
  }

  /** Takes the move that is looked at away, with all after it; what was played in the game stays. */
  drop() {
    const { at } = this.tree;
    if (!this.tree.mayCut(at, this.played)) return undefined;
    this.tree.cut(at);
    this.touched = true;
    return this.go(at.parent, true);
  }

  /** Puts a board of that variant into the page, with all that goes with it. */
  lay(variant) {
    this.table?.close();
    this.table = new Table(variant, (u) => this.play(u));
    if (this.game?.you === "second") this.table.board.flipped = true;
    this.table.board.drawCoords();
    this.setup = this.game
      ? null
      : new Setup(this.catalogue, variant, (...what) => this.setUp(...what));
    this.review =
      this.game && this.played?.length
        ? new Review(this.game.id, this.tree, {
            go: (step) => this.go(step),
            marked: () => this.list.draw(this.tree, this.signs),
          })
        : null;
    this.signs = this.review?.signs ?? new Map();
    layOut(this);
  }

  step(where) {
    const way = this.tree.line();
    const at = way.indexOf(this.tree.at);
    return this.go(
      { first: way[0], back: way[at - 1], forward: way[at + 1], last: way.at(-1) }[where],
    );
  }

  async play(u) {
    const { tree } = this;
    const { at } = tree;
    try {
      const step = await tree.play(u);
      this.touched = true;
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
    this.steps.may(tree.mayCut(step, this.played));
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
    const answer = await post("/api/position", {
      ...setup,
      start: at.position,
      moves: [u],
      replay: true,
    }).catch(() => null);
    if (answer && this.tree.at === at && this.engine.on) this.table.suggest(answer.replay[0].trace);
  }
}

const main = document.querySelector("main");
const path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
const id = path[1] === "analysis" ? path[0] : null;

/** @type {Analysis | null} */
let analysis = null;

/** What is said in place of a board. */
const message = (text, ...more) =>
  main.replaceChildren(h("div", { class: "message" }, h("p", {}, text), ...more));

const show = async () => {
  const [catalogue, game] = await Promise.all([
    variants(),
    id && get(`/api/game/${encodeURIComponent(id)}`),
  ]);
  // Whoever plays looks at it with their own eyes.
  if (game && !game.end)
    return message(
      say("analysis.live"),
      h("a", { class: "btn", href: `/${id}` }, say("analysis.togame")),
    );
  analysis = new Analysis(catalogue, path[0] === "analysis" ? path[1] : "", game);
  return analysis.open();
};

top("/analysis");
// Whoever has moved something here is not taken away to a game.
worksWhile(() => Boolean(analysis?.touched));
listen();
show().catch((refused) =>
  refused.status === 404 ? main.replaceChildren(missing()) : main.replaceChildren(trouble(refused)),
);
