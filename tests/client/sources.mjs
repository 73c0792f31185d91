// The modules of the pages as they are written, and what they say; the words of the server.
import { parse } from "acorn";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** All files under a folder that end so. */
export const filesOf = (folder, end) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith(end))
    .map((file) => join(root, folder, file));

/** The modules of the pages. */
export const modules = () => filesOf("static", ".js");

/** Those modules of the pages, and all that must be there before they run. */
export const needed = (...names) => {
  const found = new Set(names.map((name) => join(root, "static", name)));
  for (const file of found)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/^import [^;]*?"(\.[^"]+)";$/gm))
      found.add(join(file, "..", path));
  return [...found];
};

function* nodesOf(node) {
  if (typeof node?.type === "string") yield node;
  for (const child of Object.values(node ?? {})) {
    if (child && typeof child === "object") yield* nodesOf(child);
  }
}

/** The names that stand more than once in an object of a JSON file. */
export const twiceIn = (file) =>
  [...nodesOf(parse(`(${readFileSync(file, "utf8")})`, { ecmaVersion: "latest" }))].flatMap(
    ({ type, properties }) => {
      const names = type === "ObjectExpression" ? properties.map(({ key }) => key.value) : [];
      return names.filter((name, at) => names.indexOf(name) !== at);
    },
  );

/** The strings that an expression may be, as far as it is a string or a choice of strings. */
const stringsOf = (node) => {
  if (node?.type === "ConditionalExpression")
    return [...stringsOf(node.consequent), ...stringsOf(node.alternate)];
  if (node?.type === "LogicalExpression")
    return [...stringsOf(node.left), ...stringsOf(node.right)];
  return node?.type === "Literal" && typeof node.value === "string" ? [node.value] : [];
};

/** The names that the values given to `say` have; null if they are not to be seen there. */
const namesOf = (values) => {
  if (!values) return [];
  if (
    values.type !== "ObjectExpression" ||
    values.properties.some(({ type }) => type === "SpreadElement")
  )
    return null;
  return values.properties.map(({ key }) => key.name ?? key.value);
};

/** Every `say("key", values)`. */
export const sayings = () =>
  modules().flatMap((file) => {
    const nodes = [
      ...nodesOf(
        parse(readFileSync(file, "utf8"), { ecmaVersion: "latest", sourceType: "module" }),
      ),
    ];
    const calls = nodes.filter(
      ({ type, callee }) => type === "CallExpression" && callee.name === "say",
    );
    return calls.flatMap(({ arguments: [what, values] }) =>
      stringsOf(what).map((key) => ({ file, key, names: namesOf(values) })),
    );
  });

/** The text of a file of the server, or of all in a folder. */
const serverText = (place) =>
  (place.endsWith(".rs") ? [join(root, place)] : filesOf(place, ".rs"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

/** What the server may call something there: its strings, and its identifiers as they are written in JSON. */
export const serverWords = (place) => {
  const text = serverText(place);
  const strings = [...text.matchAll(/"([\w.:-]+)"/g)].map(([, word]) => word);
  const names = [...text.matchAll(/\b[A-Z]\w+/g)].map(
    ([name]) => name[0].toLowerCase() + name.slice(1),
  );
  return new Set([...strings, ...names]);
};

/** How a reason is written: with its status, its field or its sentence, or as the word of a refusal. */
const WRITTEN = [
  /\(StatusCode::(?!OK)\w+, "(\w+)"\)/g,
  /(?:\bbad|InvalidField)\(\s*"(\w+)"/g,
  /refuse\(\s*\w+,\s*"(\w+)"/g,
  /(?<!\bdecline)\(\s*"(\w+)",\s*"[A-Z][^"]*\."\s*\)/g,
  /(?:Refusal|Ineligible|CommandError)::\w+(?: \{ \.\. \}|\(_\))? => "(\w+)"/g,
  /"reason": "(\w+)"/g,
];

/** Every reason for which the server refuses something. */
export const reasons = () =>
  new Set(
    [...filesOf("src/http", ".rs"), ...filesOf("crates/core/src/play", ".rs")]
      .filter((file) => !file.includes("/pages/"))
      .flatMap((file) => {
        const text = readFileSync(file, "utf8").split("#[cfg(test)]")[0];
        return WRITTEN.flatMap((written) => [...text.matchAll(written)].map(([, word]) => word));
      }),
  );
