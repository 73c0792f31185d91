// State machine of the page of a challenge: replays transcripts of its socket and its requests, and
// transitions that a recording may not have. Every state and every message is frozen, so a mutation
// throws.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apply,
  beginReadyCheck,
  endReadyCheck,
  expireReadyCheck,
  initialState,
  isOwn,
  onCreator,
  onGone,
  onShow,
  startGame,
} from "../../static/challenge/state.js";
import { ChallengeOracle } from "./support/challenge-oracle.mjs";
import { deepFreeze, effectTypes, transcripts } from "./support/transcripts.mjs";

/** Returns a copy without absent properties, as JSON has none. */
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Applies a message, or the response to a request of the page. */
const applyEntry = (state, entry) => {
  const { request, d } = entry;
  if (!request) return apply(state, entry);
  if (request === "show") return onShow(state, d);
  if (request === "cancel") return onGone(state, { status: "canceled" });
  if (request === "ready")
    return d.answer === "yes" ? startGame(state, d.id) : endReadyCheck(state, "ready");
  assert.equal(request, "accept");
  if (d.ready === false) return beginReadyCheck(state, d.readyBy);
  return d.waiting ? { state, effects: [] } : startGame(state, d.id);
};

const startOf = ({ messages, viewer }) => deepFreeze(initialState(messages[0].d, viewer));

const recorded = transcripts("challenge");
const find = (name) => recorded.find((one) => one.name === `${name}.json`);

test("transcripts of all outcomes exist", () => {
  assert.deepEqual(recorded.map(({ name }) => name.replace(".json", "")).sort(), [
    "acceptor",
    "canceled",
    "canceled-visitor",
    "creator",
    "declined",
    "seat",
  ]);
});

for (const transcript of recorded) {
  const { messages, name, viewer } = transcript;

  test(`transcript ${name} leads to the expected states`, () => {
    assert.equal(messages[0].request, "show");
    const oracle = new ChallengeOracle(structuredClone(messages[0].d), viewer);
    let state = startOf(transcript);
    messages.slice(1).forEach((entry, at) => {
      const where = `${at + 1} (${entry.t ?? entry.request})`;
      const before = structuredClone(state);
      const expected = oracle.follow(entry);
      const { state: next, effects } = applyEntry(state, deepFreeze(entry));
      assert.deepEqual(structuredClone(state), before, where);
      const { challenge, readyBy, by, isStarted } = oracle;
      assert.deepEqual(
        plain(next),
        plain({ challenge, viewerId: viewer, readyBy, by, isStarted, isCreatorGone: false }),
        where,
      );
      assert.deepEqual(effectTypes(effects), expected, where);
      if (expected.includes("forward")) assert.equal(next, state, where);
      state = deepFreeze(next);
    });
    const isOver = state.isStarted || state.challenge.status !== "created";
    assert.ok(isOver, "the challenge has an outcome");
  });

  test(`${name}: equal challenges and reconnections change nothing`, () => {
    let state = startOf(transcript);
    for (const entry of messages.slice(1)) {
      assert.equal(apply(state, { t: "full", d: {} }).state, state);
      if (state.challenge.status === "created") {
        // The message about the viewer's ready check may still be on its way.
        if ([null, state.challenge.readyBy].includes(state.readyBy))
          assert.equal(onShow(state, structuredClone(state.challenge)).state, state);
        const again = { t: "challenge", d: structuredClone(state.challenge) };
        assert.deepEqual(apply(state, again), { state, effects: [] });
      }
      state = deepFreeze(applyEntry(state, entry).state);
    }
  });

  test(`transcript ${name}: unknown ids change nothing`, () => {
    let state = startOf(transcript);
    for (const entry of messages.slice(1)) {
      const other = { ...messages[0].d, id: "unknown!", direction: "in" };
      for (const message of [
        { t: "challenge", d: other },
        { t: "challengeGone", d: { id: "unknown!", status: "accepted" } },
        { t: "seatLost", d: other },
        { t: "ring", d: { challenge: other, by: { name: "Eve" }, readyBy: 9 } },
        { t: "ringGone", d: { id: "unknown!", reason: "late" } },
        { t: "start", d: { id: "unknown!", challenge: "unknown!" } },
      ])
        assert.deepEqual(apply(state, message), { state, effects: [{ type: "forward", message }] });
      state = deepFreeze(applyEntry(state, entry).state);
    }
  });
}

