// Phrases: every key exists in every language, with the same placeholders and the plural forms of
// that language, and is used.
//
// Phrases outside the lobby are loaded later: modules that need them wait for them.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { languages, phrases } from "./support/languages.mjs";
import { filesOf, needed, reasons, sayings, serverWords, twiceIn } from "./support/sources.mjs";
import { uses } from "./support/phrase-uses.mjs";

const { translator } = await import("../../static/lib/i18n.js");

const STATIC = join(import.meta.dirname, "../../static");
const PARTS = ["both", "scripts", "more", "pages"];
const [first, ...others] = Object.values(phrases);
const keys = Object.keys(first);
const { said, composed, stray, words } = uses();

const PLURAL = /\.(one|other)$/;
/** Returns a key without its plural form. */
const stem = (key) => key.replace(PLURAL, "");
/** Phrases with plural forms. An `.other` without a number may also be the label of a button. */
const counted = new Set(
  keys
    .filter((key) => key.endsWith(".one") || (key.endsWith(".other") && first[key].includes("{n}")))
    .map(stem),
);
const valuesOf = (phrase) =>
  [...new Set([...phrase.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

test("each language has one file and each key occurs once in it", () => {
  assert.deepEqual(Object.keys(languages).sort(), ["en", "nl", "sv"]);
  for (const [language, words] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(words), [...PARTS, "rules"], language);
    const all = PARTS.flatMap((part) => Object.keys(words[part]));
    assert.deepEqual(
      all.filter((key, at) => all.indexOf(key) !== at),
      [],
      language,
    );
    for (const part of PARTS)
      assert.deepEqual(
        Object.keys(words[part]).sort(),
        Object.keys(languages.en[part]).sort(),
        `${language} ${part}`,
      );
  }
  // `JSON.parse` ignores all but the last of duplicate keys.
  for (const file of filesOf("static", ".json")) assert.deepEqual(twiceIn(file), [], file);
});

test("languages have the same keys with the same placeholders", () => {
  for (const other of others) {
    assert.deepEqual(Object.keys(other).sort(), [...keys].sort());
    for (const key of keys) assert.deepEqual(valuesOf(other[key]), valuesOf(first[key]), key);
  }
  for (const words of Object.values(phrases))
    for (const key of keys) assert.ok(words[key].trim(), `${key} is empty`);
});

test("a plural phrase has exactly the forms of its language", () => {
  for (const [language, words] of Object.entries(phrases)) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const one of counted) {
      assert.deepEqual(
        keys
          .filter((key) => PLURAL.test(key) && stem(key) === one)
          .map((key) => key.slice(one.length + 1))
          .sort(),
        forms,
        `${language}: ${one}`,
      );
      assert.ok(!keys.includes(one), `${one} exists with and without plural forms`);
      assert.ok(
        valuesOf(words[`${one}.other`]).includes("n"),
        `${language}: ${one}.other contains no number`,
      );
    }
  }
});

/** Names of sides, options and button moves of the variants. */
const variants = [...serverWords("crates/core/src/variants"), "true", "false"];
/** Statuses and reasons of the end of a game. */
const ends = serverWords("crates/core/src/play");

/**
 * Composed keys with all parts that may be inserted: a table of the client, identifiers of the
 * server, or the results of a function.
 */
const COMPOSED = {
  "button.*": variants,
  "hint.only.*": variants,
  "option.*": variants,
  "option.*.*": variants,
  "side.*": variants,
  "tagline.*": Object.keys(languages.en.rules),
  "cell.*": ["pawn", "hogga", "w", "b"],
  "cell.dot-*": ["b", "w"],
  "seat.*": ["first", "second"],
  "level.*": [..."12345678"],
  "end.*": ends,
  "end.by.*": ends,
  "end.you.*": ends,
  "games.*": ["win", "loss", "draw", "void", "playing"],
  "error.*": reasons(),
  "why.*": reasons(),
  "named.*": reasons(),
  "ring.*": serverWords("src/rooms/ready_check/types.rs"),
  "decline.*": serverWords("crates/core/src/play/challenge.rs"),
  "news.*": ["absent", "late", "withdrawn", "nogame"],
  "form.*": words("EXPIRY_MS"),
  "live.sort.*": words("SORTS"),
  "quick.*": words("ICONS"),
  "quick.*Why": words("ICONS"),
  "rematch.*": ["sides", "board"],
  "report.reason.*": words("REASONS"),
  "road.*": words("RECIPIENTS"),
  "road.*Why": words("RECIPIENTS"),
  "theme.*": words("THEMES"),
  "token.scope.*": words("SCOPES"),
};
/** The same keys as expressions that capture the inserted part, each with the allowed parts. */
const built = Object.entries(COMPOSED).map(([form, endings]) => [
  new RegExp(`^${form.replaceAll(".", "\\.").replaceAll("*", "([\\w:-]+)")}$`),
  new Set(endings),
]);

