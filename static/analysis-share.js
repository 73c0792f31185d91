// What is analysed, to be taken along: position, moves, link, file.
import { wordsOf } from "./analysis-tree.js";
import { copy } from "./copy.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * Words as moves with their numbers; what might be played instead of a move stands in parentheses after it.
 * @param {string[]} words
 * @returns {string}
 */
export const numbered = (words) => {
  const left = [];
  let ply = 0;
  let fresh = true;
  return words.map((word) => {
    if (word === "(") {
      left.push(ply);
      ply -= 1;
    } else if (word === ")") ply = left.pop();
    if (word === "(" || word === ")") {
      fresh = true;
      return word;
    }
    const number = ply % 2 === 0 ? `${ply / 2 + 1}. ` : fresh && ply ? `${(ply + 1) / 2}... ` : "";
    ply += 1;
    fresh = false;
    return number + word;
  }).join(" ").replaceAll("( ", "(").replaceAll(" )", ")");
};

/** The whole as a text in the manner of the records of games. */
const textOf = (tree) => {
  const options = tree.variant.options.map(({ key }) => `${key}=${tree.options[key]}`).join(" ");
  const tags = [["Event", "Analysis"], ["Site", location.href], ["Variant", tree.variant.key], ["Options", options], ["Start", tree.root.position], ["Result", "*"]];
  return `${tags.map(([name, value]) => `[${name} "${value}"]`).join("\n")}\n\n${[numbered(wordsOf(tree.root)), "*"].filter(Boolean).join(" ")}\n`;
};

const save = (tree) => {
  const url = URL.createObjectURL(new Blob([textOf(tree)], { type: "application/x-chess-pgn" }));
  h("a", { href: url, download: `sprong-${tree.variant.key}.pgn` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
};

/**
 * The buttons; `tree()` is what is analysed, `id` the game if it is about one.
 * @param {() => import("./analysis-tree.js").Tree} tree
 * @param {string | null} id
 */
export const shareCard = (tree, id) => {
  const button = (key, deed) => h("button", { type: "button", class: "btn", onclick: deed }, say(key));
  const record = id && h("a", { class: "btn", href: `/game/export/${encodeURIComponent(id)}?as=text`, download: `sprong-${id}.pgn` }, say("analysis.record"));
  return h("section", { class: "card share" },
    button("analysis.copyposition", () => copy(tree().at.position)),
    button("analysis.copymoves", () => copy(tree().line().slice(1).map(({ u }) => u).join(" "))),
    button("analysis.copylink", () => copy(location.href)),
    button("analysis.download", () => save(tree())), record);
};
