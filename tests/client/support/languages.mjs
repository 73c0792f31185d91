// Phrases of all languages, as read from the source files.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const STATIC = join(import.meta.dirname, "../../../static");

const readJsonFiles = (folder) =>
  Object.fromEntries(
    readdirSync(join(STATIC, folder)).map((file) => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(join(STATIC, folder, file), "utf8")),
    ]),
  );

/** Phrases of scripts and pages, and the rules, by language. */
export const languages = readJsonFiles("i18n");

/** Phrases of scripts, by language. */
export const phrases = Object.fromEntries(
  Object.entries(languages).map(([language, { both, scripts, more }]) => [
    language,
    { ...both, ...scripts, ...more },
  ]),
);

/** Examples of the rules, by variant. */
export const examples = readJsonFiles("guide");
