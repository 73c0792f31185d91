// Each module has one job: neither a few lines that only others can make sense of, nor more than can be seen at once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { filesOf, modules } from "./sources.mjs";

const LINES_MIN = 80;
const LINES_MAX = 200;

/** What must stand alone though it is shorter, and why. */
const ALONE = {
  "beat.js": "a thread of its own",
  "game.js": "decides which of two pages is loaded",
  "index.js": "what all glyphs have in common, and where they are found",
  "more-words.js": "imported where more is said than on the first page",
  "own-rules.js": "loaded only where the server cannot be reached",
  "theme.js": "runs before the first paint, as the one script that is no module",
};

test("modules are 80 to 200 lines long, but for those that stand alone", () => {
  const sizes = new Map(modules().map((file) => [file, readFileSync(file, "utf8").split("\n").length - 1]));
  assert.ok(sizes.size > 80);
  const odd = [...sizes].filter(([file, lines]) => lines > LINES_MAX || (lines < LINES_MIN && !(basename(file) in ALONE)));
  assert.deepEqual(odd, []);
  const short = [...sizes].filter(([, lines]) => lines < LINES_MIN).map(([file]) => basename(file));
  assert.deepEqual(short.sort(), Object.keys(ALONE).sort(), "what is named here is shorter");
});

test("what a module gives is taken somewhere", () => {
  const sources = [...modules(), ...filesOf("tests", ".mjs")].map((file) => [file, readFileSync(file, "utf8")]);
  const unused = [];
  for (const [file, source] of sources.slice(0, modules().length)) {
    for (const [, name] of source.matchAll(/^export (?:const|class|let) (\w+)/gm)) {
      const word = new RegExp(`\\b${name}\\b`);
      if (!sources.some(([other, text]) => other !== file && word.test(text))) unused.push(`${basename(file)}: ${name}`);
    }
  }
  assert.deepEqual(unused, []);
});
