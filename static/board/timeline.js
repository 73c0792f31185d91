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
export const CAPTURE_LINE_MS = 160;
export const POP_MS = 180;

/** Duration of the sweep over a wiped number. */
export const SWEEP_MS = 160;

/**
 * Returns the landing time of each hop, relative to the start of the path.
 * @param {number} hops
 * @param {number} first duration of the first hop
 */
const landings = (hops, first) => {
  const scale = Math.min(1, CHAIN_MS / (first + MORE_MS * (hops - 1)));
  return Array.from({ length: hops }, (_, at) => scale * (first + MORE_MS * at));
};

/**
 * Path with its start (`at`), the landing time of each hop (`hopTimes`) and of the last one
 * (`landingTime`).
 * @typedef {object} TimedPath
 * @property {string[]} path
 * @property {number} at
 * @property {number[]} hopTimes
 * @property {number} landingTime
 * @property {boolean} lifted
 */

/**
 * Removal of a piece: kind, start and duration.
 * @typedef {{ cell: string, kind: string, at: number, ms: number }} TimedRemoval
 */

/**
 * Timeline of a move. `captureLinesAt` is the time at which the capture lines are drawn, if there
 * are any.
 * @typedef {object} Timeline
 * @property {TimedPath[]} timedPaths
 * @property {TimedRemoval[]} removals
 * @property {number | null} captureLinesAt
 * @property {number} end
 */

/**
 * Inputs for the time of a removal. `captureLinesAt` is set if the piece is struck.
 * @typedef {object} RemovalContext
 * @property {Set<string | undefined>} struck
 * @property {TimedPath[]} timedPaths
 * @property {PieceSet["captureTiming"]} captureTiming
 * @property {number} start
 * @property {number} captureLinesAt
 */

/**
 * Returns kind, start and duration of a removal.
 * @param {string} cell
 * @param {RemovalContext} context
 * @returns {{ kind: string, at: number, ms: number }}
 */
const removalTime = (cell, { struck, timedPaths, captureTiming, start, captureLinesAt }) => {
  if (struck.has(cell)) return { kind: "struck", at: captureLinesAt + CAPTURE_LINE_MS, ms: POP_MS };
  if (captureTiming === "first") return { kind: "taken", at: 0, ms: REMOVAL_MS };
  const captor = timedPaths.find(({ path }) => path.at(-1) === cell);
  if (captor)
    return { kind: "covered", at: Math.max(0, captor.landingTime - POP_MS / 2), ms: REMOVAL_MS };
  const landingTime = Math.max(0, ...timedPaths.map((timedPath) => timedPath.landingTime));
  return captureTiming === "passed"
    ? { kind: "passed", at: (landingTime + start) / 2, ms: REMOVAL_MS }
    : { kind: "wiped", at: landingTime + 60, ms: SWEEP_MS + REMOVAL_MS };
};

/**
 * Returns the timeline of a move. The path of a `dropped` piece takes no time, since the player has
 * dragged it already.
 * @param {Trace} trace
 * @param {Pick<PieceSet, "arcs" | "crawls" | "captureTiming">} pieceSet
 * @param {{ from: string, to: string } | null} [dropped]
 * @returns {Timeline}
 */
