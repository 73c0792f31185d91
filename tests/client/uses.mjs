// Where phrases are said: which keys stand where something says them, and which are put together there.
import { parse } from "acorn";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { modules } from "./sources.mjs";

/** What says the phrase whose key it is given, or asks whether there is one. */
const SAYERS =
  "actionButton setOffer say overrideReason hasPhrase act add ask button choiceField countdown field heading iconButton leaf link offered pageLink row section setting thumb".split(
    " ",
  );

/** Tables of keys, and names that a key has until it is said. */
const TABLES =
  "ACCOUNT_LINK BOARD_KEYS CHOICES CONSEQUENCES LOBBY_MESSAGES MORE_LINKS MOVE_KEYS MAIN_LINKS SUBMIT_KEYS SIGNS MESSAGES STEPS letters states key tagline question does".split(
    " ",
  );

/** As what a variant's look, or what it counts, names a phrase. */
const PROPERTIES = ["phrase", "continueKey", "finishKey", "removesKey"];

const nameOf = (node) =>
  node?.type === "MemberExpression" ? nameOf(node.property) : (node?.name ?? node?.value);

/** The names that a declaration or an assignment gives. */
const namesOf = ({ type, id, left }) => {
  const to = type === "AssignmentExpression" ? left : id;
  return to.type === "ArrayPattern" ? to.elements.map(nameOf) : [nameOf(to)];
};

/** Whether what stands in those nodes, the nearest first, is said. */
const isSaid = (around) => {
  let given = true;
  for (const node of around) {
    if (node.type === "CallExpression") {
      const name = nameOf(node.callee);
      return (
        given &&
        (SAYERS.includes(name) ||
          (name === "unshift" && TABLES.includes(nameOf(node.callee.object))))
      );
    }
    if (["VariableDeclarator", "AssignmentExpression"].includes(node.type))
      return namesOf(node).every((name) => TABLES.includes(name));
    if (node.type === "Property" && PROPERTIES.includes(nameOf(node.key))) return true;
    if (
      ![
        "ConditionalExpression",
        "LogicalExpression",
        "ArrayExpression",
        "Property",
        "ObjectExpression",
      ].includes(node.type)
    )
      return false;
    // The values that are put into a phrase are none.
    given &&= node.type !== "Property";
  }
  return false;
};

function* textsOf(node, around = []) {
  if (node.type === "Literal" && typeof node.value === "string") yield { text: node.value, around };
  if (node.type === "TemplateLiteral" && node.expressions.length)
    yield { text: node.quasis.map(({ value }) => value.cooked).join("*"), around };
  for (const child of Object.values(node).flat())
    if (typeof child?.type === "string") yield* textsOf(child, [node, ...around]);
}

function* declared(node) {
  if (node.type === "VariableDeclarator" && node.init) yield [nameOf(node.id), node.init];
  for (const child of Object.values(node).flat())
    if (typeof child?.type === "string") yield* declared(child);
}

const KEY = /^[a-z]+(\.[\w*:-]+)+$/;

/** The strings and the names of properties in the tables of that name. */
const wordsOf = (node) =>
  [...textsOf(node)]
    .map(({ text }) => text)
    .concat(node.type === "ObjectExpression" ? node.properties.map(({ key }) => nameOf(key)) : []);

/**
 * Of all modules: the keys that are said, those that are put together with a `*` for what is put in; what has the form
 * of a key and stands where nobody says it, with its file; and `words(name)`, what the tables of that name hold.
 */
export const uses = () => {
  const said = new Set();
  const stray = [];
  const tables = new Map();
  for (const file of modules()) {
    const tree = parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
    for (const { text, around } of textsOf(tree)) {
      if (isSaid(around)) said.add(text);
      else if (KEY.test(text)) stray.push({ file: basename(file), text });
    }
    for (const [name, init] of declared(tree))
      tables.set(name, [...(tables.get(name) ?? []), ...wordsOf(init)]);
  }
  const keys = [...said].filter((text) => KEY.test(text) || !/[.*]/.test(text));
  return {
    said: keys.filter((text) => !text.includes("*")),
    composed: keys.filter((text) => text.includes("*")),
    stray,
    words: (name) => tables.get(name) ?? [],
  };
};