test("the creator of the challenge comes and goes", () => {
  const { messages, viewer } = find("acceptor");
  const state = startOf({ messages, viewer });
  const { id } = state.challenge;
  const present = (before, here, away) =>
    apply(before, deepFreeze({ t: "presence", d: { here, away } }));
  const gone = present(state, ["unknown!"], [id]);
  assert.deepEqual(gone.effects, []);
  assert.equal(gone.state.challenge.creatorPresent, false);
  const back = present(deepFreeze(gone.state), [id], []);
  assert.equal(back.state.challenge.creatorPresent, true);
  const others = present(deepFreeze(back.state), ["unknown!"], []);
  assert.deepEqual(others, { state: back.state, effects: [] });
});

test("after a failed ready check the challenge is as before", () => {
  const transcript = find("acceptor");
  const { messages } = transcript;
  const lastAt = messages.findLastIndex(
    ({ request, d }) => request === "accept" && d.ready === false,
  );
  const failures = [];
  const state = messages.slice(1, lastAt).reduce((before, entry) => {
    const { state: next, effects } = applyEntry(before, entry);
    failures.push(...effects.filter(({ type }) => type === "readyCheckFailed"));
    return next;
  }, startOf(transcript));
  // The viewer has canceled the second check.
  assert.deepEqual(
    failures.map(({ reason }) => reason),
    ["declined"],
  );
  assert.equal(state.readyBy, null);
  assert.deepEqual({ ...state.challenge, readyBy: null }, { ...messages[0].d, readyBy: null });
});

test("a missed end is found by the request after a reconnection", () => {
  for (const name of ["canceled-visitor", "declined"]) {
    const { messages, viewer } = find(name);
    const { d: gone } = messages.find(({ t }) => t === "challengeGone");
    const start = startOf({ messages, viewer });
    const { state } = apply(start, { t: "challengeGone", d: gone });
    const shown = { ...messages[0].d, status: gone.status, declineReasonKey: gone.reasonKey };
    const missed = onShow(start, shown);
    assert.deepEqual(plain(missed.state), plain(state), name);
    assert.deepEqual(effectTypes(missed.effects), ["closed"], name);
  }
});

const challengeOf = (changes = {}) => ({
  id: "k3f9Q2xZ",
  kind: "list",
  status: "created",
  standing: false,
  challenger: { id: "ann", name: "Ann" },
  ...changes,
});

const pageOf = (viewerId, changes) => deepFreeze(initialState(challengeOf(changes), viewerId));

test("the closed account of a creator is part of the state", () => {
  const state = pageOf("bob", { status: "canceled" });
  assert.equal(onCreator(state, { closed: true }).state.isCreatorGone, true);
  assert.equal(onCreator(state, {}).state, state);
});

test("a challenge is the viewer's by its reason or its challenger", () => {
  assert.ok(isOwn(pageOf("ann")));
  assert.ok(!isOwn(pageOf("bob")));
  const seats = { challenger: null };
  assert.ok(isOwn(pageOf("ann", { ...seats, ineligibleReason: "own" })));
  assert.ok(!isOwn(pageOf("bob", seats)));
});

test("the game starts once, with the sound for its creator", () => {
  const start = { t: "start", d: { id: "k3f9Q2xZ", challenge: "k3f9Q2xZ" } };
  for (const [viewer, own] of [
    ["ann", true],
    ["bob", false],
  ]) {
    const { state, effects } = apply(pageOf(viewer), start);
    assert.deepEqual(effects, [{ type: "gameStarted", id: "k3f9Q2xZ", isOwn: own }]);
    assert.deepEqual(apply(state, start), { state, effects: [] });
    assert.deepEqual(startGame(state, "k3f9Q2xZ"), { state, effects: [] });
    const gone = { t: "challengeGone", d: { id: "k3f9Q2xZ", status: "accepted" } };
    assert.deepEqual(apply(state, gone).effects, []);
  }
  const accepted = onShow(pageOf("bob"), challengeOf({ status: "accepted" }));
  assert.deepEqual(effectTypes(accepted.effects), ["gameStarted"]);
});

test("a late response does not reopen a closed challenge", () => {
  for (const status of ["canceled", "declined", "expired"]) {
    const gone = { t: "challengeGone", d: { id: "k3f9Q2xZ", status } };
    const { state } = deepFreeze(apply(pageOf("bob"), gone));
    assert.deepEqual(onShow(state, challengeOf()), { state, effects: [] });
    assert.deepEqual(apply(state, { t: "challenge", d: challengeOf() }), { state, effects: [] });
    // A closed challenge may still change, for example with the reason of its decliner.
    const declined = onShow(state, challengeOf({ status, declineReasonKey: "later" }));
    assert.equal(declined.state.challenge.declineReasonKey, "later");
  }
});

