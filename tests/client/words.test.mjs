// Every phrase exists in every language, with the same values in it and the forms its language needs, and is used.
import "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { languages, phrases } from "./languages.mjs";
import { filesOf, readModules, serverPatterns, serverWords, twiceIn } from "./sources.mjs";

const { speaker } = await import("../../static/words.js");

const PARTS = ["both", "scripts", "pages"];
const [first, ...others] = Object.values(phrases);
const keys = Object.keys(first);
const { strings, names: properties, patterns, said } = readModules();

const PLURAL = /\.(one|other)$/;
/** A key's own word without the plural form. */
const stem = (key) => key.replace(PLURAL, "");
/** The phrases that are there once for each form; a button for what is none of the others may have such a name too. */
const counted = new Set(keys.filter((key) => key.endsWith(".one") || (key.endsWith(".other") && first[key].includes("{n}"))).map(stem));
const valuesOf = (phrase) => [...new Set([...phrase.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

test("each language has one file, and each phrase one place in it", () => {
  assert.deepEqual(Object.keys(languages).sort(), ["en", "nl", "sv"]);
  for (const [language, words] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(words), [...PARTS, "rules"], language);
    const all = PARTS.flatMap((part) => Object.keys(words[part]));
    assert.deepEqual(all.filter((key, at) => all.indexOf(key) !== at), [], language);
    for (const part of PARTS) assert.deepEqual(Object.keys(words[part]).sort(), Object.keys(languages.en[part]).sort(), `${language} ${part}`);
  }
  // What stands twice in one object is read once, and nobody hears of it.
  for (const file of filesOf("static", ".json")) assert.deepEqual(twiceIn(file), [], file);
});

test("the languages have the same phrases, with the same values in them", () => {
  for (const other of others) {
    assert.deepEqual(Object.keys(other).sort(), [...keys].sort());
    for (const key of keys) assert.deepEqual(valuesOf(other[key]), valuesOf(first[key]), key);
  }
  for (const words of Object.values(phrases)) for (const key of keys) assert.ok(words[key].trim(), `${key} is empty`);
});

test("a phrase that changes with a number has each form of its language, and no other", () => {
  for (const [language, words] of Object.entries(phrases)) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const one of counted) {
      assert.deepEqual(keys.filter((key) => PLURAL.test(key) && stem(key) === one).map((key) => key.slice(one.length + 1)).sort(), forms, `${language}: ${one}`);
      assert.ok(!keys.includes(one), `${one} is there with forms and without`);
      assert.ok(valuesOf(words[`${one}.other`]).includes("n"), `${language}: ${one}.other tells no number`);
    }
  }
});

const server = serverWords();
/** Whether each part of a key that is put in where it is asked for is a word of page or server. */
const knownParts = (parts) => parts.every((part) => /^(\d+|true|false)$/.test(part) || strings.has(part) || properties.has(part) || server.has(part));

test("every phrase is used", () => {
  assert.ok(patterns.length > 5, "phrases whose keys are put together");
  const built = [...patterns, ...serverPatterns()];
  const isUsed = (key) => strings.has(key) || server.has(key) || built.some((pattern) => pattern.test(key) && knownParts(pattern.exec(key).slice(1)));
  assert.deepEqual(keys.filter((key) => !isUsed(key) && !isUsed(stem(key))), []);
});

test("every phrase that is asked for is there", () => {
  const families = new Set(keys.map((key) => key.split(".")[0]));
  const known = new Set([...keys, ...keys.map(stem)]);
  const asked = [...strings].filter((text) => /^[a-z]+(\.[a-zA-Z]\w*)+$/.test(text) && families.has(text.split(".")[0]));
  assert.ok(asked.length > 200, `only ${asked.length} were found`);
  assert.deepEqual(asked.filter((key) => !known.has(key)), []);
  const familyOf = ({ source }) => source.slice(1, source.indexOf("\\"));
  for (const pattern of patterns.filter((one) => families.has(familyOf(one)))) assert.ok(keys.some((key) => pattern.test(key)), `${pattern} is no phrase`);
});

test("whoever asks for a phrase gives the values in it", () => {
  assert.ok(said.length > 200, `only ${said.length} uses were found`);
  for (const { file, key, names } of said) {
    const forms = keys.filter((known) => known === key || stem(known) === key);
    assert.ok(forms.length, `${file}: ${key} is missing`);
    if (names) assert.deepEqual(forms.flatMap((known) => valuesOf(first[known])).filter((name) => !names.includes(name)), [], `${file}: ${key}`);
  }
});

test("what is said has its values in it, its number in the form and the figures of the language", () => {
  for (const [language, words] of Object.entries(phrases)) {
    const say = speaker(words, language);
    const { one, other } = { one: say("live.total", { n: 1 }), other: say("live.total", { n: 12345 }) };
    assert.equal(one, words["live.total.one"].replace("{n}", "1"));
    assert.equal(other, words["live.total.other"].replace("{n}", new Intl.NumberFormat(language).format(12345)));
    assert.equal(say("no.such.phrase"), "no.such.phrase");
    fc.assert(fc.property(fc.constantFrom(...keys), fc.nat(), fc.string(), (key, n, text) => {
      const values = Object.fromEntries(valuesOf(words[key]).map((name) => [name, name === "n" ? n : text]));
      const whole = say(key, { ...values, n });
      assert.ok(Object.entries(values).every(([name, value]) => whole.includes(name === "n" ? new Intl.NumberFormat(language).format(n) : value)), whole);
      // What somebody wrote is put in as it is, be it in braces.
      assert.ok(whole.includes(text) || !Object.keys(values).some((name) => name !== "n"));
    }), { numRuns: 500 });
  }
});
