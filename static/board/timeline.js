// Timeline of a move: times of hops, captures and sounds, in milliseconds from its start.
//
// Animation (`effects.js`) and sound (`sound.js`) follow the same timeline. This module neither
// draws nor plays anything.

/** Durations of a path: first hop, first step on the ground, each further hop, upper bound. */
const HOP_MS = 220;
const STEP_MS = 180;
const MORE_MS = 90;
const CHAIN_MS = 900;

/** Stones that move together: duration of the lift, and delay between consecutive stones. */
export const LIFT_MS = 120;
const APART_MS = 40;

/** Duration of the removal of a piece. */
export const REMOVAL_MS = 260;

/** Durations of drawing a capture line, and of removing the piece at its end. */
export const THREAD_MS = 160;
export const POP_MS = 180;

/** Duration of the sweep over a wiped number. */
export const SWEEP_MS = 160;

/**
 * Returns the landing time of each hop, relative to the start of the path.
 * @param {number} hops
 * @param {number} first duration of the first hop
 */
const landings = (hops, first) => {
  const squeeze = Math.min(1, CHAIN_MS / (first + MORE_MS * (hops - 1)));
  return Array.from({ length: hops }, (_, at) => squeeze * (first + MORE_MS * at));
};

/**
 * Path with its start (`at`), the landing time of each hop (`ends`) and of the last one (`land`).
 * @typedef {object} TimedPath
 * @property {string[]} path
 * @property {number} at
 * @property {number[]} ends
 * @property {number} land
 * @property {boolean} lifted
 */

/**
 * Removal of a piece: kind, start and duration.
 * @typedef {{ cell: string, how: string, at: number, ms: number }} TimedRemoval
 */

/**
 * Timeline of a move. `threads` is the time at which the capture lines are drawn, if there are any.
 * @typedef {object} Timeline
 * @property {TimedPath[]} ways
 * @property {TimedRemoval[]} gone
 * @property {number | null} threads
 * @property {number} end
 */

/**
 * Inputs for the time of a removal. `threads` is set if the piece is struck.
 * @typedef {object} RemovalContext
 * @property {Set<string | undefined>} struck
 * @property {TimedPath[]} ways
 * @property {PieceSet["takes"]} takes
 * @property {number} begins
 * @property {number} threads
 */

/**
 * Returns kind, start and duration of a removal.
 * @param {string} cell
 * @param {RemovalContext} context
 * @returns {{ how: string, at: number, ms: number }}
 */
const removalTime = (cell, { struck, ways, takes, begins, threads }) => {
  if (struck.has(cell)) return { how: "struck", at: threads + THREAD_MS, ms: POP_MS };
  if (takes === "first") return { how: "taken", at: 0, ms: REMOVAL_MS };
  const captor = ways.find(({ path }) => path.at(-1) === cell);
  if (captor) return { how: "covered", at: Math.max(0, captor.land - POP_MS / 2), ms: REMOVAL_MS };
  const [land, start] = [Math.max(0, ...ways.map((way) => way.land)), begins];
  return takes === "passed"
    ? { how: "passed", at: (land + start) / 2, ms: REMOVAL_MS }
    : { how: "wiped", at: land + 60, ms: SWEEP_MS + REMOVAL_MS };
};

/**
 * Returns the timeline of a move. The path of a `dropped` piece takes no time, since the player has
 * dragged it already.
 * @param {Trace} trace
 * @param {Pick<PieceSet, "arcs" | "crawls" | "takes">} glyph
 * @param {{ from: string, to: string } | null} [dropped]
 * @returns {Timeline}
 */
export const timeline = ({ paths, removed = [], strikes = [] }, glyph, dropped) => {
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = glyph.takes === "first" && removed.some((cell) => !struck.has(cell));
  const threads = strikes.length ? (taken ? LIFT_MS : 0) : null;
  const start = threads === null ? (taken ? LIFT_MS : 0) : threads + THREAD_MS + LIFT_MS;
  const lifted = Boolean(glyph.crawls) && paths.some((path) => path.length > 2);
  const ways = paths.map((path, number) => {
    const isDropped =
      dropped && path.length > 1 && path[0] === dropped.from && path.at(-1) === dropped.to;
    const at = start + (lifted ? LIFT_MS + APART_MS * number : 0);
    const ends = isDropped
      ? path.slice(1).map(() => at)
      : landings(Math.max(1, path.length - 1), glyph.arcs ? HOP_MS : STEP_MS).map((ms) => at + ms);
    return { path, at, ends, land: ends[ends.length - 1], lifted };
  });
  const gone = removed.map((cell) => ({
    cell,
    ...removalTime(
      cell,
      /** @type {RemovalContext} */ ({ struck, ways, takes: glyph.takes, begins: start, threads }),
    ),
  }));
  const end = Math.max(0, ...ways.map(({ land }) => land), ...gone.map(({ at, ms }) => at + ms));
  return { ways, gone, threads, end };
};

