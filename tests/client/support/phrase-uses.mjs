// Static analysis of phrase use: keys that client modules pass to a function that renders them, and
// keys that are composed at run time.
//
// Other strings of that form are reported as stray. Used by phrases.test.mjs.
import { parse } from "acorn";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { clientModules } from "./sources.mjs";

/** Functions that render the phrase of a key, or check that it exists. */
const RENDER_FUNCTIONS =
  "actionButton t overrideReason hasPhrase act add confirm button choiceField countdown field heading iconButton leaf link offered pageLink row section setting thumb".split(
    " ",
  );

/** Variables that hold keys until they are rendered. */
const KEY_TABLES =
  "ACCOUNT_LINK BOARD_KEYS CHOICES CONSEQUENCES LOBBY_MESSAGES MORE_LINKS MOVE_KEYS MAIN_LINKS PASS_LINK SECTIONS SUBMIT_KEYS ANNOTATION_KEYS MESSAGES SETTINGS_LINK STEPS letters states key tagline question actionKey".split(
    " ",
  );

/** Properties of a variant's appearance that hold a key. */
const PROPERTIES = ["phrase"];

const nameOf = (node) =>
  node?.type === "MemberExpression" ? nameOf(node.property) : (node?.name ?? node?.value);

/** Returns the names that a declaration or assignment defines. */
const definedNames = ({ type, id, left }) => {
  const target = type === "AssignmentExpression" ? left : id;
  return target.type === "ArrayPattern" ? target.elements.map(nameOf) : [nameOf(target)];
};

/** Returns whether a string is rendered, given its enclosing nodes, innermost first. */
const isRendered = (ancestors) => {
  let isKeyPosition = true;
  for (const node of ancestors) {
    if (node.type === "CallExpression") {
      const name = nameOf(node.callee);
      return (
        isKeyPosition &&
        (RENDER_FUNCTIONS.includes(name) ||
          (name === "unshift" && KEY_TABLES.includes(nameOf(node.callee.object))))
      );
    }
    if (["VariableDeclarator", "AssignmentExpression"].includes(node.type))
      return definedNames(node).every((name) => KEY_TABLES.includes(name));
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
    // Values of placeholders are not keys.
    isKeyPosition &&= node.type !== "Property";
  }
  return false;
};

function* stringsIn(node, ancestors = []) {
  if (node.type === "Literal" && typeof node.value === "string")
    yield { text: node.value, ancestors };
  if (node.type === "TemplateLiteral" && node.expressions.length)
    yield { text: node.quasis.map(({ value }) => value.cooked).join("*"), ancestors };
  for (const child of Object.values(node).flat())
    if (typeof child?.type === "string") yield* stringsIn(child, [node, ...ancestors]);
}

function* declarations(node) {
  if (node.type === "VariableDeclarator" && node.init) yield [nameOf(node.id), node.init];
  for (const child of Object.values(node).flat())
    if (typeof child?.type === "string") yield* declarations(child);
}

const KEY = /^[a-z]+(\.[\w*:-]+)+$/;

/** Returns the strings and property names in a table. */
const tableStrings = (node) =>
  [...stringsIn(node)]
    .map(({ text }) => text)
    .concat(node.type === "ObjectExpression" ? node.properties.map(({ key }) => nameOf(key)) : []);

/**
 * Returns the phrase keys of all modules: `rendered` are rendered, `composed` contain a `*` for
 * each inserted part, `stray` look like keys but are not rendered (with their file), and
 * `tableStrings(name)` returns the strings in the tables of a name.
 */
export const phraseUses = () => {
  const rendered = new Set();
  const stray = [];
  const tables = new Map();
  for (const file of clientModules()) {
    const tree = parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" });
    for (const { text, ancestors } of stringsIn(tree)) {
      if (isRendered(ancestors)) rendered.add(text);
      else if (KEY.test(text)) stray.push({ file: basename(file), text });
    }
    for (const [name, init] of declarations(tree))
      tables.set(name, [...(tables.get(name) ?? []), ...tableStrings(init)]);
  }
  const keys = [...rendered].filter((text) => KEY.test(text) || !/[.*]/.test(text));
  return {
    rendered: keys.filter((text) => !text.includes("*")),
    composed: keys.filter((text) => text.includes("*")),
    stray,
    tableStrings: (name) => tables.get(name) ?? [],
  };
};
