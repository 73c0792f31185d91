// Every phrase exists in every language, and is used.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const pages = join(import.meta.dirname, "../../static");
const languages = Object.fromEntries(await Promise.all(
  readdirSync(join(pages, "words")).map(async (file) => [file, (await import(join(pages, "words", file))).default])));

const sources = () => ["", "glyphs"].flatMap((folder) => readdirSync(join(pages, folder)).filter((file) => file.endsWith(".js")).map((file) => readFileSync(join(pages, folder, file), "utf8"))).join("\n");

/** A key's own word without the plural form. */
const stem = (key) => key.replace(/\.(one|other|few|many)$/, "");

test("the languages have the same phrases, with the same values in them", () => {
  const [first, ...others] = Object.values(languages);
  assert.equal(others.length, 2);
  const values = (phrase) => [...new Set(phrase.match(/\{\w+\}/g) ?? [])].sort();
  for (const other of others) {
    assert.deepEqual(Object.keys(other).sort(), Object.keys(first).sort());
    for (const key of Object.keys(first)) assert.deepEqual(values(other[key]), values(first[key]), key);
  }
});

test("every phrase is used, and every one used is there", () => {
  const text = sources();
  const keys = Object.keys(Object.values(languages)[0]);
  const built = [...text.matchAll(/`([a-z]+\.(?:[a-z]+\.)?)\$\{/g)].map(([, prefix]) => prefix);
  assert.ok(built.length > 5, "phrases whose keys are put together");
  const isUsed = (key) => text.includes(`"${stem(key)}"`) || built.some((prefix) => key.startsWith(prefix));
  assert.deepEqual(keys.filter((key) => !isUsed(key)), []);
  const asked = [...text.matchAll(/say\(\s*"([^"]+)"/g)].map(([, key]) => key);
  assert.ok(asked.length > 60, `only ${asked.length} uses were found`);
  for (const key of asked) assert.ok(keys.some((known) => stem(known) === key || known === key), `${key} is missing`);
});