/** Delay of the sound of a removal after its start. */
const REMOVAL_SOUND_DELAY_MS = 55;

/**
 * Sounds of removals by kind; null for none.
 * @type {Record<string, string | null>}
 */
const REMOVAL_SOUNDS = {
  struck: null,
  covered: "second",
  taken: "second",
  passed: "second",
  wiped: "second",
};

/** @typedef {{ what: string, at: number, step?: number }} Note */

/**
 * Returns the sounds of a move with their times in milliseconds.
 * @param {Timeline} times
 * @param {{ turns: boolean, wipes: boolean }} kind a piece is turned over; numbers are wiped
 * @returns {Note[]}
 */
export const moveSounds = ({ ways, gone, threads }, { turns, wipes }) => {
  // Stones that move together land in succession, and sound like the hops of a single piece.
  const moves = ways.flatMap(({ ends }, number) =>
    ends.map((at, hop) => ({ what: "move", at, step: hop + number })),
  );
  const over = turns ? ways.map(({ at, ends }) => ({ what: "turn", at: (at + ends[0]) / 2 })) : [];
  const left = gone.map(({ how, at }) => ({
    what: how === "wiped" && wipes ? "wipe" : REMOVAL_SOUNDS[how],
    at: how === "wiped" && wipes ? at : at + REMOVAL_SOUND_DELAY_MS,
  }));
  const struck = threads === null ? [] : [{ what: "strike", at: threads }];
  return /** @type {Note[]} */ ([...struck, ...moves, ...over, ...left.filter(({ what }) => what)]);
};

/** Distance by which a captured piece falls, in board units. */
const FALL_DISTANCE = 70;

const INITIAL_FRAME = { opacity: 1, transform: "none" };
/** @param {string} transform */
const hiddenFrame = (transform) => ({ opacity: 0, transform });

/**
 * Returns the direction from the center of the captured group to a piece, scaled to the distance of the fall.
 * @param {import("./effects.js").MoveEffects} scene
 * @param {string} cell
 * @returns {[x: number, y: number]}
 */
const fallVector = ({ board, trace }, cell) => {
  const group = trace.groups?.find((cells) => cells.includes(cell)) ?? [cell];
  const points = group.map((one) => board.at(one));
  const [x, y] = board
    .at(cell)
    .map(
      (value, axis) => value - points.reduce((sum, point) => sum + point[axis], 0) / points.length,
    );
  const far = Math.hypot(x, y);
  return far ? [(FALL_DISTANCE * x) / far, (FALL_DISTANCE * y) / far] : [0, FALL_DISTANCE];
};

/**
 * Returns the keyframes of a removal, by kind.
 * @param {import("./effects.js").MoveEffects} scene
 * @param {{ how: string, cell: string, token: string }} gone
 * @returns {Keyframe[]}
 */
export const removalFrames = (scene, { how, cell, token }) => {
  if (how === "covered") return [INITIAL_FRAME, hiddenFrame("scale(.4)")];
  if (how === "struck")
    return [
      INITIAL_FRAME,
      { opacity: 1, transform: "scale(1.12)", offset: 0.35 },
      hiddenFrame("scale(.3)"),
    ];
  if (how === "taken")
    return [
      INITIAL_FRAME,
      hiddenFrame(
        `translate(${fallVector(scene, cell)
          .map((value) => `${value}px`)
          .join(", ")}) scale(.9)`,
      ),
    ];
  if (how === "passed")
    return [
      INITIAL_FRAME,
      hiddenFrame(
        `translate(0, ${scene.toEdge(scene.glyph.owner(token), scene.board.at(cell)[1])}px)`,
      ),
    ];
  return [INITIAL_FRAME, hiddenFrame("scale(.8)")];
};
