// SVG plot of a rating history: a line for the rating and a band of one rating deviation on either
// side; and a sparkline without labels. Used by player.js. A point is [ms, rating, rd, …], oldest
// first.
import { s } from "../lib/dom.js";
import { dayText, locale } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";

const HEIGHT = 260;
const LEFT = 44;
const RIGHT = 14;
const TOP = 12;
const BOTTOM = 30;
const LABEL_WIDTH = 130;
const STEPS = [20, 50, 100, 200, 500, 1000];
const LINES_MAX = 5;
/**
 * Maximum half-width of the band: the large deviation of the first games would dominate the plot.
 */
const RD_MAX = 120;
const DAY_MS = 86400000;

/**
 * Point of a history.
 * @typedef {[ms: number, rating: number, rd: number, ...rest: unknown[]]} Point
 */

/**
 * Returns the ratings of the grid lines: round numbers that enclose all ratings with the current
 * deviation.
 * @param {Point[]} points
 */
const gridRatings = (points) => {
  const ratings = points.map(([, rating]) => rating);
  const rd = Math.min(RD_MAX, points[points.length - 1][2]);
  const low = Math.min(...ratings) - rd;
  const high = Math.max(...ratings) + rd;
  const step =
    STEPS.find((size) => Math.ceil((high + 1) / size) - Math.floor((low - 1) / size) < LINES_MAX) ??
    STEPS[STEPS.length - 1];
  const first = Math.floor((low - 1) / step) * step;
  const count = Math.ceil((high + 1 - first) / step);
  return Array.from({ length: count + 1 }, (_, at) => first + at * step);
};

/**
 * Returns the date format of the time axis; a shorter span gets a finer format.
 * @param {number} span  in milliseconds
 */
const dateFormat = (span) => {
  /** @type {Intl.DateTimeFormatOptions} */
  const parts =
    span < 2 * DAY_MS
      ? { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }
      : span < 300 * DAY_MS
        ? { day: "numeric", month: "short" }
        : { month: "short", year: "numeric" };
  return new Intl.DateTimeFormat(locale, parts);
};

/**
 * Returns the path data of a polyline.
 * @param {number[][]} points
 */
const path = (points) =>
  points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/**
 * Returns the accessible description of the plot.
 * @param {Point[]} points
 * @param {string} name  of the variant
 */
const description = (points, name) => {
  const ratings = points.map(([, rating]) => Math.round(rating));
  return t("player.plot", {
    n: points.length,
    name,
    from: dayText(points[0][0]),
    to: dayText(/** @type {Point} */ (points.at(-1))[0]),
    first: ratings[0],
    last: ratings.at(-1),
    low: Math.min(...ratings),
    high: Math.max(...ratings),
  });
};

/**
 * Returns the plot of a history with at least one point.
 * @param {Point[]} points
 * @param {number} width  in pixels
 * @param {string} name  of the variant
 */
export const ratingPlot = (points, width, name) => {
  const lines = gridRatings(points);
  const [low, high] = [lines[0], lines[lines.length - 1]];
  const [start, end] = [points[0][0], points[points.length - 1][0]];
  // Points without a time span are centered.
  const x = (/** @type {number} */ ms) =>
    end === start
      ? (LEFT + width - RIGHT) / 2
      : LEFT + ((width - RIGHT - LEFT) * (ms - start)) / (end - start);
  const y = (/** @type {number} */ rating) =>
    TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.min(high, Math.max(low, rating)))) / (high - low);
  const across = lines.flatMap((rating) => [
    s("path", { class: "rating-plot-grid", d: `M${LEFT} ${y(rating)}H${width - RIGHT}` }),
    s("text", { x: LEFT - 8, y: y(rating) + 4.5, "text-anchor": "end" }, rating),
  ]);
  const label = dateFormat(end - start);
  const count = end === start ? 0 : Math.max(1, Math.floor((width - LEFT - RIGHT) / LABEL_WIDTH));
  const moments = Array.from(
    { length: count + 1 },
    (_, at) => start + ((end - start) * at) / (count || 1),
  );
  const below = moments.map((ms, at) =>
    s(
      "text",
      {
        x: x(ms),
        y: HEIGHT - 8,
        "text-anchor":
          count === 0 ? "middle" : at === 0 ? "start" : at === count ? "end" : "middle",
      },
      label.format(ms),
    ),
  );
  const upper = points.map(([ms, rating, rd]) => [x(ms), y(rating + rd)]);
  const lower = points.map(([ms, rating, rd]) => [x(ms), y(rating - rd)]).reverse();
  const way = points.map(([ms, rating]) => [x(ms), y(rating)]);
  const [lastX, lastY] = way[way.length - 1];
  return s(
    "svg",
    {
      class: "rating-plot",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      width,
      height: HEIGHT,
      role: "img",
      "aria-label": description(points, name),
    },
    ...across,
    ...below,
    s("path", {
      class: "rating-plot-deviation",
      d: `${path(upper)}${path(lower).replace("M", "L")}Z`,
    }),
    s("path", { class: "rating-plot-line", d: path(way) }),
    s("circle", { class: "rating-plot-last", cx: lastX, cy: lastY, r: 5 }),
  );
};

/**
 * Returns a small plot without labels; it is empty with fewer than two points.
 * @param {Point[]} points
 */
export const sparkline = (points) => {
  const ratings = points.map(([, rating]) => rating);
  const low = Math.min(...ratings);
  const range = Math.max(1, Math.max(...ratings) - low);
  const way = points.map(([, rating], at) => [
    (100 * at) / Math.max(1, points.length - 1),
    22 - (20 * (rating - low)) / range,
  ]);
  return s(
    "svg",
    {
      class: "rating-sparkline",
      viewBox: "0 0 100 24",
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    },
    points.length > 1 && s("path", { d: path(way) }),
  );
};
