// Serialization of the analysis: the fragment of the address, from which a link restores the whole
// tree, and the export as position, moves, link or file. Used by analysis.js.
import { Tree, movetextTokens } from "./tree.js";
import { post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { copy } from "../lib/share.js";
import { t } from "../lib/i18n.js";

const OPTION = "options.";

/** Parses the fragment of the address; missing fields are null, except `options`. */
export const parseAddress = () => {
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
 * @param {string | null} initial
 * @param {string[] | null | undefined} game
 */
const formatAddress = (tree, initial, game) => {
  const fields = new URLSearchParams();
  const movetext = movetextTokens(tree.root);
  if (!game) {
    fields.set("variant", tree.variant.key);
    for (const { key, default: fallback } of tree.variant.options)
      if (String(tree.options[key]) !== String(fallback))
        fields.set(OPTION + key, tree.options[key]);
    if (tree.root.position !== initial) fields.set("start", tree.root.position);
  }
  if (movetext.length && movetext.join(" ") !== game?.join(" "))
    fields.set("moves", movetext.join(" "));
  const at = [...tree.root.walk()].indexOf(tree.at);
  if (at) fields.set("at", at);
  return `${location.pathname}#${fields}`;
};

/**
 * Writes the analysis to the address.
 * @param {import("./tree.js").Tree} tree
 * @param {string | null} initial  initial position, which the address omits; null if it is random
 * @param {string[] | null} [game]  moves of the analyzed game, which the address omits
 */
export const writeAddress = (tree, initial, game) =>
  history.replaceState(history.state, "", formatAddress(tree, initial, game));

/**
 * Loads a tree from a start position and lines of moves. Returns the tree, the initial position
 * `own` that the address omits (null if it is random), and the error `error` of the last line with
 * an illegal move, or null.
 * @param {Variant} variant
 * @param {Options} options
 * @param {string | null} start  position text; null for the initial position of the variant
 * @param {string[][]} lines  movetext tokens, see tree.js
 * @param {boolean} isGame  whether the start comes from a game, which makes it the initial position
 */
export const loadTree = async (variant, options, start, lines, isGame) => {
  const chosen = Object.fromEntries(
    variant.options.map(({ key, default: fallback }) => [key, options[key] ?? fallback]),
  );
  const seed = variant.chance ? Math.floor(Math.random() * 2 ** 32) : 0;
  const answer = await post("/api/position", {
    variant: variant.key,
    options: chosen,
    ...(start ? { start } : { seed }),
  });
  const { position } = answer;
  const tree = new Tree(variant, chosen, position);
  tree.root.setAnswer(answer);
  const own =
    start && !isGame
      ? await post("/api/position", { variant: variant.key, options: chosen }).then(
          (initial) => initial.position,
        )
      : position;
  /** @type {import("./tree.js").ReadError | null} */
  let error = null;
  // An illegal move in one line does not prevent the others from being loaded.
  for (const line of lines.filter(({ length }) => length)) {
    error = await tree.addMoves(line).then(
      () => error,
      (refused) => {
        // After a transient error the moves may still be legal: the link must not lose them.
        if (refused.isTransient) throw refused;
        return refused;
      },
    );
  }
  return { tree, own: variant.chance ? null : own, error };
};

/**
 * Returns movetext tokens as PGN movetext with move numbers.
 * @param {string[]} tokens
 * @returns {string}
 */
export const numberedMovetext = (tokens) => {
  /** @type {number[]} */
  const plies = [];
  let ply = 0;
  let needsNumber = true;
  return tokens
    .map((token) => {
      if (token === "(") {
        plies.push(ply);
        ply -= 1;
      } else if (token === ")") ply = /** @type {number} */ (plies.pop());
      if (token === "(" || token === ")") {
        needsNumber = true;
        return token;
      }
      const number =
        ply % 2 === 0 ? `${ply / 2 + 1}. ` : needsNumber && ply ? `${(ply + 1) / 2}... ` : "";
      ply += 1;
      needsNumber = false;
      return number + token;
    })
    .join(" ")
    .replaceAll("( ", "(")
    .replaceAll(" )", ")");
};

/**
 * Returns the tree as PGN-like text, with the tags of game exports.
 * @param {import("./tree.js").Tree} tree
 */
const pgnOf = (tree) => {
  const options = tree.variant.options.map(({ key }) => `${key}=${tree.options[key]}`).join(" ");
  const tags = [
    ["Event", "Analysis"],
    ["Site", location.href],
    ["Variant", tree.variant.key],
    ["Options", options],
    ["Start", tree.root.position],
    ["Result", "*"],
  ];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${[numberedMovetext(movetextTokens(tree.root)), "*"].filter(Boolean).join(" ")}\n`;
};

/**
 * Downloads the tree as a file.
 * @param {import("./tree.js").Tree} tree
 */
const downloadPgn = (tree) => {
  const url = URL.createObjectURL(new Blob([pgnOf(tree)], { type: "application/x-chess-pgn" }));
  h("a", { href: url, download: `sprong-${tree.variant.key}.pgn` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/**
 * Returns the card with the copy and download buttons.
 * @param {() => import("./tree.js").Tree} tree  returns the current tree
 * @param {string | null} id  id of the analyzed game, for a link to its record
 */
export const shareCard = (tree, id) => {
  /** @type {(key: string, action: () => unknown) => HTMLElement} */
  const button = (key, action) =>
    h("button", { type: "button", class: "btn", onclick: action }, t(key));
  const record =
    id &&
    h(
      "a",
      {
        class: "btn",
        href: `/game/export/${encodeURIComponent(id)}?as=text`,
        download: `sprong-${id}.pgn`,
      },
      t("analysis.record"),
    );
  return h(
    "section",
    { class: "card analysis-share" },
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
    button("analysis.download", () => downloadPgn(tree())),
    record,
  );
};
