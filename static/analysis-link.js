// What is looked at, as it stands in the address: a link brings it back.
import { wordsOf } from "./analysis-tree.js";

const OPTION = "options.";

/** What the address asks for: `{ variant, options, start, moves, at }`, each if it is there. */
export const wanted = () => {
  const fields = new URLSearchParams(location.hash.slice(1));
  const options = Object.fromEntries([...fields].filter(([key]) => key.startsWith(OPTION)).map(([key, value]) => [key.slice(OPTION.length), value]));
  const at = fields.get("at");
  return {
    variant: fields.get("variant"), options, start: fields.get("start"),
    moves: fields.get("moves")?.split(" ").filter(Boolean) ?? null,
    at: /^\d+$/.test(at ?? "") ? Number(at) : null,
  };
};

/** The address of what is looked at; `game` is what was played, if it is about a game. */
const addressOf = (tree, own, game) => {
  const fields = new URLSearchParams();
  const words = wordsOf(tree.root);
  if (!game) {
    fields.set("variant", tree.variant.key);
    for (const { key, default: usual } of tree.variant.options) if (String(tree.options[key]) !== String(usual)) fields.set(OPTION + key, tree.options[key]);
    if (tree.root.position !== own) fields.set("start", tree.root.position);
  }
  if (words.length && words.join(" ") !== game?.join(" ")) fields.set("moves", words.join(" "));
  const at = [...tree.root.all()].indexOf(tree.at);
  if (at) fields.set("at", at);
  return `${location.pathname}#${fields}`;
};

/**
 * Lets the address say what is looked at; `own` is the start that needs no text.
 * @param {import("./analysis-tree.js").Tree} tree
 * @param {string | null} own
 * @param {string[] | null} [game]
 */
export const keepAddress = (tree, own, game) => history.replaceState(history.state, "", addressOf(tree, own, game));
