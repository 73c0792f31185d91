// Texts of times, ratings, results, challenges, previews and scores, and the checks of commitments
// and challenge filters.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkProperty } from "./support/generators.mjs";

const { agoText, dayText, locale } = await import("../../static/lib/format-time.js");
const { clockText, daysText } = await import("../../static/lib/format-time.js");
const { axisPosition, rangeText } = await import("../../static/common/challenge-card.js");
const { ChallengeFilter } = await import("../../static/lobby/challenge-list.js");
const { ratedText, timeLeftText, timeControlText, rejectionText, isChoice } =
  await import("../../static/common/challenge-text.js");
const { playerText } = await import("../../static/common/user-link.js");
const { outcomeFor, resultText } = await import("../../static/common/result.js");
const { scoreText } = await import("../../static/analysis/winning-chances.js");
const engineHint = await import("../../static/game/hint.js");
const { isCommitmentValid } = await import("../../static/common/fair-start.js");

const DAY = 86400000;

test("a clock shows tenths below ten seconds and never increases", () => {
  assert.equal(clockText(9999), "0:09.9");
  assert.equal(clockText(10000), "0:10");
  assert.equal(clockText(61000), "1:01");
  assert.equal(clockText(3661000), "1:01:01");
  assert.equal(clockText(-5), "0:00.0");
  const seconds = (text) => text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  checkProperty(fc.integer({ min: 0, max: 40 * 3600000 }), fc.nat(100000), (ms, more) => {
    assert.ok(seconds(clockText(ms)) <= ms / 1000);
    assert.ok(ms / 1000 - seconds(clockText(ms)) < (ms < 10000 ? 0.1 : 1));
    assert.ok(seconds(clockText(ms)) <= seconds(clockText(ms + more)));
  });
});

test("a long time is shown in its two greatest units", () => {
  assert.equal(daysText(2 * DAY + 3600000 * 5), "2 d 5 h");
  assert.equal(daysText(3 * DAY), "3 d");
  assert.equal(daysText(3600000 * 5 + 60000 * 7), "5 h 07");
  assert.equal(daysText(-1), daysText(0));
  checkProperty(fc.integer({ min: 0, max: 30 * DAY }), (ms) => assert.match(daysText(ms), /^\d+ /));
});

test("dates follow the region, elapsed times use the greatest unit", () => {
  assert.equal(locale, "en-GB");
  assert.equal(dayText(Date.UTC(2026, 2, 3, 12)), "3 Mar 2026");
  const now = Date.now();
  assert.equal(agoText(now - 3 * 3600000 - 60000), "3 hours ago");
  assert.equal(agoText(now - DAY - 60000), "yesterday");
  assert.equal(agoText(now + DAY), agoText(now), "a future time counts as now, as clocks differ");
});

test("a search for both kinds of games is not called rated", () => {
  assert.deepEqual(
    [{ rated: true }, { rated: false }, { rated: true, alsoCasual: true }].map(ratedText),
    ["Rated", "Casual", "Rated or casual"],
  );
});

test("rating range shows open ends, axis keeps the order", () => {
  assert.equal(rangeText({ min: 1400, max: 1600 }), "1400–1600");
  const texts = [
    { min: null, max: null },
    { min: 1400, max: null },
    { min: null, max: 1600 },
    { min: 1400, max: 1600 },
  ].map(rangeText);
  assert.equal(new Set(texts).size, 4);
  checkProperty(
    fc.integer({ min: 0, max: 4000 }),
    fc.integer({ min: 0, max: 4000 }),
    fc.integer({ min: 400, max: 3500 }),
    (first, second, you) => {
      const [left, right] = [first, second]
        .sort((a, b) => a - b)
        .map((rating) => axisPosition(rating, you));
      assert.ok(left >= 0 && right <= 100 && left <= right, `${left} ${right}`);
      assert.ok(axisPosition(you, you) > 0 && axisPosition(you, you) < 100);
    },
  );
});

test("an ineligibility text contains the violated bound", () => {
  const range = { min: 1400, max: 1600 };
  assert.match(
    rejectionText({ ineligibleReason: "ratingTooLow", ratingRange: range }, 1300),
    /1300.*1400/,
  );
  assert.match(
    rejectionText({ ineligibleReason: "ratingTooHigh", ratingRange: range }, 1700),
    /1700.*1600/,
  );
  // The range of another choice: no bound of this one is shown.
  assert.doesNotMatch(
    rejectionText({ ineligibleReason: "ratingTooLow", ratingRange: range }, 1500),
    /1400|1600/,
  );
  assert.notEqual(
    rejectionText({ ineligibleReason: "unheardOf", ratingRange: range }, 1500),
    "why.unheardOf",
  );
});

