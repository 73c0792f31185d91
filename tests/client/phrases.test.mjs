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
import {
  listFiles,
  importClosure,
  rejectionReasons,
  phraseCalls,
  serverIdentifiers,
  duplicateKeys,
} from "./support/sources.mjs";
import { phraseUses } from "./support/phrase-uses.mjs";

const { translator } = await import("../../static/lib/i18n.js");

const STATIC = join(import.meta.dirname, "../../static");
const PARTS = ["both", "scripts", "more", "pages"];
const [first, ...others] = Object.values(phrases);
const keys = Object.keys(first);
const { rendered, composed, stray, tableStrings } = phraseUses();

const PLURAL = /\.(one|other)$/;
/** Returns a key without its plural form. */
const baseKey = (key) => key.replace(PLURAL, "");
/** Phrases with plural forms. An `.other` without a number may also be the label of a button. */
const pluralKeys = new Set(
  keys
    .filter((key) => key.endsWith(".one") || (key.endsWith(".other") && first[key].includes("{n}")))
    .map(baseKey),
);
const placeholders = (phrase) =>
  [...new Set([...phrase.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

test("each language has one file and each key occurs once in it", () => {
  assert.deepEqual(Object.keys(languages).sort(), ["en", "nl", "sv"]);
  for (const [language, parts] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(parts), [...PARTS, "rules", "lessons"], language);
    const allKeys = PARTS.flatMap((part) => Object.keys(parts[part]));
    assert.deepEqual(
      allKeys.filter((key, index) => allKeys.indexOf(key) !== index),
      [],
      language,
    );
    for (const part of PARTS)
      assert.deepEqual(
        Object.keys(parts[part]).sort(),
        Object.keys(languages.en[part]).sort(),
        `${language} ${part}`,
      );
  }
  // `JSON.parse` ignores all but the last of duplicate keys.
  for (const file of listFiles("static", ".json")) assert.deepEqual(duplicateKeys(file), [], file);
});

test("languages have the same keys with the same placeholders", () => {
  for (const other of others) {
    assert.deepEqual(Object.keys(other).sort(), [...keys].sort());
    for (const key of keys)
      assert.deepEqual(placeholders(other[key]), placeholders(first[key]), key);
  }
  for (const translations of Object.values(phrases))
    for (const key of keys) assert.ok(translations[key].trim(), `${key} is empty`);
});

test("a plural phrase has exactly the forms of its language", () => {
  for (const [language, translations] of Object.entries(phrases)) {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const base of pluralKeys) {
      assert.deepEqual(
        keys
          .filter((key) => PLURAL.test(key) && baseKey(key) === base)
          .map((key) => key.slice(base.length + 1))
          .sort(),
        forms,
        `${language}: ${base}`,
      );
      assert.ok(!keys.includes(base), `${base} exists with and without plural forms`);
      assert.ok(
        placeholders(translations[`${base}.other`]).includes("n"),
        `${language}: ${base}.other contains no number`,
      );
    }
  }
});

/** Names of sides, options and button moves of the variants. */
const variantIdentifiers = [...serverIdentifiers("crates/core/src/variants"), "true", "false"];
/** Statuses and reasons of the end of a game. */
const endIdentifiers = serverIdentifiers("crates/core/src/play");

/** Kinds of findings of the fair play reports. */
const suspicionKinds = ["engineMoves", "fastTimes", "fedPoints", "sharedNetwork", "steadyTimes"];

/**
 * Composed keys with all parts that may be inserted: a table of the client, identifiers of the
 * server, or the results of a function.
 */
const COMPOSED = {
  "aim.*": Object.keys(languages.en.rules),
  "audience.*": tableStrings("AUDIENCES"),
  "button.*": variantIdentifiers,
  "chat.quick.*": tableStrings("QUICK_MESSAGES"),
  "hint.only.*": variantIdentifiers,
  "mod.action.*": tableStrings("ACTIONS"),
  "mod.logged.*": tableStrings("LOGGED_ACTIONS"),
  "mod.room.*": ["player", "spectator"],
  "mod.arrivals.*": ["accounts", "guests", "slow"],
  "mod.arrivals.*Note": ["accounts", "guests", "slow"],
  "mod.ban.*": ["address", "device"],
  "mod.origins.*": ["address", "device"],
  "mod.same.*": ["address", "device"],
  "mod.suspicion.*": suspicionKinds,
  "mod.suspicion.*Text": suspicionKinds,
  "mod.view.*": tableStrings("VIEWS"),
  "notify.*": [
    ...["blocked", "disabled", "install", "off", "on", "unsupported"],
    ...tableStrings("KINDS"),
  ],
  "option.*": variantIdentifiers,
  "option.*.*": variantIdentifiers,
  "side.*": variantIdentifiers,
  "tagline.*": Object.keys(languages.en.rules),
  "cell.*": ["pawn", "hogga", "w", "b"],
  "cell.dot-*": ["b", "w"],
  "seat.*": ["first", "second"],
  "level.*": [..."12345678"],
  "end.*": endIdentifiers,
  "end.by.*": endIdentifiers,
  "end.limit.*": endIdentifiers,
  "end.you.*": endIdentifiers,
  "games.*": ["win", "loss", "draw", "void", "playing"],
  "ending.*": serverIdentifiers("crates/core/src/rules/ending.rs"),
  "ending.you.*": serverIdentifiers("crates/core/src/rules/ending.rs"),
  "error.*": rejectionReasons(),
  "refusal.*": serverIdentifiers("crates/core/src/rules/violation.rs"),
  "why.*": rejectionReasons(),
  "named.*": rejectionReasons(),
  "ring.*": serverIdentifiers("src/http/messages/socket/server.rs"),
  "decline.*": serverIdentifiers("crates/core/src/play/challenge.rs"),
  "news.*": ["absent", "late", "withdrawn", "nogame"],
  "form.*": tableStrings("EXPIRY_MS"),
  "live.sort.*": tableStrings("SORTS"),
  "quick.*": tableStrings("ICONS"),
  "quick.*Why": tableStrings("ICONS"),
  "rematch.*": ["sides", "board"],
  "report.reason.*": tableStrings("REASONS"),
  "recipient.*": tableStrings("RECIPIENTS"),
  "recipient.*Why": tableStrings("RECIPIENTS"),
  "theme.*": tableStrings("THEMES"),
  "token.days.*": tableStrings("TOKEN_DAYS"),
  "token.scope.*": tableStrings("SCOPES"),
};
/** The same keys as expressions that capture the inserted part, each with the allowed parts. */
const composedPatterns = Object.entries(COMPOSED).map(([template, insertable]) => [
  new RegExp(`^${template.replaceAll(".", "\\.").replaceAll("*", "([\\w:-]+)")}$`),
  new Set(insertable),
]);

test("every phrase is used", () => {
  assert.deepEqual(composed.toSorted(), Object.keys(COMPOSED).sort());
  for (const [template, insertable] of Object.entries(COMPOSED))
    assert.ok([...insertable].length, `${template} has no parts`);
  const isUsed = (key) =>
    rendered.includes(key) ||
    composedPatterns.some(([pattern, insertable]) =>
      pattern
        .exec(key)
        ?.slice(1)
        .every((part) => insertable.has(part) || /^\d+$/.test(part)),
    );
  assert.deepEqual(
    keys.filter((key) => !isUsed(key) && !(pluralKeys.has(baseKey(key)) && isUsed(baseKey(key)))),
    [],
  );
});

test("every key in use exists", () => {
  const prefixes = new Set(keys.map((key) => key.split(".")[0]));
  const knownKeys = new Set([...keys, ...pluralKeys]);
  const usedKeys = rendered.filter((text) => /^[a-z]+(\.[a-zA-Z]\w*)+$/.test(text));
  assert.ok(usedKeys.length > 200, `only ${usedKeys.length} were found`);
  assert.deepEqual(
    usedKeys.filter((key) => !knownKeys.has(key)),
    [],
  );
  assert.deepEqual(
    stray.filter(({ text }) => prefixes.has(text.split(".")[0])),
    [],
    "keys outside a known function: add its name to phrase-uses.mjs",
  );
  for (const [pattern] of composedPatterns)
    assert.ok(
      keys.some((key) => pattern.test(key)),
      `${pattern} matches no key`,
    );
});

test("modules that need later phrases load them first", () => {
  const lobbyModules = importClosure(
    "lobby/lobby.js",
    "lobby/my-games.js",
    "common/mini-board.js",
    "common/error-page.js",
  );
  assert.ok(lobbyModules.length > 25);
  const laterKeys = Object.keys(languages.en.more);
  for (const file of lobbyModules) {
    const source = readFileSync(file, "utf8");
    // Requests that fail load the phrases of errors, whose keys end with the reason.
    if (!file.endsWith("/lib/http.js")) assert.doesNotMatch(source, /i18n-more/, file);
    // A module loaded later waits itself if it uses phrases.
    for (const [, path] of source.matchAll(/import\("(\.{1,2}\/[\w/-]+\.js)"\)(?!\.[A-Z])/g)) {
      const imports = importClosure(relative(STATIC, join(file, "..", path)));
      const usesPhrases = imports.some(
        (module) => !lobbyModules.includes(module) && /\bt\(/.test(readFileSync(module, "utf8")),
      );
      assert.ok(
        !usesPhrases || imports.some((module) => module.endsWith("/i18n-more.js")),
        `${file}: ${path}`,
      );
    }
    const strings = new Set([...source.matchAll(/"([^"\n]*)"/g)].map(([, text]) => text));
    const templatePrefixes = [...source.matchAll(/`([a-z]+\.[a-zA-Z.]*)\$\{/g)].map(
      ([, text]) => text,
    );
    assert.deepEqual(
      laterKeys.filter(
        (key) =>
          strings.has(key) ||
          strings.has(baseKey(key)) ||
          templatePrefixes.some((text) => text !== "error." && key.startsWith(text)),
      ),
      [],
      file,
    );
  }
  // All entry modules, and modules loaded later, that use other phrases.
  const roots = listFiles("static", ".js")
    .filter((file) => /i18n-more\.js"/.test(readFileSync(file, "utf8")))
    .map((file) => relative(STATIC, file));
  const reachable = importClosure(
    "lobby/lobby.js",
    "lobby/my-games.js",
    "common/mini-board.js",
    "common/error-page.js",
    ...roots,
  );
  assert.deepEqual(
    listFiles("static", ".js").filter(
      (file) => !reachable.includes(file) && /\bt\(/.test(readFileSync(file, "utf8")),
    ),
    [],
  );
});

test("every use of a phrase gives all its values", () => {
  const calls = phraseCalls();
  assert.ok(calls.length > 200, `only ${calls.length} uses were found`);
  for (const { file, key, names } of calls) {
    const forms = keys.filter((candidate) => candidate === key || baseKey(candidate) === key);
    assert.ok(forms.length, `${file}: ${key} is missing`);
    if (names)
      assert.deepEqual(
        forms
          .flatMap((candidate) => placeholders(first[candidate]))
          .filter((name) => !names.includes(name)),
        [],
        `${file}: ${key}`,
      );
  }
});

test("rendered phrases have their values and localized numbers", () => {
  for (const [language, translations] of Object.entries(phrases)) {
    const translate = translator(translations, language);
    const { one, other } = {
      one: translate("live.total", { n: 1 }),
      other: translate("live.total", { n: 12345 }),
    };
    assert.equal(one, translations["live.total.one"].replace("{n}", "1"));
    assert.equal(
      other,
      translations["live.total.other"].replace(
        "{n}",
        new Intl.NumberFormat(language).format(12345),
      ),
    );
    assert.equal(translate("no.such.phrase"), "no.such.phrase");
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.nat(), fc.string(), (key, n, text) => {
        const values = Object.fromEntries(
          placeholders(translations[key]).map((name) => [
            name,
            name === "n" ? n : name === "side" ? "white" : text,
          ]),
        );
        const result = translate(key, { ...values, n });
        assert.ok(
          Object.entries(values).every(([name, value]) =>
            result.includes(name === "n" ? new Intl.NumberFormat(language).format(n) : value),
          ),
          result,
        );
        // User text is inserted unchanged, even if it contains braces.
        assert.ok(
          result.includes(text) ||
            !Object.keys(values).some((name) => !["n", "side"].includes(name)),
        );
      }),
      { numRuns: 500 },
    );
  }
});

test("only English writes a side with a capital in a sentence", () => {
  const sentences = { middle: "of {side}", later: "All. {side} too", start: "{side} moves" };
  for (const [language, expected] of [
    ["en", "White"],
    ["nl", "white"],
    ["sv", "white"],
  ]) {
    const translate = translator(sentences, language);
    assert.equal(translate("middle", { side: "White" }), `of ${expected}`);
    assert.equal(translate("later", { side: "White" }), "All. White too");
    assert.equal(translate("start", { side: "White" }), "White moves");
  }
});
