// Whatever the server refuses is told in the reader's own language: each of its reasons has a phrase.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { phrases } from "./languages.mjs";
import { filesOf } from "./sources.mjs";

/** What no page of ours brings about, or nobody is told: frames and paths that only programs write, and what is told with a time to wait. */
const PROGRAMS = ["badFrame", "badPath", "tooManyConnections", "unknown"];

/** How a reason is written: with its status, its field or its sentence, or as the word of a refusal. */
const WRITTEN = [
  /\(S::\w+, "(\w+)"\)/g,
  /(?:\bbad|BadField)\(\s*"(\w+)"/g,
  /refuse\(\s*\w+,\s*"(\w+)"/g,
  /(?<!\bdecline)\(\s*"(\w+)",\s*"[A-Z][^"]*\."\s*\)/g,
  /(?:Refusal|Ineligible|Unheard)::\w+(?: \{ \.\. \})? => "(\w+)"/g,
  /"reason": "(\w+)"/g,
];

const reasons = new Set(filesOf("src", ".rs").filter((file) => /src.(http|play).[^/]*\.rs$/.test(file)).flatMap((file) => {
  const text = readFileSync(file, "utf8").split("#[cfg(test)]")[0];
  return WRITTEN.flatMap((written) => [...text.matchAll(written)].map(([, word]) => word));
}));

test("every reason of the server has a phrase", () => {
  // One of each way to write them.
  for (const word of ["botsCasual", "badLevel", "badBody", "anonymous", "timeout", "enoughTakenBack", "ratingTooLow", "badPosition"]) assert.ok(reasons.has(word), `${word} was not found`);
  assert.ok(reasons.size > 60, `only ${reasons.size} were found`);
  for (const [language, words] of Object.entries(phrases)) {
    const untold = [...reasons].filter((word) => !words[`error.${word}`] && !words[`why.${word}`]);
    assert.deepEqual(untold.sort(), PROGRAMS, language);
  }
});
