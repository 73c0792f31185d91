// Moves as text: told in words, for those who hear the game, and typed as they are written, in a field that is seen while it has
// the focus.
import { h } from "./dom.js";
import { meaning, partsOf } from "./notation.js";
import { say } from "./words.js";

/**
 * The way of a piece: from where to where, and by how many hops if that is told of this game.
 * @param {string[]} path
 * @param {Glyph} glyph
 */
const way = (path, { hops }) => {
  const [from, to] = [path[0], path.at(-1)];
  if (path.length === 1) return say("told.at", { cell: to });
  return hops && path.length > 2 ? say("told.hops", { from, to, n: path.length - 1 }) : say("told.way", { from, to });
};

/**
 * What a move did, in words: where everything went, and what left the board. `u` is its notation, `trace`
 * what the rules say of it (without that the notation has to do), `glyph` how its game looks.
 * @param {string} u
 * @param {Trace | null | undefined} trace
 * @param {Glyph} glyph
 * @returns {string}
 */
export const moveText = (u, trace, glyph) => {
  if (!/\d/.test(u)) return say(`button.${u}`);
  if (!trace) return u;
  const { paths, removed = [], strikes = [] } = trace;
  const struck = strikes.map((cells) => cells.at(-1));
  const taken = removed.filter((cell) => !struck.includes(cell));
  return [
    ...paths.map((path) => way(path, glyph)),
    taken.length > 0 && (glyph.removes ? say("told.wipes", { cells: taken.join(", ") }) : say("told.takes", { n: taken.length, cells: taken.join(", ") })),
    struck.length > 0 && say("told.strikes", { cells: [...new Set(struck)].join(", ") }),
  ].filter(Boolean).join(", ");
};

/**
 * The last move of a side (of anybody with null) in the game of a page, in words with its player's name; "" if there is none yet.
 * @param {import("./play.js").Play} play
 * @param {Side | null} side
 * @returns {Promise<string>}
 */
export const lastText = async (play, side) => {
  const { course, glyph } = play;
  // Who moved at a ply is told by what stood before it, which may have to be asked for.
  const known = Array.from({ length: course.end }, (_, ply) => course.text(ply)).every(Boolean);
  if (!known) await course.fetch().catch(() => {});
  for (let ply = course.end; ply > 0; ply -= 1) {
    const before = course.text(ply - 1);
    const mover = before && partsOf(before).turn;
    if (mover && (!side || mover === side)) return say("hint.moved", { name: play.name(mover), u: moveText(course.moves[ply - 1], course.traces[ply], glyph) });
  }
  return "";
};

/** So many moves that begin alike are named. */
const NAMED = 4;

export class Typed {
  /** @type {() => string[]} */ legal;
  /** @type {() => string} */ wait;
  /** @type {(u: string) => unknown} */ make;
  /** @type {() => unknown} */ leave;

  /**
   * `legal()` are the moves that may be made now, `wait()` says why none may, if so, `make(u)` makes one, and `leave()` puts
   * the focus where it goes on.
   * @param {{ legal: () => string[], wait: () => string, make: (u: string) => unknown, leave: () => unknown }} how
   */
  constructor({ legal, wait, make, leave }) {
    Object.assign(this, { legal, wait, make, leave });
    this.told = h("p", { id: "typed-told", role: "status" });
    this.field = h("input", {
      "aria-label": say("typed.label"), "aria-describedby": "typed-told", placeholder: say("typed.label"), maxlength: 60,
      autocomplete: "off", autocapitalize: "off", autocorrect: "off", spellcheck: "false", enterkeyhint: "go",
    });
    this.field.addEventListener("input", () => this.tell());
    this.field.addEventListener("focus", () => this.tell());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.element = h("div", { class: "typed" }, this.field, this.told);
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** Says what is typed so far: which moves begin so. */
  tell() {
    const { move, begin } = meaning(this.field.value, this.legal());
    this.field.removeAttribute("aria-invalid");
    this.told.textContent = this.wait() || this.found(move, begin);
  }

  /**
   * @param {string | null} move
   * @param {string[]} begin
   */
  found(move, begin) {
    const text = this.field.value.trim();
    if (!text) return say("typed.how", { u: this.legal()[0] ?? "" });
    if (begin.length === 0) return say("typed.none", { text });
    const more = begin.filter((u) => u !== move);
    const names = more.length > NAMED ? "" : `: ${more.join(", ")}`;
    const others = more.length > 0 ? say(move ? "typed.more" : "typed.begin", { n: more.length }) + names : "";
    return [move && say("typed.plays", { u: move }), others && `${others}.`].filter(Boolean).join(" ");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (!this.field.value) return this.leave();
      this.field.value = "";
      this.tell();
    }
    return undefined;
  }

  /** Makes the move that is typed; what only one move begins with is completed first. */
  enter() {
    if (this.wait()) return this.tell();
    const { move, begin } = meaning(this.field.value, this.legal());
    if (!move && begin.length === 1) {
      [this.field.value] = begin;
      return this.tell();
    }
    if (!move) {
      this.tell();
      return this.field.setAttribute("aria-invalid", "true");
    }
    this.field.value = "";
    this.told.textContent = "";
    return this.make(move);
  }
}
