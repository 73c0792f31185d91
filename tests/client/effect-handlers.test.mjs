// Handlers of the effects of transitions: the type check requires one for each effect of a page.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { listFiles } from "./support/sources.mjs";
import { typeErrorsAfter } from "./support/type-check.mjs";

const ROOT = join(import.meta.dirname, "../..");

/** End of the type of the effects of a page. */
const EFFECT_TYPE = /\}(?=\} Effect$)/m;

const NEW_EFFECT = "newEffect";

test("a new effect without a handler is an error of each page", (context) => {
  const states = listFiles("static", "state.js")
    .map((file) => relative(ROOT, file))
    .filter((file) => EFFECT_TYPE.test(readFileSync(join(ROOT, file), "utf8")));
  assert.ok(states.length >= 6, `only ${states.length} states found`);
  const errors = typeErrorsAfter(context, (folder) => {
    for (const file of states) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace(EFFECT_TYPE, `} | { type: "${NEW_EFFECT}" }`));
    }
  });
  const pages = errors
    .filter(({ message }) => message.startsWith(`Property '${NEW_EFFECT}' is missing`))
    .map(({ file }) => dirname(file));
  assert.deepEqual(pages.sort(), states.map((file) => dirname(file)).sort());
});