test("every phrase is used", () => {
  assert.deepEqual(composed.toSorted(), Object.keys(COMPOSED).sort());
  for (const [form, endings] of Object.entries(COMPOSED))
    assert.ok([...endings].length, `${form} has no parts`);
  const isSaid = (key) =>
    said.includes(key) ||
    built.some(([form, endings]) =>
      form
        .exec(key)
        ?.slice(1)
        .every((part) => endings.has(part) || /^\d+$/.test(part)),
    );
  assert.deepEqual(
    keys.filter((key) => !isSaid(key) && !(counted.has(stem(key)) && isSaid(stem(key)))),
    [],
  );
});

test("every key in use exists", () => {
  const families = new Set(keys.map((key) => key.split(".")[0]));
  const known = new Set([...keys, ...counted]);
  const asked = said.filter((text) => /^[a-z]+(\.[a-zA-Z]\w*)+$/.test(text));
  assert.ok(asked.length > 200, `only ${asked.length} were found`);
  assert.deepEqual(
    asked.filter((key) => !known.has(key)),
    [],
  );
  assert.deepEqual(
    stray.filter(({ text }) => families.has(text.split(".")[0])),
    [],
    "keys outside a known function: add its name to uses.mjs",
  );
  for (const [form] of built)
    assert.ok(
      keys.some((key) => form.test(key)),
      `${form} matches no key`,
    );
});

test("modules that need more phrases than the lobby load them first", () => {
  const front = needed("lobby/lobby.js", "common/mini-board.js", "common/error-page.js");
  assert.ok(front.length > 25);
  const more = Object.keys(languages.en.more);
  for (const file of front) {
    const source = readFileSync(file, "utf8");
    // Requests that fail load the phrases of errors, whose keys end with the reason.
    if (!file.endsWith("/lib/http.js")) assert.doesNotMatch(source, /i18n-more/, file);
    // A module loaded later waits itself if it uses phrases.
    for (const [, later] of source.matchAll(/import\("(\.{1,2}\/[\w/-]+\.js)"\)(?!\.[A-Z])/g)) {
      const all = needed(relative(STATIC, join(file, "..", later)));
      const says = all.some(
        (one) => !front.includes(one) && /\bsay\(/.test(readFileSync(one, "utf8")),
      );
      assert.ok(!says || all.some((one) => one.endsWith("/i18n-more.js")), `${file}: ${later}`);
    }
    const strings = new Set([...source.matchAll(/"([^"\n]*)"/g)].map(([, text]) => text));
    const begun = [...source.matchAll(/`([a-z]+\.[a-zA-Z.]*)\$\{/g)].map(([, text]) => text);
    assert.deepEqual(
      more.filter(
        (key) =>
          strings.has(key) ||
          strings.has(stem(key)) ||
          begun.some((text) => text !== "error." && key.startsWith(text)),
      ),
      [],
      file,
    );
  }
  // All entry modules, and modules loaded later, that use other phrases.
  const roots = filesOf("static", ".js")
    .filter((file) => /i18n-more\.js"/.test(readFileSync(file, "utf8")))
    .map((file) => relative(STATIC, file));
  const whole = needed("lobby/lobby.js", "common/mini-board.js", "common/error-page.js", ...roots);
  assert.deepEqual(
    filesOf("static", ".js").filter(
      (file) => !whole.includes(file) && / say\(|\(say\(/.test(readFileSync(file, "utf8")),
    ),
    [],
  );
});

test("every use of a phrase gives all its values", () => {
  const all = sayings();
  assert.ok(all.length > 200, `only ${all.length} uses were found`);
  for (const { file, key, names } of all) {
    const forms = keys.filter((known) => known === key || stem(known) === key);
    assert.ok(forms.length, `${file}: ${key} is missing`);
    if (names)
      assert.deepEqual(
        forms.flatMap((known) => valuesOf(first[known])).filter((name) => !names.includes(name)),
        [],
        `${file}: ${key}`,
      );
  }
});

test("rendered phrases have their values and localized numbers", () => {
  for (const [language, words] of Object.entries(phrases)) {
    const say = translator(words, language);
    const { one, other } = {
      one: say("live.total", { n: 1 }),
      other: say("live.total", { n: 12345 }),
    };
    assert.equal(one, words["live.total.one"].replace("{n}", "1"));
    assert.equal(
      other,
      words["live.total.other"].replace("{n}", new Intl.NumberFormat(language).format(12345)),
    );
    assert.equal(say("no.such.phrase"), "no.such.phrase");
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(), fc.string(), (key, n, text) => {
        const values = Object.fromEntries(
          valuesOf(words[key]).map((name) => [name, name === "n" ? n : text]),
        );
        const whole = say(key, { ...values, n });
        assert.ok(
          Object.entries(values).every(([name, value]) =>
            whole.includes(name === "n" ? new Intl.NumberFormat(language).format(n) : value),
          ),
          whole,
        );
        // User text is inserted unchanged, even if it contains braces.
        assert.ok(whole.includes(text) || !Object.keys(values).some((name) => name !== "n"));
      }),
      { numRuns: 500 },
    );
  }
});
