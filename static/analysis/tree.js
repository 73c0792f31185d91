// Move tree of the analysis board: positions, variations, and the current step. The first child of
// a step continues its line; further children are variations. Positions and legal moves come from
// the rules endpoint and are cached in the steps. Owned by analysis.js.
import { queryMove } from "../common/played-move.js";
import { post } from "../lib/http.js";

let count = 0;

/**
 * Error of `Tree.read` for an illegal move; `move` is its step.
 * @typedef {import("../lib/http.js").ApiError & { move?: Step }} ReadError
 */

/** Node of the tree: a position and the move that led to it; the root has no move. */
export class Step {
  /** @type {number} */ id;
  /** @type {Step | null} */ parent;
  /** @type {string} */ u;
  /** @type {number} */ ply;
  /** @type {Step[]} */ children;
  /** @type {string} */ position;
  /** @type {Trace | null} */ trace;
  /** @type {Answer | null} */ answer;
  /** @type {Analysis} */ analysis;

  /**
   * @param {Step | null} parent
   * @param {string | null} u
   * @param {string | null} [position]
   */
  constructor(parent, u, position = null) {
    Object.assign(this, {
      id: count,
      parent,
      u,
      ply: parent ? parent.ply + 1 : 0,
      children: [],
      position,
      trace: null,
      answer: null,
    });
    count += 1;
  }

  /** Returns the notations of the moves from the root to this step. */
  get moves() {
    /** @type {string[]} */
    const moves = [];
    for (let step = /** @type {Step} */ (this); step.parent; step = step.parent)
      moves.unshift(step.u);
    return moves;
  }

  /**
   * Returns the child of a move; creates it if necessary.
   * @param {string} u
   */
  childFor(u) {
    let step = this.children.find((child) => child.u === u);
    if (!step) {
      step = new Step(this, u);
      this.children.push(step);
    }
    return step;
  }

  /**
   * Removes a child and its descendants.
   * @param {Step} step
   */
  removeChild(step) {
    this.children = this.children.filter((child) => child !== step);
  }

  /**
   * Sets the position, and the trace of the move that led to it.
   * @param {string} position
   * @param {Trace | null} trace
   */
  setPosition(position, trace) {
    Object.assign(this, { position, trace });
  }

  /** @param {Answer} answer  legal moves and outcome of the position */
  setAnswer(answer) {
    this.answer = answer;
  }

  /** @param {Analysis} analysis  result of the engine */
  setAnalysis(analysis) {
    this.analysis = analysis;
  }

  /**
   * Yields this step and its descendants, depth first.
   * @returns {Generator<Step, void>}
   */
  *walk() {
    yield this;
    for (const child of this.children) yield* child.walk();
  }
}

/**
 * Returns the moves after a step as movetext tokens: notations, and after a move the variations
 * that replace it, enclosed in "(" and ")".
 * @param {Step} from
 * @returns {string[]}
 */
export const movetextTokens = (from) => {
  /** @type {string[]} */
  const tokens = [];
  for (let step = from; step.children.length; [step] = step.children) {
    const [main, ...others] = step.children;
    tokens.push(main.u);
    for (const other of others) tokens.push("(", other.u, ...movetextTokens(other), ")");
  }
  return tokens;
};

/**
 * Adds moves after a step from movetext tokens; throws on unbalanced parentheses.
 * @param {Step} from
 * @param {string[]} tokens
 */
export const addMovetext = (from, tokens) => {
  /** @type {Step[]} */
  const stack = [];
  /** @type {Step | null | undefined} */
  let step = from;
  for (const token of tokens) {
    if (token === "(") {
      stack.push(step);
      step = /** @type {Step} */ (step.parent);
    } else step = token === ")" ? stack.pop() : step.childFor(token);
    if (!step) throw new Error(tokens.join(" "));
  }
};

/** Move tree of a variant with its current step. */
export class Tree {
  /** @type {Variant} */ variant;
  /** @type {Options} */ options;
  /** @type {Step} */ root;
  /** @type {Step} */ at;

