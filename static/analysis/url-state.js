// Serialization of the analysis: the fragment of the address, from which a link restores the whole
// tree, and the export as position, moves, link or file. Used by analysis.js.
import { Tree, wordsOf } from "./tree.js";
import { post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { copy } from "../lib/share.js";
import { say } from "../lib/i18n.js";

const OPTION = "options.";

/** Parses the fragment of the address; missing fields are null, except `options`. */
export const wanted = () => {
  const fields = new URLSearchParams(location.hash.slice(1));
  const options = Object.fromEntries(
    [...fields]
      .filter(([key]) => key.startsWith(OPTION))
      .map(([key, value]) => [key.slice(OPTION.length), value]),
  );
  const at = fields.get("at");
  return {
    variant: fields.get("variant"),
    options,
    start: fields.get("start"),
    moves: fields.get("moves")?.split(" ").filter(Boolean) ?? null,
    at: /^\d+$/.test(at ?? "") ? Number(at) : null,
  };
};

/**
 * Returns the address of an analysis.
 * @param {import("./tree.js").Tree} tree
 * @param {string | null} own
 * @param {string[] | null | undefined} game
 */
const addressOf = (tree, own, game) => {
  const fields = new URLSearchParams();
  const words = wordsOf(tree.root);
  if (!game) {
    fields.set("variant", tree.variant.key);
    for (const { key, default: usual } of tree.variant.options)
      if (String(tree.options[key]) !== String(usual)) fields.set(OPTION + key, tree.options[key]);
    if (tree.root.position !== own) fields.set("start", tree.root.position);
  }
  if (words.length && words.join(" ") !== game?.join(" ")) fields.set("moves", words.join(" "));
  const at = [...tree.root.all()].indexOf(tree.at);
  if (at) fields.set("at", at);
  return `${location.pathname}#${fields}`;
};

/**
 * Writes the analysis to the address.
 * @param {import("./tree.js").Tree} tree
 * @param {string | null} own  initial position, which the address omits; null if it is random
 * @param {string[] | null} [game]  moves of the analyzed game, which the address omits
 */
export const keepAddress = (tree, own, game) =>
  history.replaceState(history.state, "", addressOf(tree, own, game));

/**
 * Loads a tree from a start position and lines of moves. Returns the tree, the initial position
 * `own` that the address omits (null if it is random), and the error `wrong` of the last line with
 * an illegal move, or null.
 * @param {Variant} variant
 * @param {Options} options
 * @param {string | null} start  position text; null for the initial position of the variant
 * @param {string[][]} lines  movetext tokens, see tree.js
 * @param {boolean} given  whether the start comes from a game, which makes it the initial position
 */
export const startOf = async (variant, options, start, lines, given) => {
  const chosen = Object.fromEntries(
    variant.options.map(({ key, default: usual }) => [key, options[key] ?? usual]),
  );
  const seed = variant.chance ? Math.floor(Math.random() * 2 ** 32) : 0;
  const answer = await post("/api/position", {
    variant: variant.key,
    options: chosen,
    ...(start ? { start } : { seed }),
  });
  const { position } = answer;
  const tree = new Tree(variant, chosen, position);
  tree.root.answer = answer;
  const own =
    start && !given
      ? await post("/api/position", { variant: variant.key, options: chosen }).then(
          (told) => told.position,
        )
      : position;
  /** @type {import("./tree.js").ReadError | null} */
  let wrong = null;
  // An illegal move in one line does not prevent the others from being loaded.
  for (const line of lines.filter(({ length }) => length)) {
    wrong = await tree.read(line).then(
      () => wrong,
      (refused) => {
        // After a transient error the moves may still be legal: the link must not lose them.
        if (refused.passes) throw refused;
        return refused;
      },
    );
  }
  return { tree, own: variant.chance ? null : own, wrong };
};

/**
 * Returns movetext tokens as PGN movetext with move numbers.
 * @param {string[]} words
 * @returns {string}
 */
export const numbered = (words) => {
  /** @type {number[]} */
  const left = [];
  let ply = 0;
  let fresh = true;
  return words
    .map((word) => {
      if (word === "(") {
        left.push(ply);
        ply -= 1;
      } else if (word === ")") ply = /** @type {number} */ (left.pop());
      if (word === "(" || word === ")") {
        fresh = true;
        return word;
      }
      const number =
        ply % 2 === 0 ? `${ply / 2 + 1}. ` : fresh && ply ? `${(ply + 1) / 2}... ` : "";
      ply += 1;
      fresh = false;
      return number + word;
    })
    .join(" ")
    .replaceAll("( ", "(")
    .replaceAll(" )", ")");
};

/**
 * Returns the tree as PGN-like text, with the tags of game exports.
 * @param {import("./tree.js").Tree} tree
 */
const textOf = (tree) => {
  const options = tree.variant.options.map(({ key }) => `${key}=${tree.options[key]}`).join(" ");
  const tags = [
    ["Event", "Analysis"],
    ["Site", location.href],
    ["Variant", tree.variant.key],
    ["Options", options],
    ["Start", tree.root.position],
    ["Result", "*"],
  ];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${[numbered(wordsOf(tree.root)), "*"].filter(Boolean).join(" ")}\n`;
};

/**
 * Downloads the tree as a file.
 * @param {import("./tree.js").Tree} tree
 */
const save = (tree) => {
  const url = URL.createObjectURL(new Blob([textOf(tree)], { type: "application/x-chess-pgn" }));
  h("a", { href: url, download: `sprong-${tree.variant.key}.pgn` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/**
 * Returns the card with the copy and download buttons.
 * @param {() => import("./tree.js").Tree} tree  returns the current tree
 * @param {string | null} id  id of the analyzed game, for a link to its record
 */
export const shareCard = (tree, id) => {
  /** @type {(key: string, deed: () => unknown) => HTMLElement} */
  const button = (key, deed) =>
    h("button", { type: "button", class: "btn", onclick: deed }, say(key));
  const record =
    id &&
    h(
      "a",
      {
        class: "btn",
        href: `/game/export/${encodeURIComponent(id)}?as=text`,
        download: `sprong-${id}.pgn`,
      },
      say("analysis.record"),
    );
  return h(
    "section",
    { class: "card share" },
    button("analysis.copyposition", () => copy(tree().at.position)),
    button("analysis.copymoves", () =>
      copy(
        tree()
          .line()
          .slice(1)
          .map(({ u }) => u)
          .join(" "),
      ),
    ),
    button("analysis.copylink", () => copy(location.href)),
    button("analysis.download", () => save(tree())),
    record,
  );
};
