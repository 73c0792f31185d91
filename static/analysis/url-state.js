// What is analysed, as it stands in the address: a link brings it back with all that was played, and it can be taken along as
// position, moves, link or file.
import { Tree, wordsOf } from "./tree.js";
import { post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { copy } from "../lib/share.js";
import { say } from "../lib/i18n.js";

const OPTION = "options.";

/** What the address asks for: `{ variant, options, start, moves, at }`, each if it is there. */
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

/** The address of what is looked at; `game` is what was played, if it is about a game. */
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
 * Lets the address say what is looked at; `own` is the start that needs no text.
 * @param {import("./tree.js").Tree} tree
 * @param {string | null} own
 * @param {string[] | null} [game]
 */
export const keepAddress = (tree, own, game) =>
  history.replaceState(history.state, "", addressOf(tree, own, game));

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
  /** @type {any} */
  let wrong = null;
  // Moves that cannot be played do not keep the others from being shown.
  for (const line of lines.filter(({ length }) => length)) {
    wrong = await tree.read(line).then(
      () => wrong,
      (refused) => {
        // What was not answered may be right: the link stays as it is.
        if (refused.passes) throw refused;
        return refused;
      },
    );
  }
  return { tree, own: variant.chance ? null : own, wrong };
};

/**
 * Words as moves with their numbers; what might be played instead of a move stands in parentheses after it.
 * @param {string[]} words
 * @returns {string}
 */
export const numbered = (words) => {
  const left = [];
  let ply = 0;
  let fresh = true;
  return words
    .map((word) => {
      if (word === "(") {
        left.push(ply);
        ply -= 1;
      } else if (word === ")") ply = left.pop();
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

/** The whole as a text in the manner of the records of games. */
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

const save = (tree) => {
  const url = URL.createObjectURL(new Blob([textOf(tree)], { type: "application/x-chess-pgn" }));
  h("a", { href: url, download: `sprong-${tree.variant.key}.pgn` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/**
 * The buttons; `tree()` is what is analysed, `id` the game if it is about one.
 * @param {() => import("./tree.js").Tree} tree
 * @param {string | null} id
 */
export const shareCard = (tree, id) => {
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
