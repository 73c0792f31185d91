// The games whose boards tell much by themselves: dotted fields for pegs, and numbers that are wiped.
import { s } from "../lib/dom.js";
import { cellPlace, tokensOf } from "../model/notation.js";
import { say } from "../lib/i18n.js";

const STONES = 12;
const DOTS = { b: "dot-b", w: "dot-w" };

const pawn = (side) => [
  s("ellipse", { class: "sh", cy: 31, rx: 31, ry: 10 }),
  s("path", {
    class: `peg-${side}`,
    d: "M-28 25C-28 14-10 10-9-9H9C10 10 28 14 28 25C28 37-28 37-28 25Z",
  }),
  s("circle", { class: `peg-${side}`, cy: -21, r: 18.5 }),
];

const capped = (side) => [
  s("ellipse", { class: "sh", cy: 33, rx: 36, ry: 11 }),
  s("path", {
    class: `peg-${side}`,
    d: "M-34 25C-34 10-20 5-19-7H19C20 5 34 10 34 25C34 40-34 40-34 25Z",
  }),
  s("path", { class: "cap", d: "M-26-4C-21-23-9-39 0-53C9-39 21-23 26-4C12 4-12 4-26-4Z" }),
  s("circle", { class: `peg-${side}`, cy: -50, r: 5.5 }),
];

const sideOf = (token) => token.toLowerCase();
const draw = (token) => (token === sideOf(token) ? pawn : capped)(sideOf(token));

/** The far dots of a side's colour that its own stones stand on. */
const home = (cells, board, letter, rows) => {
  const tokens = tokensOf(cells);
  return [...tokens].filter(([cell, token]) => {
    const [col, row] = cellPlace(cell);
    return (
      sideOf(token) === letter && rows(row) && board.marks[board.rows - 1 - row][col] === letter
    );
  }).length;
};

/** Hairlines around the dotted fields: between each of them and a neighbour that has no dot. */
const zones = ({ marks }, { at }) => {
  const dotted = (col, row) => DOTS[marks[row]?.[col]];
  const edge = (here, there) => {
    const [x, y] = [0, 1].map((axis) => (here[axis] + there[axis]) / 2);
    return here[0] === there[0] ? `M${x - 50} ${y}h100` : `M${x} ${y - 50}v100`;
  };
  const edges = marks.flatMap((line, row) =>
    [...line].flatMap((_, col) => {
      if (!dotted(col, row)) return [];
      const near = [
        [col, row - 1],
        [col, row + 1],
        [col - 1, row],
        [col + 1, row],
      ];
      return near.filter(([c, r]) => !dotted(c, r)).map(([c, r]) => edge(at(col, row), at(c, r)));
    }),
  );
  return [s("path", { class: "zone", d: edges.join("") })];
};

/** A walnut board of dished fields. A pawn has a round head; a Hogga is broad and wears a cap. */
export const hogga = {
  className: "hog",
  ground: ({ mark, col, row }) =>
    [
      s("circle", { class: (col + row) % 2 ? "dish light" : "dish", r: 45 }),
      s("path", { class: "lip", d: "M-39 22A45 45 0 0 0 39 22" }),
      DOTS[mark] && s("circle", { class: DOTS[mark], r: 11 }),
    ].filter(Boolean),
  backdrop: zones,
  piece: (token) => (token === "." ? null : s("g", {}, ...draw(token))),
  owner: (token) => ({ b: "first", w: "second" })[sideOf(token)] ?? null,
  keeps: () => false,
  arcs: true,
  sound: "peg",
  hops: true,
  count: ({ cells, extras, board }) => {
    const values = [
      home(cells, board, "b", (row) => row < 4),
      home(cells, board, "w", (row) => row > 8),
    ];
    const alone = /^([12])\+(\d+)$/.exec(extras);
    if (!alone) return { phrase: "count.home", values, of: STONES };
    // Who is home first is told the points won so far.
    const first = Number(alone[1]) - 1;
    return {
      phrase: "count.home",
      values,
      of: STONES,
      more: { at: first, phrase: "count.points", n: Number(alone[2]) },
    };
  },
  says: (token, mark) => {
    const dot = DOTS[mark] ? [say(`cell.${DOTS[mark]}`)] : [];
    const what =
      token === "."
        ? say("cell.empty")
        : say(`cell.${token === sideOf(token) ? "pawn" : "hogga"}`, {
            side: say(`cell.${sideOf(token)}`),
          });
    return [what, ...dot].join(", ");
  },
  moment: [
    ".,w,.,.,.,.,.,.,b,.,.,.",
    "W,.,w,b,W,b,.,.,.,.,.,.",
    ".,.,.,.,.,.,.,.,.,.,.,.",
    ".,.,.,.,W,B,.,.,.,.,.,.",
    ".,.,.,w,b,.,.,.,.,.,.,.",
    ".,.,.,.,w,.,.,.,.,.,.,.",
    ".,.,.,.,b,.,.,.,.,.,.,.",
    ".,.,.,.,.,.,.,.,.,.,.,.",
    ".,.,.,.,.,w,.,w,.,.,.,.",
    ".,.,.,.,w,.,.,.,.,.,.,.",
    ".,.,.,.,.,w,.,.,b,.,.,w",
    ".,.,.,.,.,B,.,.,.,b,.,B",
    ".,.,.,.,b,.,.,.,.,.,b,.",
  ].join("/"),
  icon: (which) => ({
    view: "-50 -58 100 104",
    nodes: { first: pawn("b"), second: pawn("w") }[which] ?? capped("w"),
  }),
};

