// A tree of moves: what stood after each of them, and which is looked at.
import { post } from "../lib/http.js";

let count = 0;

/** A position, and the move that led to it; the first has none. */
export class Step {
  /** @type {number} */ id;
  /** @type {Step | null} */ parent;
  /** @type {string} */ u;
  /** @type {number} */ ply;
  /** @type {Step[]} */ children;
  /** @type {string} */ position;
  /** @type {Trace | null} */ trace;
  /** @type {Answer | null} */ answer;
  /** @type {Analysis} */ thought;

  /**
   * @param {Step | null} parent
   * @param {string | null} u
   */
  constructor(parent, u) {
    Object.assign(this, {
      id: count,
      parent,
      u,
      ply: parent ? parent.ply + 1 : 0,
      children: [],
      position: null,
      trace: null,
      answer: null,
    });
    count += 1;
  }

  /** The notations from the start to here. */
  get moves() {
    const moves = [];
    for (let step = /** @type {Step} */ (this); step.parent; step = step.parent)
      moves.unshift(step.u);
    return moves;
  }

  /** The step after that move, made if there is none. */
  to(u) {
    let step = this.children.find((child) => child.u === u);
    if (!step) {
      step = new Step(this, u);
      this.children.push(step);
    }
    return step;
  }

  /** This step and all after it, each line to its end before the next. */
  *all() {
    yield this;
    for (const child of this.children) yield* child.all();
  }
}

/**
 * The moves after a step as words; what might be played instead of a move follows it in parentheses.
 * @param {Step} from
 * @returns {string[]}
 */
export const wordsOf = (from) => {
  const words = [];
  for (let step = from; step.children.length; [step] = step.children) {
    const [main, ...others] = step.children;
    words.push(main.u);
    for (const other of others) words.push("(", other.u, ...wordsOf(other), ")");
  }
  return words;
};

/**
 * Takes words as `wordsOf` writes them into the moves after a step.
 * @param {Step} from
 * @param {string[]} words
 */
export const grow = (from, words) => {
  const left = [];
  let step = from;
  for (const word of words) {
    if (word === "(") {
      left.push(step);
      step = /** @type {Step} */ (step.parent);
    } else step = word === ")" ? left.pop() : step.to(word);
    if (!step) throw new Error(words.join(" "));
  }
};

export class Tree {
  /** @type {Variant} */ variant;
  /** @type {Options} */ options;
  /** @type {Step} */ root;
  /** @type {Step} */ at;

  /**
   * A tree without moves, from a position text.
   * @param {Variant} variant
   * @param {Options} options
   * @param {string} position
   */
  constructor(variant, options, position) {
    Object.assign(this, { variant, options, root: new Step(null, null) });
    this.root.position = position;
    this.at = this.root;
  }

  /** What a question to the rules begins with. */
  get setup() {
    return { variant: this.variant.key, options: this.options };
  }

  /** The question about a step, with all that was played before it. */
  question(step) {
    return { ...this.setup, start: this.root.position, moves: step.moves };
  }

  /** The steps from the first to the end of the line that is looked at. */
  line() {
    const line = [this.at];
    while (line[0].parent) line.unshift(line[0].parent);
    for (let [next] = line[line.length - 1].children; next; [next] = next.children) line.push(next);
    return line;
  }

  /** What may be played after a step, and whether the game is over there. */
  async know(step) {
    step.answer ??= await post("/api/position", this.question(step));
    return step.answer;
  }

  /** Plays a move after the step that is looked at; answers the step it leads to. */
  async play(u) {
    const { at } = this;
    const known = at.children.find((child) => child.u === u);
    if (known) return known;
    const [
      answer,
      {
        replay: [{ trace }],
      },
    ] = await Promise.all([
      post("/api/position", { ...this.question(at), moves: [...at.moves, u] }),
      // What is to be seen of it does not depend on what was played before.
      post("/api/position", { ...this.setup, start: at.position, moves: [u], replay: true }),
    ]);
    return Object.assign(at.to(u), { answer, trace, position: answer.position });
  }

  /** Whether a step may be taken away: not the start, nor what was `played` in a game. */
  mayCut(step, played = []) {
    const isPlayed =
      step.moves.length <= played.length && step.moves.every((u, at) => u === played[at]);
    return Boolean(step.parent) && !isPlayed;
  }

  /** Takes a step away, with all that comes after it. */
  cut(step) {
    step.parent.children = step.parent.children.filter((child) => child !== step);
  }

  /** Takes moves written as `wordsOf` writes them; those that can be played also if others cannot. */
  async read(words) {
    grow(this.root, words);
    let wrong = null;
    for (const end of [...this.root.all()].filter(({ children }) => children.length === 0)) {
      await this.fill(end).catch((refused) => {
        if (refused.passes) throw refused;
        wrong ??= refused;
      });
    }
    if (wrong) throw wrong;
  }

  /** Asks for all that stood on the way to a step. */
  async fill(end) {
    if (end.position) return;
    const way = [];
    for (let step = end; step.parent; step = step.parent) way.unshift(step);
    const answer = await post("/api/position", { ...this.question(end), replay: true }).catch(
      async (refused) => {
        if (refused.passes) throw refused;
        // What cannot be played is cut off; what comes before it is shown.
        const bad = way[refused.body?.ply ?? 0];
        this.cut(bad);
        refused.move ??= bad;
        await this.fill(bad.parent);
        throw refused;
      },
    );
    answer.replay.forEach((seen, at) => Object.assign(way[at], seen));
    end.answer = answer;
  }
}
