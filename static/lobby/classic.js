// Replay of a finished game while no game is in progress: the newest good one of this server, or an
// example, also if the rules core refuses the moves of that game. It is labeled as such. The replay
// pauses by its button, on a hidden page and out of view; with reduced motion, the final position
// is shown. Loaded by live-games.js some time after the page.
import { StaticBoard } from "../board/static-board.js";
import { get, post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { locale } from "../lib/format-time.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { parsePosition } from "../model/notation.js";
import { quietGames } from "./live-games.js";
import "../lib/i18n-more.js";
import { t, variantName } from "../lib/i18n.js";

/** Time between moves, and at the end before the replay begins anew. */
const MOVE_MS = 1800;
const END_MS = 6000;

/**
 * Game of `GET /api/games/classic`. An example has no players.
 * @typedef {{
 *   variant: { key: string },
 *   options: Options,
 *   start: string,
 *   moves: string[],
 * } & Partial<Pick<Summary, "id" | "first" | "second" | "endedAt">>} Classic
 */

/** @typedef {{ position: string, trace: Trace | null }} Frame */

const isMotionReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Fetches all positions of a game.
 * @param {Classic} game
 * @returns {Promise<Frame[]>}
 */
const fetchFrames = async ({ variant, options, start, moves }) => {
  const query = { variant: variant.key, options, start, moves, replay: true };
  const { replay = [] } = await post("/api/position", query);
  return [{ position: start, trace: null }, ...replay];
};

/** Replay of a finished game. */
class Replay {
  /** @type {Classic} */ game;
  /** @type {Frame[]} */ frames;
  /** @type {number} */ ply;
  /** @type {boolean} */ isPaused;
  /** @type {boolean} */ isVisible;
  /** @type {number | undefined} */ timer;

  /**
   * @param {Classic} game
   * @param {Frame[]} frames
   * @param {Variant} variant
   */
  constructor(game, frames, variant) {
    const ply = isMotionReduced() ? frames.length - 1 : 0;
    Object.assign(this, { game, frames, ply, isPaused: false, isVisible: false });
    this.board = new StaticBoard(variant.key, { board: variant.board, label: "" });
    this.board.svg.setAttribute("aria-hidden", "true");
    this.pause = h("button", {
      class: "btn btn-quiet",
      type: "button",
      hidden: isMotionReduced(),
      onclick: () => this.togglePause(),
    });
    this.element = quietGames(
      this.board.svg,
      h("p", { class: "soft" }, t("lobby.quiet")),
      h("p", {}, h("b", {}, this.label()), h("span", {}, variantName(variant))),
      h("div", { class: "classic-actions" }, this.link(), this.pause),
    );
    this.element.classList.add("classic");
    this.show(false);
    new IntersectionObserver((entries) => {
      this.isVisible = entries[entries.length - 1].isIntersecting;
      this.schedule();
    }).observe(this.element);
    document.addEventListener("visibilitychange", () => this.schedule());
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => {
      this.pause.hidden = isMotionReduced();
      this.schedule();
    });
    this.drawPause();
  }

  label() {
    const { first, second, endedAt } = this.game;
    if (!first || !second || !endedAt) return t("classic.example");
    const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
    return t("classic.label", {
      first: first.name,
      second: second.name,
      date: date.format(endedAt),
    });
  }

  /** Returns the link to the game, or from an example to its lesson. */
  link() {
    const { id, variant } = this.game;
    return id
      ? h("a", { class: "btn", href: `/${id}` }, t("classic.open"))
      : h("a", { class: "btn", href: `/learn/${variant.key}` }, t("learn.link"));
  }

  /**
   * Shows the current ply.
   * @param {boolean} isAnimated
   */
  show(isAnimated) {
    const { position, trace } = this.frames[this.ply];
    const { cells } = parsePosition(position);
    const previous = this.frames[this.ply - 1];
    const before = previous ? parsePosition(previous.position).cells : cells;
    if (isAnimated && trace) this.board.showMove({ cells, before, trace });
    else this.board.show({ cells, before, trace });
  }

  /** Schedules the next move if the replay runs. */
  schedule() {
    clearTimeout(this.timer);
    if (this.isPaused || !this.isVisible || document.hidden || isMotionReduced()) return;
    const isAtEnd = this.ply === this.frames.length - 1;
    this.timer = setTimeout(() => this.step(), isAtEnd ? END_MS : MOVE_MS);
  }

  step() {
    this.ply = (this.ply + 1) % this.frames.length;
    this.show(this.ply > 0);
    this.schedule();
  }

  togglePause() {
    this.isPaused = !this.isPaused;
    this.drawPause();
    this.schedule();
  }

  drawPause() {
    this.pause.textContent = t(this.isPaused ? "classic.resume" : "classic.pause");
  }
}

/**
 * @param {Classic} game
 * @param {Catalog} catalog
 */
const createReplay = async (game, catalog) =>
  new Replay(game, await fetchFrames(game), catalog.get(game.variant.key));

/**
 * Loads the finished game of the server, or the example if there is none or if it cannot be
 * replayed. Rejects if a later attempt may succeed.
 * @param {Catalog} catalog
 */
const loadReplay = async (catalog) => {
  const [{ game }] = await Promise.all([get("/api/games/classic"), loadStyleSheet("home")]);
  try {
    if (game) return await createReplay(game, catalog);
  } catch (refused) {
    if (/** @type {import("../lib/http.js").ApiError} */ (refused).isTransient) throw refused;
  }
  const { exampleGame } = await import("./example-game.js");
  return createReplay(exampleGame, catalog);
};

/** @type {Promise<Replay> | undefined} */
let loading;

/**
 * Shows the replay in place of the empty board, once.
 * @param {HTMLElement} place
 * @param {Catalog} catalog
 */
export const showClassic = async (place, catalog) => {
  if (loading) return;
  loading = loadReplay(catalog);
  try {
    place.replaceChildren((await loading).element);
  } catch {
    // The empty board remains; the next time that the section comes into view repeats the attempt.
    loading = undefined;
  }
};