const BODY =
  "M-24 31C-26 15-10 8-7-4C-13 1-20 3-25 10C-29 12-34 9-34 3C-31-6-26-12-23-19C-19-27-12-31-4-32L3-43L9-31C24-27 31-8 27 31Z";
const MANE = { w: "M13-20l10-3M18-8l9-1M20 5l8 1M20 18l8 1", b: "M10-26C20-19 23-2 20 26" };

const horse = (side) => [
  s("ellipse", { class: "sh", cx: 1, cy: 40, rx: 33, ry: 6 }),
  s("path", { class: `${side}-knight`, d: BODY }),
  s("path", { class: `mane ${side}-mane`, d: MANE[side] }),
  s("circle", { class: `${side}-eye`, cx: -10, cy: -14, r: 3.6 }),
  s("rect", { class: `${side}-knight`, x: -31, y: 28, width: 64, height: 12, rx: 5 }),
];

/** The way of the chalk sweep over a number. */
const SWEEP = "M-34 16C-18 14-4 4 8-2S26-6 36-18";

const isNumber = (token) => /^\d\d$/.test(token);
const isKnight = (token) => token === "w" || token === "b";

const tablet = (number) => {
  const double = number[0] === number[1];
  return [
    s("rect", { class: double ? "double" : "slate", x: -46, y: -46, width: 92, height: 92, rx: 8 }),
    double && s("rect", { class: "inner", x: -40, y: -40, width: 80, height: 80, rx: 5 }),
    s("text", { class: "number", y: 14 }, number),
  ].filter(Boolean);
};

const wiped = (number) => [
  s("text", { class: "wiped", y: 14 }, number),
  s("path", { class: "wipe", d: SWEEP }),
];

/** Slate tablets with chalk numbers; what is wiped leaves the bare bed. */
export const knight = {
  className: "kni",
  ground: ({ token, before, landed }) => {
    const bed = s("rect", { class: "well", x: -50, y: -50, width: 100, height: 100 });
    if (isNumber(token)) return [bed, ...tablet(token)];
    return before && isNumber(before) && !landed ? [bed, ...wiped(before)] : [bed];
  },
  piece: (token) => (isKnight(token) ? s("g", {}, ...horse(token)) : null),
  owner: (token) => ({ w: "first", b: "second" })[token] ?? null,
  keeps: isNumber,
  count: ({ extras }) => {
    const scores = extras.split(":").map(Number);
    return { phrase: "count.points", values: scores.length === 2 ? scores : [0, 0] };
  },
  asks: ({ cells, side }) =>
    cells.includes(side === "first" ? "w" : "b") ? null : say("hint.placeKnight"),
  arcs: true,
  sweep: () => [s("path", { class: "wipe", d: SWEEP })],
  sound: "slate",
  removes: "hint.wipes",
  leave: "hint.leaveDouble",
  goesOn: "hint.wipeDouble",
  // The notation names the square alone; players read the number on it.
  told: (u, before) => {
    const [to] = u.match(/[a-z]\d+/g);
    return `${u} · ${tokenAt(before, to)}`;
  },
  says: (token) => {
    if (token === "w") return say("cell.whiteKnight");
    if (token === "b") return say("cell.blackKnight");
    return token === "." ? say("cell.wiped") : token;
  },
  moment: [
    "11,48,85,22,.,.,33,.,.,44",
    "81,18,55,92,29,66,03,40,77,14",
    "51,.,25,.,.,36,.,10,.,84",
    "21,58,.,.,.,.,43,w,17,54",
    "91,.,.,02,39,76,13,.,.,.",
    "61,.,.,72,09,.,.,20,57,.",
    "31,.,.,.,.,16,.,90,27,.",
    "01,.,75,12,.,.,b,.,.,34",
    "71,.,45,.,19,.,93,30,67,04",
    "41,.,15,52,.,.,63,00,.,.",
  ].join("/"),
  icon: (side) => ({ view: "-50 -50 100 100", nodes: horse(side === "second" ? "b" : "w") }),
};

const tokenAt = (cells, cell) => {
  const rows = cells.split("/");
  return rows[rows.length - Number(cell.slice(1))]?.split(",")[cell.charCodeAt(0) - 97] ?? "";
};
