// Pieces and cells exist once, as symbols of static/pieces, and their colors once, in
// static/css/base/colors.css. `tests/pieces.txt` has the symbols of each token.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { test } from "node:test";
import { clientModules, listFiles } from "./support/sources.mjs";

const ROOT = join(import.meta.dirname, "../..");
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** Element that records its name, attributes and children. */
class RecordedElement {
  constructor(name) {
    Object.assign(this, { name, attributes: {}, children: [] });
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  append(...children) {
    this.children.push(...children);
  }
}
document.createElementNS = (_, name) => new RecordedElement(name);

const { icon, pieceSetOf } = await import("../../static/variants/index.js");

/** Returns the symbols that nodes refer to, with vertical offsets as in `tests/pieces.txt`. */
const symbolsOf = (nodes, key) =>
  nodes
    .filter(({ name }) => name !== "text")
    .map(({ name, attributes: { href, y } }) => {
      assert.equal(name, "use", `${key}: ${name}`);
      assert.ok(href.startsWith(`#${key}-`), href);
      const offset = y === undefined ? "" : `@${Number(Number(y).toFixed(2))}`;
      return href.slice(key.length + 2) + offset;
    });

const expectedLines = read("tests/pieces.txt")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => {
    const [[kind, key, ...cell], symbols] = line.split(" = ").map((part) => part.split(" "));
    return { line, kind, key, cell, symbols };
  });

/** Draws the piece or the cell of a line. */
const draw = ({ kind, key, cell }) => {
  const pieceSet = pieceSetOf(key);
  if (kind === "piece") return pieceSet.piece(...cell).children;
  const [color, token, before, mark] = cell;
  const landed = pieceSet.owner(token) !== null || before === token;
  return pieceSet.ground({ token, before, landed, mark, col: color === "light" ? 1 : 0, row: 0 });
};

/** Content of the sheets, by name of their file. */
const sheets = new Map(
  listFiles("static/pieces", ".svg").map((file) => [basename(file), readFileSync(file, "utf8")]),
);
const symbolIds = [...sheets.values()].flatMap((sheet) =>
  [...sheet.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id),
);
const variants = [...new Set(expectedLines.map(({ key }) => key))];

test("tokens and cells are drawn with the expected symbols", () => {
  for (const expected of expectedLines)
    assert.deepEqual(
      symbolsOf(draw(expected), expected.key),
      expected.symbols,
      `expected ${expected.line}`,
    );
});

test("the expected symbols are those of the sheets", () => {
  const expectedIds = expectedLines.flatMap(({ key, symbols }) =>
    symbols.map((symbol) => `${key}-${symbol.split("@")[0]}`),
  );
  assert.deepEqual([...symbolIds].sort(), [...new Set(expectedIds)].sort());
  assert.equal(sheets.size, variants.length);
});

test("icons and sweeps are symbols of their variant", () => {
  for (const key of variants) {
    for (const side of [undefined, "first", "second"]) {
      const { name, attributes, children } = icon(key, side);
      assert.deepEqual([name, attributes.class], ["svg", `variant-${key}`]);
      const ids = symbolsOf(children, key).map((symbol) => `${key}-${symbol.split("@")[0]}`);
      assert.ok(ids.length > 0 && ids.every((id) => symbolIds.includes(id)), `${key}: ${ids}`);
    }
    const sweep = pieceSetOf(key).sweep?.() ?? [];
    for (const symbol of symbolsOf(sweep, key)) assert.ok(symbolIds.includes(`${key}-${symbol}`));
  }
});

test("every token of a position has a piece of known symbols", () => {
  for (const key of variants) {
    const { sampleCells, piece, owner } = pieceSetOf(key);
    const tokens = new Set(sampleCells.split(/[/,]/).filter((token) => owner(token)));
    assert.ok(tokens.size > 1, key);
    for (const token of tokens)
      for (const symbol of symbolsOf(piece(token, "1").children, key))
        assert.ok(
          symbolIds.includes(`${key}-${symbol.split("@")[0]}`),
          `${key} ${token}: ${symbol}`,
        );
  }
});

const baseStyles = read("static/css/base/colors.css");

