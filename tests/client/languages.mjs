// All words of each language, as they are written.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const STATIC = join(import.meta.dirname, "../../static");

const jsonOf = (folder) =>
  Object.fromEntries(
    readdirSync(join(STATIC, folder)).map((file) => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(join(STATIC, folder, file), "utf8")),
    ]),
  );

/** By language: what scripts and pages say, and the rules. */
export const languages = jsonOf("i18n");

/** By language: what scripts say. */
export const phrases = Object.fromEntries(
  Object.entries(languages).map(([language, { both, scripts, more }]) => [
    language,
    { ...both, ...scripts, ...more },
  ]),
);

/** By variant: the examples of its rules. */
export const examples = jsonOf("guide");