export const timeline = ({ paths, removed = [], strikes = [] }, pieceSet, dropped) => {
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = pieceSet.captureTiming === "first" && removed.some((cell) => !struck.has(cell));
  // Penalty, strikes and move follow each other, so that each of them is seen.
  const takenEnd = taken ? REMOVAL_MS : 0;
  const captureLinesAt = strikes.length ? takenEnd : null;
  const start = captureLinesAt === null ? takenEnd : takenEnd + CAPTURE_LINE_MS + POP_MS;
  const lifted = Boolean(pieceSet.crawls) && paths.some((path) => path.length > 2);
  const timedPaths = paths.map((path, number) => {
    const isDropped =
      dropped && path.length > 1 && path[0] === dropped.from && path.at(-1) === dropped.to;
    const at = start + (lifted ? LIFT_MS + APART_MS * number : 0);
    const hopTimes = isDropped
      ? path.slice(1).map(() => at)
      : landings(Math.max(1, path.length - 1), pieceSet.arcs ? HOP_MS : STEP_MS).map(
          (ms) => at + ms,
        );
    return { path, at, hopTimes, landingTime: hopTimes[hopTimes.length - 1], lifted };
  });
  const removals = removed.map((cell) => ({
    cell,
    ...removalTime(
      cell,
      /** @type {RemovalContext} */ ({
        struck,
        timedPaths,
        captureTiming: pieceSet.captureTiming,
        start,
        captureLinesAt,
      }),
    ),
  }));
  const end = Math.max(
    0,
    ...timedPaths.map(({ landingTime }) => landingTime),
    ...removals.map(({ at, ms }) => at + ms),
  );
  return { timedPaths, removals, captureLinesAt, end };
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

/** @typedef {{ name: string, at: number, step?: number }} Note */

/**
 * Returns the sounds of a move with their times in milliseconds.
 * @param {Timeline} times
 * @param {{ turns: boolean, wipes: boolean }} kind a piece is turned over; numbers are wiped
 * @returns {Note[]}
 */
export const moveSounds = ({ timedPaths, removals, captureLinesAt }, { turns, wipes }) => {
  // Stones that move together land in succession, and sound like the hops of a single piece.
  const moves = timedPaths.flatMap(({ hopTimes }, number) =>
    hopTimes.map((at, hop) => ({ name: "move", at, step: hop + number })),
  );
  const over = turns
    ? timedPaths.map(({ at, hopTimes }) => ({ name: "turn", at: (at + hopTimes[0]) / 2 }))
    : [];
  const left = removals.map(({ kind, at }) => ({
    name: kind === "wiped" && wipes ? "wipe" : REMOVAL_SOUNDS[kind],
    at: kind === "wiped" && wipes ? at : at + REMOVAL_SOUND_DELAY_MS,
  }));
  const struck = captureLinesAt === null ? [] : [{ name: "strike", at: captureLinesAt }];
  return /** @type {Note[]} */ ([...struck, ...moves, ...over, ...left.filter(({ name }) => name)]);
};

/** Distance outside the board at which pieces appear and disappear, in board units. */
const OUTSIDE_DISTANCE = 60;

/**
 * Returns the vertical distance from `y` to a point outside the edge of a side.
 * @param {import("./static-board.js").StaticBoard} board
 * @param {Side | null} side
 * @param {number} y
 */
export const distanceToEdge = (board, side, y) => {
  const isBelow = (side === "first") !== board.flipped;
  return isBelow ? board.size()[1] + OUTSIDE_DISTANCE - y : -y - OUTSIDE_DISTANCE;
};

/** Distance by which a captured piece falls, in board units. */
const FALL_DISTANCE = 70;

const INITIAL_FRAME = { opacity: 1, transform: "none" };
/** @param {string} transform */
const hiddenFrame = (transform) => ({ opacity: 0, transform });

/**
 * Returns the direction from the center of the captured group to a piece, scaled to the distance of
 * the fall.
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
  const length = Math.hypot(x, y);
  return length ? [(FALL_DISTANCE * x) / length, (FALL_DISTANCE * y) / length] : [0, FALL_DISTANCE];
};

/**
 * Returns the keyframes of a removal, by kind.
 * @param {import("./effects.js").MoveEffects} scene
 * @param {{ kind: string, cell: string, token: string }} removal
 * @returns {Keyframe[]}
 */
export const removalFrames = (scene, { kind, cell, token }) => {
  if (kind === "covered") return [INITIAL_FRAME, hiddenFrame("scale(.4)")];
  if (kind === "struck")
    return [
      INITIAL_FRAME,
      { opacity: 1, transform: "scale(1.12)", offset: 0.35 },
      hiddenFrame("scale(.3)"),
    ];
  if (kind === "taken")
    return [
      INITIAL_FRAME,
      hiddenFrame(
        `translate(${fallVector(scene, cell)
          .map((value) => `${value}px`)
          .join(", ")}) scale(.9)`,
      ),
    ];
  if (kind === "passed")
    return [
      INITIAL_FRAME,
      hiddenFrame(
        `translate(0, ${distanceToEdge(scene.board, scene.pieceSet.owner(token), scene.board.at(cell)[1])}px)`,
      ),
    ];
  return [INITIAL_FRAME, hiddenFrame("scale(.8)")];
};
