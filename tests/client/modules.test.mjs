// Structure of the client: folders in layers, one module for the storage of the browser, style
// sheets of limited size, no unused exports, no repeated icons, and fields that only their class
// assigns. ESLint bounds the size of a module, and forbids `Object.assign` to other objects.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { listFiles, clientModules } from "./support/sources.mjs";
import { typeErrorsAfter } from "./support/type-check.mjs";

const STATIC = join(import.meta.dirname, "../../static");

/** Shared layers, lowest first. All other folders are pages, which import nothing but layers. */
const LAYERS = ["lib", "model", "variants", "guidance", "board", "common"];

/**
 * Modules exempt from the layers: the page of an id (a challenge, then its game), and the service
 * worker.
 */
const ENTRIES = ["room.js", "sw.js"];

/** The settings, and the classic script that reads the theme before the first paint. */
const STORAGE_USERS = ["lib/settings.js", "lib/theme.js"];

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+\.js)"/g;

const folderOf = (file) => relative(STATIC, file).split("/").at(-2) ?? "";

/** Returns whether modules of one folder may import modules of the other. */
const mayImport = (from, to) =>
  from === to ||
  (LAYERS.includes(to) && (!LAYERS.includes(from) || LAYERS.indexOf(to) < LAYERS.indexOf(from)));

test("modules import from their folder and lower layers only", () => {
  const violations = [];
  let importCount = 0;
  for (const file of clientModules()) {
    if (ENTRIES.includes(relative(STATIC, file))) continue;
    for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const target = join(dirname(file), path);
      importCount += 1;
      if (!mayImport(folderOf(file), folderOf(target)))
        violations.push(`${relative(STATIC, file)} → ${relative(STATIC, target)}`);
    }
  }
  assert.ok(importCount > 400, `only ${importCount} imports found`);
  assert.deepEqual(violations, []);
});

test("only the settings access the storage of the browser", () => {
  const users = clientModules().filter((file) =>
    /\b(?:localStorage|sessionStorage)\b/.test(readFileSync(file, "utf8")),
  );
  assert.deepEqual(users.map((file) => relative(STATIC, file)).sort(), STORAGE_USERS);
});

test("style sheets are short, and their parts imported once", () => {
  const sheets = listFiles("static/css", ".css").map((file) => [
    relative(join(STATIC, "css"), file),
    readFileSync(file, "utf8"),
  ]);
  const tooLong = sheets.filter(([, source]) => source.trimEnd().split("\n").length > 250);
  assert.deepEqual(
    tooLong.map(([name]) => name),
    [],
  );
  const imports = sheets.flatMap(([name, source]) =>
    [...source.matchAll(/^@import "(.*)";$/gm)].map(([, part]) => join(dirname(name), part)),
  );
  assert.deepEqual(
    imports.toSorted(),
    sheets
      .map(([name]) => name)
      .filter((name) => name.includes("/"))
      .sort(),
  );
  // Rules beside imports would be out of the order in which the imports read.
  for (const [name, source] of sheets)
    if (source.includes("@import")) assert.doesNotMatch(source, /\{/, name);
});

test("every path of an icon has one definition", () => {
  const files = new Map();
  for (const file of clientModules())
    for (const [, path] of readFileSync(file, "utf8").matchAll(/"(M[\d.]+ [^"]{8,})"/g))
      files.set(path, [...(files.get(path) ?? []), relative(STATIC, file)]);
  assert.ok(files.size > 15, `only ${files.size} paths found`);
  assert.deepEqual(
    [...files.values()].filter(({ length }) => length > 1),
    [],
  );
});

test("every export of a module is used elsewhere", () => {
  const sources = [...clientModules(), ...listFiles("tests", ".mjs")].map((file) => [
    file,
    readFileSync(file, "utf8"),
  ]);
  const unused = [];
  for (const [file, source] of sources.slice(0, clientModules().length)) {
    for (const [, name] of source.matchAll(/^export (?:const|class|let) (\w+)/gm)) {
      const pattern = new RegExp(`\\b${name}\\b`);
      if (!sources.some(([other, text]) => other !== file && pattern.test(text)))
        unused.push(`${basename(file)}: ${name}`);
    }
  }
  assert.deepEqual(unused, []);
});

/** Code of the error that a member is read-only. */
const READ_ONLY = "TS2540";

/** Declaration of a field in a class or a constructor, after the comment with its type. */
const DECLARED_FIELD = /\/\*\*((?:(?!\*\/)[^])*\*\/\s+(?:this\.)?(\w+)(?:;| =))/g;

/** Statement by which a field without a declaration begins. */
const ASSIGNED_FIELD = /(?<!\*\/\n)^ {4}this\.(\w+) = /gm;

/** Returns the text of a module in which all fields of its classes are read-only. */
const withReadOnlyFields = (text) => {
  const declared = new Set();
  return text
    .replace(DECLARED_FIELD, (_, rest, name) => {
      declared.add(name);
      return `/** @readonly${rest}`;
    })
    .replace(ASSIGNED_FIELD, (statement, name) =>
      declared.has(name) ? statement : `    /** @readonly */ this.${name} = `,
    );
};

/** Module with assignments that the test has to find. */
const PROBE = `
/** @param {import("./analysis/analysis.js").Analysis} analysis */
export const probe = ({ tree, boardPanel }) => {
  tree.at = tree.root;
  boardPanel.board.flipped ||= true;
  boardPanel.board.state.preview = null;
  boardPanel.best = boardPanel.best;
  boardPanel.clicks.chosen = [];
};
`;

test("no code but its class assigns a field of an object", (context) => {
  /** Lines of the changed copy, by file. */
  const lines = new Map();
  const errors = typeErrorsAfter(context, (folder) => {
    const write = (file, text) => {
      writeFileSync(join(folder, file), text);
      lines.set(file, text.split("\n"));
    };
    for (const file of clientModules())
      write(`static/${relative(STATIC, file)}`, withReadOnlyFields(readFileSync(file, "utf8")));
    write("static/probe.js", PROBE);
  });
  const assignments = errors
    .filter(({ code }) => code === READ_ONLY)
    .map(({ file, line, column }) => ({ file, column, text: lines.get(file)[line - 1] }))
    .filter(({ text, column }) => !text.slice(0, column - 1).endsWith("this."))
    .map(({ file, text }) => `${file}: ${text.trim()}`);
  const expected = PROBE.match(/^ {2}\w.*/gm).map((text) => `static/probe.js: ${text.trim()}`);
  assert.deepEqual(assignments, expected);
});
