// When what happens while a move is seen, in milliseconds from its beginning, what is heard of it, and how pieces leave. Eyes and
// ears follow the same timeline; nothing is drawn and nothing sounds here.

/** A way takes so long: its first hop (a step along the ground is shorter), each further one, and no more in all. */
const HOP_MS = 220;
const STEP_MS = 180;
const MORE_MS = 90;
const CHAIN_MS = 900;

/** Stones that go together are lifted first, and follow each other at that distance. */
export const LIFT_MS = 120;
const APART_MS = 40;

/** How long a piece that leaves the board is seen to leave. */
export const GONE_MS = 260;

/** A thread is drawn in so long, and pulls off what it strikes in so long. */
export const THREAD_MS = 160;
export const POP_MS = 180;

/** How long a chalk sweep takes. */
export const SWEEP_MS = 160;

/** When each hop of a way has landed, seen from its beginning. */
const landings = (hops, first) => {
  const squeeze = Math.min(1, CHAIN_MS / (first + MORE_MS * (hops - 1)));
  return Array.from({ length: hops }, (_, at) => squeeze * (first + MORE_MS * at));
};

/** When a removed piece starts to go, and how. */
const goes = (cell, { struck, ways, takes, begins, threads }) => {
  if (struck.has(cell)) return { how: "struck", at: threads + THREAD_MS, ms: POP_MS };
  if (takes === "first") return { how: "taken", at: 0, ms: GONE_MS };
  const captor = ways.find(({ path }) => path.at(-1) === cell);
  if (captor) return { how: "covered", at: Math.max(0, captor.land - POP_MS / 2), ms: GONE_MS };
  const [land, start] = [Math.max(0, ...ways.map((way) => way.land)), begins];
  return takes === "passed"
    ? { how: "passed", at: (land + start) / 2, ms: GONE_MS }
    : { how: "wiped", at: land + 60, ms: SWEEP_MS + GONE_MS };
};

/**
 * What happens when: the ways of pieces with the moment at which each of their hops has landed, what leaves
 * the board, when threads are drawn if they are, and when all is over.
 * @typedef {{ ways: { path: string[], at: number, ends: number[], land: number, lifted: boolean }[],
 *   gone: { cell: string, how: string, at: number, ms: number }[], threads: number | null, end: number }} Timeline
 */

/**
 * The timeline of a move. `glyph` says how its pieces go (`arcs`, `crawls`, `takes`); a way from `from` to
 * `to` of `dropped` has been gone by hand already.
 * @param {Trace} trace
 * @param {Pick<Glyph, "arcs" | "crawls" | "takes">} glyph
 * @param {{ from: string, to: string } | null} [dropped]
 * @returns {Timeline}
 */
export const timeline = ({ paths, removed = [], strikes = [] }, glyph, dropped) => {
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = glyph.takes === "first" && removed.some((cell) => !struck.has(cell));
  const threads = strikes.length ? (taken ? LIFT_MS : 0) : null;
  const begins = threads === null ? (taken ? LIFT_MS : 0) : threads + THREAD_MS + LIFT_MS;
  const lifted = Boolean(glyph.crawls) && paths.some((path) => path.length > 2);
  const ways = paths.map((path, number) => {
    const isDropped =
      dropped && path.length > 1 && path[0] === dropped.from && path.at(-1) === dropped.to;
    const at = begins + (lifted ? LIFT_MS + APART_MS * number : 0);
    const ends = isDropped
      ? path.slice(1).map(() => at)
      : landings(Math.max(1, path.length - 1), glyph.arcs ? HOP_MS : STEP_MS).map((ms) => at + ms);
    return { path, at, ends, land: ends[ends.length - 1], lifted };
  });
  const gone = removed.map((cell) => ({
    cell,
    ...goes(cell, { struck, ways, takes: glyph.takes, begins, threads }),
  }));
  const end = Math.max(0, ...ways.map(({ land }) => land), ...gone.map(({ at, ms }) => at + ms));
  return { ways, gone, threads, end };
};

/** A capture's second is heard so long after its first. */
const SECOND_MS = 55;

const heardAs = {
  struck: null,
  covered: "second",
  taken: "second",
  passed: "second",
  wiped: "second",
};

/**
 * The notes of a move.
 * @param {Timeline} times
 * @param {{ turns: boolean, wipes: boolean }} kind whether the piece was turned over, and whether numbers are wiped
 * @returns {{ what: string, at: number, step?: number }[]} each with its moment in milliseconds
 */
export const score = ({ ways, gone, threads }, { turns, wipes }) => {
  // Stones that go together land one after another, and are told as the hops of one are.
  const moves = ways.flatMap(({ ends }, number) =>
    ends.map((at, hop) => ({ what: "move", at, step: hop + number })),
  );
  const over = turns ? ways.map(({ at, ends }) => ({ what: "turn", at: (at + ends[0]) / 2 })) : [];
  const left = gone.map(({ how, at }) => ({
    what: how === "wiped" && wipes ? "wipe" : heardAs[how],
    at: how === "wiped" && wipes ? at : at + SECOND_MS,
  }));
  const struck = threads === null ? [] : [{ what: "strike", at: threads }];
  return [...struck, ...moves, ...over, ...left.filter(({ what }) => what)];
};

/** How far a taken piece falls. */
const FALL = 70;

const STANDS = { opacity: 1, transform: "none" };
const away = (transform) => ({ opacity: 0, transform });

/** The way off the edge of the group of which a piece is taken. */
const outwards = ({ board, trace }, cell) => {
  const group = trace.groups?.find((cells) => cells.includes(cell)) ?? [cell];
  const points = group.map((one) => board.at(one));
  const [x, y] = board
    .at(cell)
    .map(
      (value, axis) => value - points.reduce((sum, point) => sum + point[axis], 0) / points.length,
    );
  const far = Math.hypot(x, y);
  return far ? [(FALL * x) / far, (FALL * y) / far] : [0, FALL];
};

/**
 * What is seen of a piece that leaves the board: under another, struck, taken off, or because it was jumped over.
 * @param {import("./effects.js").Scene} scene
 * @param {{ how: string, cell: string, token: string }} gone
 * @returns {Keyframe[]}
 */
export const leaving = (scene, { how, cell, token }) => {
  if (how === "covered") return [STANDS, away("scale(.4)")];
  if (how === "struck")
    return [STANDS, { opacity: 1, transform: "scale(1.12)", offset: 0.35 }, away("scale(.3)")];
  if (how === "taken")
    return [
      STANDS,
      away(
        `translate(${outwards(scene, cell)
          .map((value) => `${value}px`)
          .join(", ")}) scale(.9)`,
      ),
    ];
  if (how === "passed")
    return [
      STANDS,
      away(`translate(0, ${scene.toEdge(scene.glyph.owner(token), scene.board.at(cell)[1])}px)`),
    ];
  return [STANDS, away("scale(.8)")];
};
