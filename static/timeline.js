// When what happens while a move is seen, in milliseconds from its beginning. Eyes and ears follow
// the same timeline; nothing is drawn here.

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
const leaving = (cell, { struck, ways, takes, begins, threads }) => {
  if (struck.has(cell)) return { how: "struck", at: threads + THREAD_MS, ms: POP_MS };
  if (takes === "first") return { how: "taken", at: 0, ms: GONE_MS };
  const captor = ways.find(({ path }) => path.at(-1) === cell);
  if (captor) return { how: "covered", at: Math.max(0, captor.land - POP_MS / 2), ms: GONE_MS };
  const [land, start] = [Math.max(0, ...ways.map((way) => way.land)), begins];
  return takes === "passed" ? { how: "passed", at: (land + start) / 2, ms: GONE_MS } : { how: "wiped", at: land + 60, ms: SWEEP_MS + GONE_MS };
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
    const isDropped = dropped && path.length > 1 && path[0] === dropped.from && path.at(-1) === dropped.to;
    const at = begins + (lifted ? LIFT_MS + APART_MS * number : 0);
    const ends = isDropped ? path.slice(1).map(() => at) : landings(Math.max(1, path.length - 1), glyph.arcs ? HOP_MS : STEP_MS).map((ms) => at + ms);
    return { path, at, ends, land: ends[ends.length - 1], lifted };
  });
  const gone = removed.map((cell) => ({ cell, ...leaving(cell, { struck, ways, takes: glyph.takes, begins, threads }) }));
  const end = Math.max(0, ...ways.map(({ land }) => land), ...gone.map(({ at, ms }) => at + ms));
  return { ways, gone, threads, end };
};
