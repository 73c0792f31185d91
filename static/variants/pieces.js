// The games of flat pieces: stones that stack, buttons with holes, stones that are turned over.
import { s } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const LIFT = 13;
const LIFT_MAX = 44;
const TAKEN_MAX = 15;

/** How much higher each stone of a stack lies. */
const liftOf = (height) => Math.min(LIFT, LIFT_MAX / (height - 1));

const top = (side, y) => {
  const face = s("circle", { class: `${side}-top`, cy: y, r: 36 });
  if (side === "w") return [face, s("circle", { class: "w-ring", cy: y, r: 27 })];
  return [face, s("circle", { class: "b-groove", cy: y, r: 27, "stroke-width": 2 })];
};

const lone = (side) => {
  const face = s("circle", { class: `${side}-top`, cy: -4, r: 36 });
  return side === "w"
    ? [
        face,
        s("circle", { class: "w-ring", cy: -4, r: 27 }),
        s("circle", { class: "w-ring", cy: -4, r: 17 }),
      ]
    : [
        face,
        s("path", { class: "b-groove", d: "M-16 -22q10 18 0 36M0 -27v46M16 -22q-10 18 0 36" }),
      ];
};

const stack = (token) => {
  const height = token.length;
  const last = token[height - 1];
  const shadow = s("ellipse", { class: "sh", cy: 9, rx: 37, ry: 35 });
  if (height === 1)
    return [shadow, s("circle", { class: `${token}-side`, cy: 4, r: 36 }), ...lone(token)];
  const lift = liftOf(height);
  const base = 6;
  const beneath = [...token].map((side, at) =>
    s("circle", { class: `${side}-side`, cy: base - at * lift + 4, r: 36 }),
  );
  const y = base - (height - 1) * lift - 4;
  return [
    shadow,
    ...beneath,
    ...top(last, y),
    s("text", { class: `height ${last === "w" ? "w" : "b"}`, y: y + 12 }, String(height)),
  ];
};

/** Flat stones that stack: a stripe for each stone beneath, the height on the top. */
export const caterpillar = {
  className: "cat",
  ground: ({ col, row }) => [
    s("rect", {
      class: (col + row) % 2 ? "s1" : "s2",
      x: -48.8,
      y: -48.8,
      width: 97.6,
      height: 97.6,
      rx: 7,
    }),
  ],
  piece: (token) => (token === "." ? null : s("g", {}, ...stack(token))),
  crawls: true,
  travels: (token) => token.at(-1),
  leaves: (token) => token.slice(0, -1) || null,
  rise: (token) => (token.length > 1 ? (token.length - 1) * liftOf(token.length) - 6 : 0),
  sound: "wood",
  owner: (token) => ({ w: "first", b: "second" })[token.at(-1)] ?? null,
  keeps: () => false,
  count: ({ cells }) => {
    const left = (side) => cells.split(side).length - 1;
    return { phrase: "count.taken", values: [TAKEN_MAX - left("b"), TAKEN_MAX - left("w")] };
  },
  says: (token) => {
    if (token === ".") return say("cell.empty");
    const names = [...token].map((side) => say(`cell.${side}`));
    return token.length === 1
      ? names[0]
      : say("cell.stack", { top: names.at(-1), n: token.length, stack: names.join(", ") });
  },
  moment:
    "b,b,b,b,b,.,.,./.,.,.,b,.,.,.,./b,b,.,bb,.,.,.,./b,.,.,b,.,.,.,./.,.,.,b,.,.,.,w/.,.,.,ww,.,.,w,w/.,.,.,ww,.,w,w,w/.,.,.,w,.,.,.,.",
  icon: (side) => ({
    view: "-42 -50 84 98",
    nodes: stack({ first: "w", second: "b" }[side] ?? "wb"),
  }),
};

const HOLES = {
  1: [[0, 0]],
  2: [
    [-10, 0],
    [10, 0],
  ],
  3: [
    [0, -11],
    [-10.5, 8],
    [10.5, 8],
  ],
  4: [
    [-10, -10],
    [10, -10],
    [-10, 10],
    [10, 10],
  ],
};
const holes = (mark, name, r) =>
  HOLES[mark].map(([cx, cy]) => s("circle", { class: name, cx, cy, r }));

/** The edge of a scalloped button: twelve arcs. */
const scallops = (() => {
  const count = 12;
  const point = (at, r) =>
    [r * Math.cos((at * Math.PI) / count), r * Math.sin((at * Math.PI) / count)]
      .map((value) => value.toFixed(1))
      .join(" ");
  const arcs = Array.from(
    { length: count },
    (_, at) => `Q${point(2 * at + 1, 45)} ${point(2 * at + 2, 34.5)}`,
  );
  return `M${point(0, 34.5)}${arcs.join("")}Z`;
})();

const button = (token, mark) => [
  s("circle", { class: "sh", cy: 4, r: 38 }),
  token === "r"
    ? s("circle", { class: "button-r", r: 38 })
    : s("path", { class: "button-b", d: scallops }),
  s("circle", { class: `dip-${token}`, r: token === "r" ? 26 : 23 }),
  ...holes(mark, "hole", 5.8),
];

/**
 * Buttons on unbleached linen: red ones are plain and round, blue ones scalloped. The cloth shows through the holes, whose number
 * is that of the square beneath.
 */
