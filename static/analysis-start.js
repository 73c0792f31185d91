// What an analysis begins with: a start, and all that was played from there.
import { Tree } from "./analysis-tree.js";
import { post } from "./api.js";

/**
 * Asks for that start, the variant's own if it is null, and for all that stood in `lines`. `own` is the variant's own
 * start, which is not looked for if a game gives it; `wrong` is why a line cannot be played, if one cannot.
 * @param {Variant} variant
 * @param {Options} options
 * @param {string | null} start
 * @param {string[][]} lines
 * @param {boolean} given
 */
export const startOf = async (variant, options, start, lines, given) => {
  const chosen = Object.fromEntries(variant.options.map(({ key, default: usual }) => [key, options[key] ?? usual]));
  const seed = variant.chance ? Math.floor(Math.random() * 2 ** 32) : 0;
  const answer = await post("/api/position", { variant: variant.key, options: chosen, ...(start ? { start } : { seed }) });
  const { position } = answer;
  const tree = new Tree(variant, chosen, position);
  tree.root.answer = answer;
  const own = start && !given ? await post("/api/position", { variant: variant.key, options: chosen }).then((told) => told.position) : position;
  /** @type {any} */
  let wrong = null;
  // Moves that cannot be played do not keep the others from being shown.
  for (const line of lines.filter(({ length }) => length)) {
    wrong = await tree.read(line).then(() => wrong, (refused) => {
      // What was not answered may be right: the link stays as it is.
      if (refused.passes) throw refused;
      return refused;
    });
  }
  return { tree, own: variant.chance ? null : own, wrong };
};
