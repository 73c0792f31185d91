// Wie niet weg is: stones that are turned over.
import { s } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

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