test("a standing challenge remains open to its creator", () => {
  const start = { t: "start", d: { id: "abcdefgh", challenge: "k3f9Q2xZ" } };
  const standing = { standing: true };
  assert.deepEqual(effectTypes(apply(pageOf("ann", standing), start).effects), ["forward"]);
  const gone = { t: "challengeGone", d: { id: "k3f9Q2xZ", status: "accepted" } };
  assert.ok(!apply(pageOf("ann", standing), gone).state.isStarted);
  assert.deepEqual(apply(pageOf("bob", standing), start).effects, [
    { type: "gameStarted", id: "abcdefgh", isOwn: false },
  ]);
});

test("the creator sees who has accepted, until the check ends", () => {
  const by = { id: "bob", name: "Bob" };
  const ring = { t: "ring", d: { challenge: challengeOf(), by, readyBy: 60000 } };
  // The challenge may be announced as taken before the ready check.
  const taken = { t: "challenge", d: challengeOf({ readyBy: 60000 }) };
  for (const messages of [[ring], [taken, ring], [ring, taken]]) {
    const { state } = messages.reduce((last, message) => apply(deepFreeze(last.state), message), {
      state: pageOf("ann"),
    });
    assert.deepEqual([state.by, state.challenge.readyBy, state.readyBy], [by, 60000, null]);
    const end = apply(deepFreeze(state), { t: "ringGone", d: { id: "k3f9Q2xZ", reason: "late" } });
    assert.deepEqual([end.state.by, end.state.challenge.readyBy, end.effects], [null, null, []]);
  }
});

test("a ready check ends without a message about it", () => {
  const begun = beginReadyCheck(pageOf("bob", { readyBy: 9 }), 9);
  assert.deepEqual(begun.effects, [{ type: "readyCheckBegun", readyBy: 9 }]);
  const { state } = deepFreeze(begun);
  assert.deepEqual(onShow(state, challengeOf({ readyBy: 9 })), { state, effects: [] });
  // It ended while the connection was down; another player may have accepted since.
  for (const readyBy of [null, 12]) {
    const missed = onShow(state, challengeOf({ readyBy }));
    assert.deepEqual([missed.state.readyBy, missed.state.challenge.readyBy], [null, readyBy]);
    assert.deepEqual(effectTypes(missed.effects), ["readyCheckFailed"]);
  }
  // The response to the acceptance arrived after the end: the deadline ends it.
  const expired = expireReadyCheck(state, 9);
  assert.deepEqual(
    [expired.state.readyBy, effectTypes(expired.effects)],
    [null, ["readyCheckFailed"]],
  );
  const later = beginReadyCheck(state, 12).state;
  assert.deepEqual(expireReadyCheck(later, 9), { state: later, effects: [] });
});

test("the acceptor is told why a ready check failed", () => {
  const waiting = deepFreeze(beginReadyCheck(pageOf("bob", { readyBy: 9 }), 9).state);
  const end = (reason) => apply(waiting, { t: "ringGone", d: { id: "k3f9Q2xZ", reason } });
  const challenge = challengeOf({ readyBy: null });
  assert.deepEqual(end("late").effects, [{ type: "readyCheckFailed", reason: "late", challenge }]);
  assert.deepEqual(end("ready").effects, []);
  assert.equal(end("ready").state.readyBy, null);
});

test("a lost seat closes the page of a challenge that is over", () => {
  const lost = (changes) =>
    apply(pageOf("bob", { kind: "open" }), { t: "seatLost", d: challengeOf(changes) }).effects;
  assert.deepEqual(effectTypes(lost({ kind: "open", eligible: false })), ["seatLost"]);
  assert.deepEqual(effectTypes(lost({ status: "expired" })), ["closed", "seatLost"]);
});

test("a challenge closes once", () => {
  const { state, effects } = onGone(pageOf("ann"), { status: "declined", reasonKey: "later" });
  assert.deepEqual(effects, [{ type: "closed" }]);
  assert.equal(state.challenge.declineReasonKey, "later");
  assert.deepEqual(onGone(state, { status: "canceled" }).effects, []);
});

test("only messages for the notifications are forwarded", () => {
  const state = pageOf("ann");
  const other = (direction) => ({ t: "challenge", d: challengeOf({ id: "other", direction }) });
  for (const message of [
    { t: "hello", d: { turns: 1 } },
    { t: "turns", d: { n: 1 } },
    { t: "signedOut", d: {} },
    { t: "constructor", d: { id: "k3f9Q2xZ" } },
    other("in"),
  ])
    assert.deepEqual(apply(state, message), { state, effects: [{ type: "forward", message }] });
  for (const message of [
    { t: "game", d: { id: "k3f9Q2xZ" } },
    { t: "gameGone", d: { id: "k3f9Q2xZ" } },
    other("out"),
    other(undefined),
  ])
    assert.deepEqual(apply(state, message), { state, effects: [] });
});