test("the time left of a challenge has one unit and is never zero", () => {
  checkProperty(fc.integer({ min: -DAY, max: 30 * DAY }), (ms) => {
    const [, n] = /^(\d+)/.exec(timeLeftText(ms, 0)) ?? assert.fail(timeLeftText(ms, 0));
    assert.ok(Number(n) >= 1 && Number(n) <= 90, timeLeftText(ms, 0));
  });
  assert.equal(timeControlText({ type: "clock", show: "5+3" }), "5+3");
  assert.match(timeControlText({ type: "correspondence", daysPerTurn: 3 }), /3 days/);
});

test("a player is shown with title, rating and a provisional mark", () => {
  assert.equal(playerText({ name: "Ann", rating: 1500, provisional: true }), "Ann 1500?");
  assert.equal(
    playerText({ name: "Ann", rating: 1500, provisional: false, title: "BOT" }),
    "BOT Ann 1500",
  );
  assert.doesNotMatch(
    playerText({ name: "Ann", rating: 1500, provisional: true, guest: true }),
    /1500|\?/,
  );
});

test("a result is shown from the viewer's side", () => {
  const game = { sides: ["black", "white"] };
  const won = { status: "resign", winner: "first" };
  const [mine, theirs, watched] = ["first", "second", null].map(
    (you) => resultText(game, won, you)[0],
  );
  assert.deepEqual([mine, theirs], ["You won", "You lost"]);
  assert.match(watched, /black/i);
  assert.match(resultText(game, won, "first")[1], /white/i, "the resigning side is named");
  for (const end of [
    { status: "aborted", winner: null },
    { status: "draw", winner: null, reason: "agreement" },
  ]) {
    for (const text of resultText(game, end, "first")) assert.doesNotMatch(text, /^end\./);
  }
  assert.deepEqual(
    [won, { status: "started" }, { status: "aborted" }, { status: "draw", winner: null }].map(
      (end) => outcomeFor(end, "second"),
    ),
    ["loss", "playing", "void", "draw"],
  );
});

test("score is for the side to move, a won one counts moves", () => {
  assert.equal(scoreText({ points: -12 }), "−12");
  assert.equal(scoreText({ points: 0 }), "+0");
  assert.match(scoreText({ win: 5 }), /3 moves/);
  assert.match(scoreText({ loss: 2 }), /1 move$/);
  checkProperty(fc.integer({ min: -3000, max: 3000 }), (points) => {
    const [text, opposite] = [
      engineHint.scoreText({ points }),
      engineHint.scoreText({ points: -points }),
    ];
    assert.equal(text === opposite, Math.abs(points) < 70, `${text} / ${opposite}`);
  });
});

test("seed and salt are verified against the commitment", async () => {
  // printf '2718297242215105:58636e79848f9aa5b0bbc6d1dce7f2fd' | sha256sum
  const shuffle = {
    commitment: "87eb6748b5547cf2be08efe7b2b1e8a7d9777c48636eb4c550df79fbdcfde6b9",
    seed: 2718297242215105,
    salt: "58636e79848f9aa5b0bbc6d1dce7f2fd",
  };
  assert.equal(await isCommitmentValid(shuffle), true);
  await fc.assert(
    fc.asyncProperty(fc.maxSafeNat(), async (seed) =>
      assert.equal(await isCommitmentValid({ ...shuffle, seed }), seed === shuffle.seed),
    ),
    { numRuns: 50 },
  );
  assert.equal(await isCommitmentValid({ ...shuffle, salt: `${shuffle.salt}0` }), false);
});

test("challenge filter selects by variant and time, keeps own", () => {
  const challenge = (keys, eligible, ineligibleReason, types = ["clock"]) => ({
    choices: {
      variants: keys.map((key) => ({ variant: { key } })),
      clocks: types.map((type) => ({ timeControl: { type } })),
    },
    eligible,
    ineligibleReason,
    kind: "seek",
  });
  const isShown = (filter, candidate) => ChallengeFilter.prototype.matches.call(filter, candidate);
  checkProperty(
    fc.subarray(["a", "b", "c"], { minLength: 1 }),
    fc.constantFrom(null, "a", "b", "c"),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom("own", "provisional"),
    (keys, variant, hide, eligible, reason) => {
      const matches = variant === null || keys.includes(variant);
      assert.equal(
        isShown(
          { variant, hide, isLive: null },
          challenge(keys, eligible, eligible ? undefined : reason),
        ),
        matches && (!hide || eligible || reason === "own"),
      );
    },
  );
  const shownTypes = (isLive) =>
    [["clock"], ["correspondence"], ["unlimited"], ["clock", "correspondence"]].map((types) =>
      isShown({ variant: null, hide: false, isLive }, challenge(["a"], true, undefined, types)),
    );
  assert.deepEqual(shownTypes(true), [true, false, false, true]);
  assert.deepEqual(shownTypes(false), [false, true, true, true]);
  assert.equal(isChoice(challenge(["a"], true)), false);
  assert.equal(isChoice(challenge(["a", "b"], true)), true);
});
