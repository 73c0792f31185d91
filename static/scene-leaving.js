// How a piece leaves the board: under another, struck, taken off, or because it was jumped over.

/** How far a taken piece falls. */
const FALL = 70;

const STANDS = { opacity: 1, transform: "none" };
const away = (transform) => ({ opacity: 0, transform });

/** The way off the edge of the group of which a piece is taken. */
const outwards = ({ board, trace }, cell) => {
  const group = trace.groups?.find((cells) => cells.includes(cell)) ?? [cell];
  const points = group.map((one) => board.at(one));
  const [x, y] = board.at(cell).map((value, axis) => value - points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  const far = Math.hypot(x, y);
  return far ? [(FALL * x) / far, (FALL * y) / far] : [0, FALL];
};

/**
 * What is seen of it.
 * @param {import("./scene.js").Scene} scene
 * @param {{ how: string, cell: string, token: string }} gone
 * @returns {Keyframe[]}
 */
export const leaving = (scene, { how, cell, token }) => {
  if (how === "covered") return [STANDS, away("scale(.4)")];
  if (how === "struck") return [STANDS, { opacity: 1, transform: "scale(1.12)", offset: 0.35 }, away("scale(.3)")];
  if (how === "taken") return [STANDS, away(`translate(${outwards(scene, cell).map((value) => `${value}px`).join(", ")}) scale(.9)`)];
  if (how === "passed") return [STANDS, away(`translate(0, ${scene.toEdge(scene.glyph.owner(token), scene.board.at(cell)[1])}px)`)];
  return [STANDS, away("scale(.8)")];
};
