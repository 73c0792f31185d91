// Whatever the server refuses is told in the reader's own language: each of its reasons has a phrase.
import "./page.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { phrases } from "./languages.mjs";
import { reasons as reasonsOf } from "./sources.mjs";

const { ApiError } = await import("../../static/lib/http.js");
const { overrideReason } = await import("../../static/lib/i18n.js");

/** What no page of ours brings about, or nobody is told: frames and paths that only programs write, what the page of a link asks about, and what is told with a time to wait. */
const PROGRAMS = [
  "badFrame",
  "badPath",
  "contradiction",
  "exportUnderWay",
  "replacesSession",
  "tooManyConnections",
  "unknown",
];

test("every reason of the server has a phrase", () => {
  const reasons = reasonsOf();
  // One of each way to write them.
  for (const word of [
    "botsCasual",
    "badLevel",
    "badBody",
    "anonymous",
    "timeout",
    "enoughTakenBack",
    "ratingTooLow",
    "badPosition",
  ])
    assert.ok(reasons.has(word), `${word} was not found`);
  assert.ok(reasons.size > 60, `only ${reasons.size} were found`);
  for (const [language, words] of Object.entries(phrases)) {
    const untold = [...reasons].filter((word) => !words[`error.${word}`] && !words[`why.${word}`]);
    assert.deepEqual(untold.sort(), PROGRAMS, language);
  }
});

test("a reason that means several things is said with the phrase for what was asked", () => {
  const said = (status, reason, key) => {
    const refused = new ApiError(status, { reason });
    if (!key) return refused.message;
    assert.throws(() => overrideReason(reason, key)(refused), refused);
    assert.throws(() => overrideReason("another", "error.other")(refused), refused);
    return refused.message;
  };
  const { en } = phrases;
  // A challenge that was declined, and one that the computer does not take.
  assert.equal(said(409, "declined"), en["why.declined"]);
  assert.equal(said(400, "declined", "computer.declined"), en["computer.declined"]);
  assert.equal(said(403, "blocked"), en["error.blocked"]);
  assert.equal(said(409, "tooMany"), en["error.tooMany"]);
  for (const key of ["token.tooMany", "player.tooMany", "report.tooMany"])
    assert.equal(said(409, "tooMany", key), en[key]);
  for (const words of Object.values(phrases)) {
    for (const several of [
      ["why.declined", "computer.declined"],
      ["error.blocked", "chat.blocked"],
      ["error.tooMany", "token.tooMany", "player.tooMany", "report.tooMany"],
    ]) {
      assert.equal(new Set(several.map((key) => words[key])).size, several.length);
    }
  }
});