export const kopf = {
  className: "kop",
  ground: ({ mark }) => [
    s("rect", { class: "cloth", x: -50, y: -50, width: 100, height: 100 }),
    ...holes(mark, "eyelet", 5.4),
  ],
  // Running stitch between the squares.
  backdrop: ({ cols, rows }, { frame }) => {
    const across = Array.from(
      { length: rows - 1 },
      (_, at) => `M${frame} ${frame + 100 * (at + 1)}h${100 * cols}`,
    );
    const down = Array.from(
      { length: cols - 1 },
      (_, at) => `M${frame + 100 * (at + 1)} ${frame}v${100 * rows}`,
    );
    return [s("path", { class: "stitch", d: [...across, ...down].join("") })];
  },
  piece: (token, mark) => (token === "." ? null : s("g", {}, ...button(token, mark))),
  owner: (token) => ({ r: "first", b: "second" })[token] ?? null,
  keeps: () => false,
  shows: true,
  takes: "first",
  sound: "linen",
  count: ({ extras, options }) => ({
    phrase: "count.takenOf",
    values: extras.split(":").map(Number),
    of: Number(options.target),
  }),
  says: (token, mark) => {
    const under = say("cell.holes", { n: Number(mark) });
    return token === "."
      ? `${say("cell.empty")}, ${under}`
      : `${say(token === "r" ? "cell.redButton" : "cell.blueButton")}, ${under}`;
  },
  moment: [
    ".,.,.,.,.,.,.,.,r,.",
    ".,b,r,b,r,b,r,b,r,.",
    ".,r,.,.,b,.,.,.,b,.",
    ".,b,.,.,.,.,.,.,.,.",
    ".,r,.,.,.,.,.,.,b,.",
    ".,.,.,.,.,.,.,.,r,.",
    ".,r,.,.,.,.,.,.,.,.",
    ".,b,.,.,.,.,.,.,.,.",
    "r,r,.,.,b,r,b,r,b,.",
    ".,.,.,.,.,.,.,.,b,.",
  ].join("/"),
  icon: (side) => ({ view: "-48 -46 96 96", nodes: button(side === "first" ? "r" : "b", 4) }),
};

const STONES = 8;
const GOAL = 7;
const NOTCHES = Array.from({ length: 12 }, (_, at) => {
  const angle = (at * Math.PI) / 6;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  return `M${(33 * x).toFixed(1)} ${(33 * y).toFixed(1)}L${(24 * x).toFixed(1)} ${(24 * y).toFixed(1)}`;
}).join("");

const stone = (token) => {
  const side = token.toLowerCase();
  return [
    s("ellipse", { class: "sh", cy: 9, rx: 36, ry: 34 }),
    s("circle", { class: `rim-${side}`, cy: 4, r: 35 }),
    s("circle", { class: `face-${side}`, r: 35 }),
    side === "r" && s("path", { class: "notches", d: NOTCHES }),
    token === side
      ? s("path", { class: `glint glint-${side}`, d: "M-23-12C-18-20-12-24-5-25" })
      : s("circle", { class: `ring-${side}`, r: 15 }),
  ].filter(Boolean);
};

const pairs = (extras) => extras.split(" ").map((pair) => pair.split(":").map(Number));

/** Stones on dusky tiles. White is smooth, red has notches at its edge; a ring is the circle, up. */
export const weg = {
  className: "weg",
  ground: () => [
    s("rect", { class: "tile-edge", x: -46, y: -42, width: 92, height: 92, rx: 12 }),
    s("rect", { class: "tile", x: -46, y: -46, width: 92, height: 92, rx: 12 }),
  ],
  piece: (token) => (token === "." ? null : s("g", {}, ...stone(token))),
  owner: (token) => ({ w: "first", r: "second" })[token.toLowerCase()] ?? null,
  keeps: () => false,
  arcs: true,
  takes: "passed",
  sound: "tile",
  turns: (before, now) => before !== now,
  count: ({ extras }) => {
    const [hand, off] = pairs(extras);
    // While stones are placed, each player holds those of the opponent.
    if (hand[0] + hand[1])
      return { phrase: "count.toPlace", values: [hand[1], hand[0]], slots: STONES, others: true };
    return { phrase: "count.off", values: off, of: GOAL, slots: GOAL };
  },
  asks: ({ extras, side }) =>
    pairs(extras)[0].some(Boolean)
      ? say(side === "first" ? "hint.placeRed" : "hint.placeWhite")
      : null,
  told: (u, before, trace) => (trace?.removed?.length ? `${u} ⊖${trace.removed.length}` : u),
  says: (token) => {
    if (token === ".") return say("cell.empty");
    return say(token === token.toLowerCase() ? "cell.down" : "cell.up", {
      side: say(token.toLowerCase() === "w" ? "side.white" : "side.red"),
    });
  },
  moment: "#,#,.,w,#,#/#,r,.,.,w,#/r,w,.,.,r,./R,w,.,.,r,./#,r,W,W,.,#/#,#,.,.,#,#",
  icon: (side) => ({
    view: "-40 -40 80 84",
    nodes: stone({ first: "w", second: "r" }[side] ?? "R"),
  }),
};
