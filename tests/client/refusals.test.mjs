// Refusals of the server: each reason has a phrase in every language.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { phrases } from "./support/languages.mjs";
import { brokenRules, endingKinds, rejectionReasons } from "./support/sources.mjs";

const { ApiError } = await import("../../static/lib/http.js");
const { overrideReason } = await import("../../static/lib/i18n.js");
const { refusalText } = await import("../../static/board/refusal-text.js");
const { endingText } = await import("../../static/common/ending-text.js");

/**
 * Reasons without a phrase: those of frames, methods, paths and codings that only API clients send,
 * those that a link's page handles itself, and those shown with a time to wait.
 */
const WITHOUT_PHRASE = [
  "badFrame",
  "badMethod",
  "badPath",
  "contradiction",
  "exportUnderWay",
  "notAcceptable",
  "replacesSession",
  "tooManyConnections",
  "unknown",
];

test("every reason of the server has a phrase", () => {
  const reasons = rejectionReasons();
  for (const [language, messages] of Object.entries(phrases)) {
    const missing = [...reasons].filter(
      (reason) => !messages[`error.${reason}`] && !messages[`why.${reason}`],
    );
    assert.deepEqual(missing.sort(), WITHOUT_PHRASE, language);
  }
});

test("every rule of the rules core has its own phrase", () => {
  const rules = brokenRules();
  assert.ok(rules.length > 50, `only ${rules.length} rules`);
  for (const [language, messages] of Object.entries(phrases)) {
    const texts = rules.map(
      (rule) => messages[`refusal.${rule}`] ?? messages[`refusal.${rule}.other`],
    );
    assert.deepEqual(
      rules.filter((_, at) => !texts[at]),
      [],
      language,
    );
    assert.equal(new Set(texts).size, rules.length, `${language}: two rules share a phrase`);
  }
});

test("a refusal is told with its cell and its numbers", () => {
  const { en } = phrases;
  assert.equal(refusalText({ rule: "gap", cell: "f4" }), "There is a gap at f4.");
  assert.equal(refusalText({ rule: "startRow", count: 10 }), "Start in row 10.");
  assert.equal(refusalText({ rule: "exactHoles", count: 1 }), en["refusal.exactHoles.one"]);
  assert.equal(
    refusalText({ rule: "tooNarrow", count: 2, needed: 3 }),
    "Only 2 squares that way; 3 stones need 3.",
  );
  for (const rule of brokenRules()) {
    const text = refusalText({ rule, cell: "d4", count: 2, needed: 3 });
    assert.doesNotMatch(text, /[{}]|^refusal\./, rule);
  }
});

test("every kind of ending has a text for players and spectators", () => {
  const game = { sides: ["white", "black"] };
  const tell = (ending, winner, you) => endingText(game, { winner, ending }, you);
  const scores = { first: 1193, second: 1020 };
  const noLeap = { kind: "noLeap", side: "second", ...scores };
  assert.equal(tell(noLeap, "first"), "Black has no leap left: 1,193 to 1,020.");
  assert.equal(tell(noLeap, "first", "second"), "You have no leap left: 1,193 to 1,020.");
  // The side without a leap may have won.
  assert.equal(
    tell({ ...noLeap, side: "first" }, "first", "second"),
    "White has no leap left: 1,193 to 1,020.",
  );
  assert.equal(
    tell({ kind: "noLeap", side: "first", first: 9, second: 99 }, "second"),
    "White has no leap left: 99 to 9.",
  );
  assert.equal(
    tell({ kind: "noMove", side: "second" }, "first", "first"),
    "Black has no move left.",
  );
  assert.equal(
    tell({ kind: "noMove", side: "second" }, "first", "second"),
    "You have no move left.",
  );
  const home = { kind: "allHome", side: "first", first: 12, second: 9 };
  assert.equal(tell(home, "first", "first"), "All twelve home. Black had 9.");
  assert.equal(tell(home, "first", "second"), "All twelve home. You had 9.");
  assert.equal(tell({ ...home, second: 12, points: 1 }, "first"), "Home first, with 1 point.");
  assert.equal(
    tell({ kind: "taken", side: "second", first: 6, second: 10 }, "second"),
    "Buttons taken: 10 to 6.",
  );
  assert.equal(
    tell({ kind: "off", side: "first", first: 7, second: 5 }, "first"),
    "Seven stones off, 7 to 5.",
  );
  assert.equal(
    tell({ kind: "noProgress", plies: 200 }, null),
    "200 moves, and no piece left the board.",
  );
  assert.equal(endingText(game, { winner: "first" }), "");
  for (const kind of endingKinds())
    assert.doesNotMatch(
      tell({ kind, side: "first", plies: 40, ...scores }, "first"),
      /[{}]|^ending\./,
    );
});

test("an ambiguous reason has the phrase of its request", () => {
  const messageFor = (status, reason, key) => {
    const error = new ApiError(status, { reason });
    if (!key) return error.message;
    assert.throws(() => overrideReason(reason, key)(error), error);
    assert.throws(() => overrideReason("another", "error.other")(error), error);
    return error.message;
  };
  const { en } = phrases;
  // Declined by the opponent, and refused by the engine.
  assert.equal(messageFor(409, "declined"), en["why.declined"]);
  assert.equal(messageFor(400, "declined", "computer.declined"), en["computer.declined"]);
  assert.equal(messageFor(403, "blocked"), en["error.blocked"]);
  assert.equal(messageFor(409, "tooMany"), en["error.tooMany"]);
  for (const key of ["token.tooMany", "player.tooMany", "report.tooMany"])
    assert.equal(messageFor(409, "tooMany", key), en[key]);
  for (const messages of Object.values(phrases)) {
    for (const keys of [
      ["why.declined", "computer.declined"],
      ["error.blocked", "chat.blocked"],
      ["error.tooMany", "token.tooMany", "player.tooMany", "report.tooMany"],
    ]) {
      assert.equal(new Set(keys.map((key) => messages[key])).size, keys.length);
    }
  }
});
