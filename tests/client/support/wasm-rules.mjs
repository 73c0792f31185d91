// Rules core as the client loads it. `answer` returns the status, too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { instantiateRules } from "../../../static/lib/rules-wasm.js";

export const answer = await instantiateRules(
  readFileSync(join(import.meta.dirname, "../../../static/rules.wasm")),
);

/** Returns the answer to a position query that the rules accept. */
export const ask = (question) => {
  const { status, body } = answer(question);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
