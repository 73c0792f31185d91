// State of a lesson. `apply(state, event)` returns the next state and the effects that the page
// executes: queries to the rules core, waits, animations. Pure: tests replay lessons without a
// page.
//
// Events of waits and answers carry the number (`seq`) of the transition that caused them. A later
// transition of the player increases it, so that outdated events have no effect.
import { isRefusalAsked, isReached } from "./goal.js";
import { cellsOf, parsePosition } from "../model/notation.js";

/** Time between a move and the answer to it, after the animation. */
const REPLY_MS = 600;

/** Time for each click of a demonstration. */
const CLICK_MS = 1100;

/**
 * Wrong moves that have an explanation, and the reply that refutes them.
 * @typedef {{ moves: string[], reply?: string }} WrongMoves
 */

/**
 * One move of a task. `start` is a position text, null for the initial position of the variant;
 * without it the step continues the previous one. `guided` steps mark the clicks of the solution.
 * `reply` is the opponent's answer to the solution.
 * @typedef {object} Step
 * @property {string | null} [start]
 * @property {import("./goal.js").Goal} goal
 * @property {string} [solution]
 * @property {boolean} [guided]
 * @property {string} [reply]
 * @property {WrongMoves[]} [wrong]
 */

/** @typedef {{ name: string, steps: Step[] }} Task */

/**
 * `loading` and `checking` await an answer of the rules core, `replying` and `refuting` the move of
 * the opponent. `wrong` and `done` show an explanation, `done` also of a refusal that another step
 * follows; `showing` is a demonstration and `shown` its end; `finished` is the end of the lesson.
 * @typedef {"loading" | "idle" | "checking" | "replying" | "refuting" | "wrong" | "done" |
 *   "showing" | "shown" | "finished" | "failed"} Phase
 */

/**
 * @typedef {object} State
 * @property {Task[]} tasks
 * @property {string[]} done  names of the tasks that the player has done
 * @property {number} task
 * @property {number} step
 * @property {Phase} phase
 * @property {number} seq
 * @property {string | null} start  position from which the moves are played
 * @property {string[]} begun  moves before the current step
 * @property {string[]} moves
 * @property {Answer | null} answer  answer to the moves
 * @property {number | null} wrong  explanation of the wrong move, null for the general one
 * @property {number} clicks  clicks shown of a demonstration
 */

/**
 * @typedef {{ type: "open", task: number } | { type: "answer", seq: number, answer: Answer } |
 *   { type: "failed", seq: number } | { type: "move", u: string } |
 *   { type: "refused", clicks: string[] } | { type: "timeout", seq: number } | { type: "show" } |
 *   { type: "again" } | { type: "next" } | { type: "skip" }} LessonEvent
 */

/**
 * `query` asks the rules core, `wait` causes a timeout, `done` plays the wave and stores the
 * progress.
 * @typedef {{ type: "query", seq: number } | { type: "wait", seq: number, ms: number } |
 *   { type: "done" } | { type: "refusal", cell: string }} Effect
 */

/** @typedef {{ state: State, effects: Effect[] }} Transition */

/**
 * Returns the state before the first task is opened.
 * @param {Task[]} tasks
 * @param {string[]} done
 * @returns {State}
 */
export const initialState = (tasks, done) => ({
  tasks,
  done: done.filter((name) => tasks.some((task) => task.name === name)),
  task: 0,
  step: 0,
  phase: "loading",
  seq: 0,
  start: null,
  begun: [],
  moves: [],
  answer: null,
  wrong: null,
  clicks: 0,
});

/**
 * Returns the first task that is not done, or the first one.
 * @param {State} state
 */
export const firstOpenTask = ({ tasks, done }) =>
  Math.max(
    0,
    tasks.findIndex(({ name }) => !done.includes(name)),
  );

/**
 * Returns the current step.
 * @param {State} state
 */
export const stepOf = ({ tasks, task, step }) => tasks[task].steps[step];

/**
 * Returns the side of the player: the side to move at the beginning of a step.
 * @param {State} state
 */
export const sideOf = ({ answer, moves, begun }) => {
  const { turn } = parsePosition(/** @type {Answer} */ (answer).position);
  const isOther = (moves.length - begun.length) % 2 === 1;
  return isOther ? (turn === "first" ? "second" : "first") : turn;
};

/**
 * Returns the clicks that a step asks for: those of the solution, or the refused ones.
 * @param {Step} step
 */
export const clicksOf = ({ goal, solution }) => goal.refused ?? cellsOf(solution ?? "");

/**
 * @param {State} state
 * @param {...Effect} effects
 * @returns {Transition}
 */
const transition = (state, ...effects) => ({ state, effects });

/**
 * Asks the rules core for the position after moves.
 * @param {State} state
 * @param {Phase} phase
 * @param {string[]} moves
 * @param {Partial<State>} [more]
 */
const query = (state, phase, moves, more = {}) => {
  const seq = state.seq + 1;
  return transition({ ...state, ...more, phase, moves, seq }, { type: "query", seq });
};

/**
 * Begins a step. A step that continues the previous one begins after its moves.
 * @param {State} state
 * @param {number} task
 * @param {number} [step]
 * @returns {Transition}
 */
const begin = (state, task, step = 0) => {
  const { start } = state.tasks[task].steps[step];
  const moves = start === undefined ? state.moves : [];
  return query(state, "loading", moves, {
    task,
    step,
    start: start === undefined ? state.start : start,
    begun: moves,
    wrong: null,
    clicks: 0,
  });
};

/** @param {State} state */
const hasNextStep = ({ tasks, task, step }) => step + 1 < tasks[task].steps.length;

/**
 * Goes on after the goal of a step: the reply of the opponent, then the next step.
 * @param {State} state
 * @returns {Transition}
 */
