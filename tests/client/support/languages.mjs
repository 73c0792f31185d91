// Phrases of all languages, as read from the source files.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const STATIC = join(import.meta.dirname, "../../../static");

/** Returns the key of the language or variant of a file: `knightFight` for `knight_fight.json`. */
const keyOf = (file) =>
  file.replace(".json", "").replace(/_(.)/g, (_, letter) => letter.toUpperCase());

const readJsonFiles = (folder) =>
  Object.fromEntries(
    readdirSync(join(STATIC, folder)).map((file) => [
      keyOf(file),
      JSON.parse(readFileSync(join(STATIC, folder, file), "utf8")),
    ]),
  );

/** Phrases of scripts and pages, and the rules, by language. */
export const languages = readJsonFiles("i18n");

/** Tasks of the lessons, by variant. */
export const lessons = Object.fromEntries(
  Object.entries(readJsonFiles("lessons")).map(([variant, { tasks }]) => [variant, tasks]),
);

/** Phrases of scripts, by language. */
export const phrases = Object.fromEntries(
  Object.entries(languages).map(([language, { both, scripts, more }]) => [
    language,
    { ...both, ...scripts, ...more },
  ]),
);

/** Examples of the rules, by variant. */
export const examples = readJsonFiles("guide");