  /**
   * Creates a tree without moves.
   * @param {Variant} variant
   * @param {Options} options
   * @param {string} position  position text of the root
   */
  constructor(variant, options, position) {
    const root = new Step(null, null, position);
    Object.assign(this, { variant, options, root, at: root });
  }

  /** Returns the common fields of requests to the rules endpoint. */
  get setup() {
    return { variant: this.variant.key, options: this.options };
  }

  /**
   * Makes a step the current one.
   * @param {Step} step
   */
  goTo(step) {
    this.at = step;
  }

  /**
   * Returns the request for a step, with all moves from the root, as repetition matters.
   * @param {Step} step
   */
  requestFor(step) {
    return { ...this.setup, start: this.root.position, moves: step.moves };
  }

  /**
   * Returns the steps of the current line, from the root to its end.
   * @returns {[Step, ...Step[]]}
   */
  line() {
    /** @type {[Step, ...Step[]]} */
    const line = [this.at];
    while (line[0].parent) line.unshift(line[0].parent);
    for (let [next] = line[line.length - 1].children; next; [next] = next.children) line.push(next);
    return line;
  }

  /**
   * Loads the legal moves and the outcome of a step.
   * @param {Step} step
   */
  async loadAnswer(step) {
    if (!step.answer) step.setAnswer(await post("/api/position", this.requestFor(step)));
    return step.answer;
  }

  /**
   * Plays a move after the current step; resolves to the resulting step, rejects if it is illegal.
   * @param {string} u
   * @returns {Promise<Step>}
   */
  async play(u) {
    const { at } = this;
    const existing = at.children.find((child) => child.u === u);
    if (existing) return existing;
    const line = { start: this.root.position, moves: at.moves, position: at.position };
    const { answer, trace } = await queryMove(this.setup, line, u);
    const step = at.childFor(u);
    step.setPosition(answer.position, trace);
    step.setAnswer(answer);
    return step;
  }

  /**
   * Returns whether a step can be deleted: not the root, nor a move of the game.
   * @param {Step} step
   * @param {string[]} [played]  moves of the game
   */
  canDelete(step, played = []) {
    const isPlayed =
      step.moves.length <= played.length && step.moves.every((u, at) => u === played[at]);
    return Boolean(step.parent) && !isPlayed;
  }

  /**
   * Deletes a step and its descendants.
   * @param {Step} step
   */
  deleteStep(step) {
    step.parent?.removeChild(step);
  }

  /**
   * Adds and loads moves from movetext tokens. Keeps the legal ones, and then rejects with
   * the first error.
   * @param {string[]} movetext
   */
  async addMoves(movetext) {
    addMovetext(this.root, movetext);
    /** @type {ReadError | null} */
    let firstError = null;
    for (const end of [...this.root.walk()].filter(({ children }) => children.length === 0)) {
      await this.loadLine(end).catch((refused) => {
        if (refused.isTransient) throw refused;
        firstError ??= refused;
      });
    }
    if (firstError) throw firstError;
  }

  /**
   * Loads the positions of a line. Deletes the first illegal move and its descendants, loads the
   * moves before it, and rejects with that move in the error.
   * @param {Step} end  last step of the line
   * @returns {Promise<void>}
   */
  async loadLine(end) {
    if (end.position) return;
    /** @type {Step[]} */
    const steps = [];
    for (let step = end; step.parent; step = step.parent) steps.unshift(step);
    const answer = await post("/api/position", { ...this.requestFor(end), replay: true }).catch(
      async (refused) => {
        if (refused.isTransient) throw refused;
        const illegal = steps[refused.body?.ply ?? 0];
        this.deleteStep(illegal);
        refused.move ??= illegal;
        await this.loadLine(/** @type {Step} */ (illegal.parent));
        throw refused;
      },
    );
    answer.replay?.forEach(({ position, trace }, at) => steps[at].setPosition(position, trace));
    end.setAnswer(answer);
  }
}