const nextStep = (state) => {
  const { reply } = stepOf(state);
  return reply
    ? query(state, "replying", [...state.moves, reply], { clicks: 0 })
    : begin(state, state.task, state.step + 1);
};

/**
 * Opens the next task, or ends the lesson.
 * @param {State} state
 * @returns {Transition}
 */
const nextTask = (state) =>
  state.task + 1 < state.tasks.length
    ? begin(state, state.task + 1)
    : transition({ ...state, phase: "finished", seq: state.seq + 1 });

/**
 * Handles a step whose goal the player has reached. In the middle of a task the next step follows
 * by itself after a move, and after a refusal once its explanation was read.
 * @param {State} state
 * @returns {Transition}
 */
const reach = (state) => {
  const seq = state.seq + 1;
  if (hasNextStep(state)) {
    if (!stepOf(state).solution) return transition({ ...state, phase: "done", seq });
    return transition({ ...state, phase: "replying", seq }, { type: "wait", seq, ms: REPLY_MS });
  }
  const { name } = state.tasks[state.task];
  const done = state.done.includes(name) ? state.done : [...state.done, name];
  return transition({ ...state, phase: "done", seq, done }, { type: "done" });
};

/**
 * Judges the move of the player.
 * @param {State} state  with the answer to the move
 * @returns {Transition}
 */
const judge = (state) => {
  const { goal, wrong = [] } = stepOf(state);
  const { outcome, replay = [] } = /** @type {Answer} */ (state.answer);
  const u = /** @type {string} */ (state.moves.at(-1));
  const { trace } = /** @type {{ trace: Trace }} */ (replay.at(-1));
  if (isReached(goal, { u, trace, outcome, side: sideOf(state) })) return reach(state);
  const at = wrong.findIndex(({ moves }) => moves.includes(u));
  const judged = { ...state, wrong: at < 0 ? null : at };
  const seq = state.seq + 1;
  return wrong[at]?.reply
    ? transition({ ...judged, phase: "refuting", seq }, { type: "wait", seq, ms: REPLY_MS })
    : transition({ ...judged, phase: "wrong", seq });
};

/**
 * @param {State} state
 * @param {Answer} answer
 * @returns {Transition}
 */
const receive = (state, answer) => {
  const next = { ...state, answer };
  if (state.phase === "checking") return judge(next);
  if (state.phase === "refuting") return transition({ ...next, phase: "wrong" });
  if (state.phase === "showing") {
    const isMoveShown = state.moves.length > state.begun.length;
    return isMoveShown ? transition({ ...next, phase: "shown" }) : demonstrate(next);
  }
  if (state.phase === "replying") {
    const step = state.step + 1;
    return transition({ ...next, phase: "idle", step, begun: state.moves, clicks: 0 });
  }
  return transition({ ...next, phase: "idle" });
};

/**
 * Shows the next click of a demonstration, then its move.
 * @param {State} state
 * @returns {Transition}
 */
const demonstrate = (state) => {
  const step = stepOf(state);
  const cells = clicksOf(step);
  const seq = state.seq + 1;
  if (state.clicks < cells.length) {
    const clicks = state.clicks + 1;
    return transition(
      { ...state, phase: "showing", clicks, seq },
      { type: "wait", seq, ms: CLICK_MS },
    );
  }
  if (step.solution) return query(state, "showing", [...state.begun, step.solution]);
  const cell = /** @type {string} */ (cells.at(-1));
  return transition(
    { ...state, phase: "shown", clicks: cells.length - 1, seq },
    { type: "refusal", cell },
  );
};

/**
 * @param {State} state
 * @returns {Transition}
 */
const timeout = (state) => {
  if (state.phase === "showing") return demonstrate(state);
  if (state.phase === "replying") return nextStep(state);
  if (state.phase === "refuting") {
    const reply = stepOf(state).wrong?.[state.wrong ?? -1]?.reply;
    return query(state, "refuting", [...state.moves, /** @type {string} */ (reply)]);
  }
  return transition(state);
};

/**
 * Repeats the current step, from its beginning.
 * @param {State} state
 * @returns {Transition}
 */
const repeat = (state) => query(state, "loading", state.begun, { wrong: null, clicks: 0 });

/**
 * Begins a demonstration. After a wrong move the board first returns to the beginning of the step.
 * @param {State} state
 * @returns {Transition}
 */
const show = (state) => {
  if (state.phase === "idle") return demonstrate({ ...state, clicks: 0 });
  return state.phase === "wrong"
    ? query(state, "showing", state.begun, { wrong: null, clicks: 0 })
    : transition(state);
};

/**
 * Returns the state after an event, and its effects.
 * @param {State} state
 * @param {LessonEvent} event
 * @returns {Transition}
 */
export const apply = (state, event) => {
  if ("seq" in event && event.seq !== state.seq) return transition(state);
  const isPlayable = state.phase === "idle";
  switch (event.type) {
    case "open":
      return begin(state, event.task);
    case "answer":
      return receive(state, event.answer);
    case "failed":
      return transition({ ...state, phase: "failed" });
    case "timeout":
      return timeout(state);
    case "move":
      return isPlayable ? query(state, "checking", [...state.moves, event.u]) : transition(state);
    case "refused":
      return isPlayable && isRefusalAsked(stepOf(state).goal, event.clicks)
        ? reach(state)
        : transition(state);
    case "again":
      return repeat(state);
    case "show":
      return show(state);
    case "skip":
      return nextTask(state);
    case "next":
      return hasNextStep(state) && ["shown", "done"].includes(state.phase)
        ? nextStep(state)
        : nextTask(state);
    default:
      return transition(state);
  }
};