/** Returns the custom properties in the first block with a selector, by name. */
const colorsOf = (selector) => {
  const [, rest] = baseStyles.split(`\n${selector} {\n`);
  assert.ok(rest, `no block ${selector}`);
  return new Map(
    [...rest.split("\n}")[0].matchAll(/^\s*--([\w-]+): (.+);$/gm)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
};

const rootColors = colorsOf(":root");
const variantColors = new Map(variants.map((key) => [key, colorsOf(`.variant-${key}`)]));
const usedColors = (text) => [...text.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name);

test("the color table has every color of the sheets", () => {
  for (const [file, sheet] of sheets) {
    const [, key] = sheet.match(/<symbol id="(\w+)-/);
    const used = usedColors(sheet);
    assert.ok(used.length > 5, file);
    for (const name of used)
      assert.ok(variantColors.get(key).has(name) || rootColors.has(name), `${file}: --${name}`);
    // A literal color or a style would escape the table.
    const paints = [...sheet.matchAll(/(?:fill|stroke|color)="([^"]+)"/g)].map(
      ([, paint]) => paint,
    );
    assert.deepEqual(
      paints.filter((paint) => paint !== "none" && !/^var\(--[\w-]+\)$/.test(paint)),
      [],
      file,
    );
    assert.doesNotMatch(sheet, /style=|<style|class=/, file);
  }
});

test("every color of a variant is used", () => {
  const styles = listFiles("static/css", ".css").map((file) => readFileSync(file, "utf8"));
  const server = listFiles("src/render", ".rs").map((file) => readFileSync(file, "utf8"));
  const common = new Set([
    ...styles.flatMap(usedColors),
    ...server.flatMap((source) => [...source.matchAll(/"([a-z-]+)"/g)].map(([, name]) => name)),
  ]);
  for (const [key, colors] of variantColors) {
    const sheet = [...sheets.values()].find((text) => text.includes(`<symbol id="${key}-`));
    const used = new Set(usedColors(sheet));
    const unused = [...colors.keys()].filter((name) => !used.has(name) && !common.has(name));
    assert.deepEqual(unused, [], key);
  }
});

test("colors of pieces occur in the color table only", () => {
  const pieceColors = new Set(
    [
      ...[...variantColors.values()].flatMap((colors) => [...colors.values()]),
      // A color that depends on the theme has two values.
      ...["ivory", "black", "red", "blue", "last"].flatMap((name) =>
        rootColors.get(name).match(/#[0-9a-f]+/g),
      ),
    ].filter((color) => color !== "#fff"),
  );
  assert.ok(pieceColors.size > 50);
  const literals = (text) => text.match(/#[0-9a-f]{3,8}\b/gi) ?? [];
  const styles = listFiles("static/css", ".css").filter((file) => basename(file) !== "colors.css");
  for (const file of [...styles, ...clientModules(), ...listFiles("src/render", ".rs")]) {
    // Colors of the pages, which a board and the link previews share by chance.
    const own = /social_card\.rs$/.test(file) ? [rootColors.get("ink").match(/#[0-9a-f]+/)[0]] : [];
    const found = literals(readFileSync(file, "utf8")).filter((color) => pieceColors.has(color));
    assert.deepEqual(
      found.filter((color) => !own.includes(color)),
      [],
      relative(ROOT, file),
    );
  }
});

test("variants draw no shapes but lines across a board", () => {
  const files = [...listFiles("static/variants", ".js"), ...listFiles("src/render/theme", ".rs")];
  assert.ok(files.length > 2 * variants.length);
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    const name = relative(ROOT, file);
    assert.doesNotMatch(source, /s\(\s*"(circle|ellipse|rect|polygon|line)"/, name);
    assert.doesNotMatch(source, /svg\.(circle|rect|group)\(/, name);
    assert.doesNotMatch(source, /#[0-9a-f]{3,8}"/i, name);
    const classes = [...source.matchAll(/s\(\s*"path",\s*\{ class: "([\w-]+)"/g)];
    assert.equal(classes.length, source.match(/s\(\s*"path"/g)?.length ?? 0, name);
    for (const [, lines] of classes) assert.match(lines, /^board-(zone|stitches)$/, name);
    for (const [, path] of source.matchAll(/svg\.path\((\w+)/g))
      assert.match(path, /^(edges|lines)$/, name);
  }
});
