// The modules of the pages as they are written: their strings, patterns of strings, and what is said.
import { parse } from "acorn";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** All files under a folder that end so. */
export const filesOf = (folder, end) => readdirSync(join(root, folder), { recursive: true }).filter((file) => file.endsWith(end)).map((file) => join(root, folder, file));

/** The modules of the pages. */
export const modules = () => filesOf("static", ".js");

function* nodesOf(node) {
  if (typeof node?.type === "string") yield node;
  for (const child of Object.values(node ?? {})) {
    if (child && typeof child === "object") yield* nodesOf(child);
  }
}

/** The names that stand more than once in an object of a JSON file. */
export const twiceIn = (file) => [...nodesOf(parse(`(${readFileSync(file, "utf8")})`, { ecmaVersion: "latest" }))].flatMap(({ type, properties }) => {
  const names = type === "ObjectExpression" ? properties.map(({ key }) => key.value) : [];
  return names.filter((name, at) => names.indexOf(name) !== at);
});

/** The strings that an expression may be, as far as it is a string or a choice of strings. */
const stringsOf = (node) => {
  if (node?.type === "ConditionalExpression") return [...stringsOf(node.consequent), ...stringsOf(node.alternate)];
  if (node?.type === "LogicalExpression") return [...stringsOf(node.left), ...stringsOf(node.right)];
  return node?.type === "Literal" && typeof node.value === "string" ? [node.value] : [];
};

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The names that the values given to `say` have; null if they are not to be seen there. */
const namesOf = (values) => {
  if (!values) return [];
  if (values.type !== "ObjectExpression" || values.properties.some(({ type }) => type === "SpreadElement")) return null;
  return values.properties.map(({ key }) => key.name ?? key.value);
};

/** Every string, every name of a property, every pattern of a template that may be a key, and every `say("key", values)`. */
export const readModules = () => {
  const strings = new Set();
  const patterns = [];
  const said = [];
  const names = new Set();
  for (const file of modules()) {
    for (const node of nodesOf(parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" }))) {
      if (node.type === "Literal" && typeof node.value === "string") strings.add(node.value);
      if (node.type === "Property" && !node.computed) names.add(node.key.name ?? node.key.value);
      const quasis = node.type === "TemplateLiteral" ? node.quasis.map(({ value }) => value.cooked) : [];
      if (quasis.length > 1 && /^[a-z]+\.([a-z]+\.)*$/.test(quasis[0])) patterns.push(new RegExp(`^${quasis.map(escaped).join("([\\w:-]+)")}$`));
      if (node.type === "CallExpression" && node.callee.name === "say") for (const key of stringsOf(node.arguments[0])) said.push({ file, key, names: namesOf(node.arguments[1]) });
    }
  }
  return { strings, names, patterns, said };
};

/** What the server may call something, phrases among it: its strings, and its identifiers as they are written in JSON. */
export const serverWords = () => {
  const text = filesOf("src", ".rs").map((file) => readFileSync(file, "utf8")).join("\n");
  const strings = [...text.matchAll(/"([\w.:-]+)"/g)].map(([, word]) => word);
  const names = [...text.matchAll(/\b[A-Z]\w+/g)].map(([name]) => name[0].toLowerCase() + name.slice(1));
  return new Set([...strings, ...names]);
};

/** The patterns of keys that the server puts together: "level.{n}". */
export const serverPatterns = () => {
  const text = filesOf("src", ".rs").map((file) => readFileSync(file, "utf8")).join("\n");
  return [...text.matchAll(/"([a-z]+\.)\{\w*\}([\w.]*)"/g)].map(([, head, tail]) => new RegExp(`^${escaped(head)}([\\w:-]+)${escaped(tail)}$`));
};
