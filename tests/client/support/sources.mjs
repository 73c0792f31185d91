// Static analysis of the sources: modules of the client with their phrases, and identifiers and
// refusal reasons of the server. Used by the tests of phrases and structure.
import { parse } from "acorn";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");

/** Returns all files under a folder with the given suffix. */
export const listFiles = (folder, suffix) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(suffix))
    .map((file) => join(root, folder, file));

/** Returns all modules of the client. */
export const clientModules = () => listFiles("static", ".js");

/** Returns modules of the client with all their static imports. */
export const importClosure = (...names) => {
  const found = new Set(names.map((name) => join(root, "static", name)));
  for (const file of found)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/^import [^;]*?"(\.[^"]+)";$/gm))
      found.add(join(file, "..", path));
  return [...found];
};

function* walkNodes(node) {
  if (typeof node?.type === "string") yield node;
  for (const child of Object.values(node ?? {})) {
    if (child && typeof child === "object") yield* walkNodes(child);
  }
}

/** Returns the keys that occur more than once in an object of a JSON file. */
export const duplicateKeys = (file) =>
  [...walkNodes(parse(`(${readFileSync(file, "utf8")})`, { ecmaVersion: "latest" }))].flatMap(
    ({ type, properties }) => {
      const names = type === "ObjectExpression" ? properties.map(({ key }) => key.value) : [];
      return names.filter((name, index) => names.indexOf(name) !== index);
    },
  );

/** Returns the possible values of a string literal or a choice between string literals. */
const literalValues = (node) => {
  if (node?.type === "ConditionalExpression")
    return [...literalValues(node.consequent), ...literalValues(node.alternate)];
  if (node?.type === "LogicalExpression")
    return [...literalValues(node.left), ...literalValues(node.right)];
  return node?.type === "Literal" && typeof node.value === "string" ? [node.value] : [];
};

/** Returns the names of the values given to `t`, or null if they are not literal. */
const placeholderNames = (values) => {
  if (!values) return [];
  if (
    values.type !== "ObjectExpression" ||
    values.properties.some(({ type }) => type === "SpreadElement")
  )
    return null;
  return values.properties.map(({ key }) => key.name ?? key.value);
};

/** Returns every call `t("key", values)`. */
export const phraseCalls = () =>
  clientModules().flatMap((file) => {
    const nodes = [
      ...walkNodes(
        parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" }),
      ),
    ];
    const calls = nodes.filter(
      ({ type, callee }) => type === "CallExpression" && callee.name === "t",
    );
    return calls.flatMap(({ arguments: [keyNode, values] }) =>
      literalValues(keyNode).map((key) => ({ file, key, names: placeholderNames(values) })),
    );
  });

/** Returns the text of a server file, or of all files in a folder. */
const readServerText = (path) =>
  (path.endsWith(".rs") ? [join(root, path)] : listFiles(path, ".rs"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

/** Returns the strings in server code, and its type and variant names as written in JSON. */
export const serverIdentifiers = (path) => {
  const text = readServerText(path);
  const strings = [...text.matchAll(/"([\w.:-]+)"/g)].map(([, match]) => match);
  const names = [...text.matchAll(/\b[A-Z]\w+/g)].map(
    ([name]) => name[0].toLowerCase() + name.slice(1),
  );
  return new Set([...strings, ...names]);
};

/** Returns the values of an enum of the API. */
const apiEnum = (name) =>
  JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8")).components.schemas[name].enum;

/** Returns the codes of all rules that forbid a click or a move. */
export const brokenRules = () => apiEnum("BrokenRule");

/** Returns all kinds of endings. */
export const endingKinds = () => apiEnum("EndingKind");

/** Returns every reason of a refusal by the server, as its document lists them. */
export const rejectionReasons = () => {
  const document = JSON.parse(readFileSync(join(root, "docs/asyncapi.json"), "utf8"));
  return new Set(document.components.schemas.Reason.enum);
};
