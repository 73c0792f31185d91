// State machine of the page that looks for an opponent: start, progress, cancellation,
// reconnection, ready checks and the game. Every state and every message is frozen, so a mutation
// throws.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apply,
  begin,
  cancel,
  choose,
  COMPUTER_AFTER_MS,
  initialState,
  isAwaiting,
  leave,
  onCancelFailed,
  onConnection,
  onFailed,
  onLeaveFailed,
  onLeftOpen,
  onPosted,
  onRefused,
  openGame,
  progressOf,
} from "../../static/find/state.js";
import { deepFreeze, effectTypes } from "./support/transcripts.mjs";

const terms = { games: ["hogga"], clocks: ["10"] };
const search = (changes = {}) => ({
  id: "seek0001",
  startedAt: 500,
  variants: [{ key: "hogga" }],
  clocks: [{ key: "600+5" }],
  asking: null,
  here: null,
  missed: null,
  ...changes,
});
const find = (value) => ({ t: "find", d: { search: value } });
const start = (id, challenge = id) => ({ t: "start", d: { id, challenge } });

/** Applies transitions one after another; returns the last state and all effects. */
const run = (state, ...transitions) =>
  transitions.reduce(
    (last, transition) => {
      const next = deepFreeze(transition(last.state));
      return { state: next.state, effects: [...last.effects, ...next.effects] };
    },
    { state: deepFreeze(state), effects: [] },
  );
const receive = (message) => (state) => apply(state, deepFreeze(message));
const posted = (state) => onPosted(state, search(), state.request);
const refused = (state) => onRefused(state, state.request);
const began = (state) => begin(state, terms, 100);
const looking = () => run(initialState(null), receive(find(null)), began, posted).state;

test("a new page offers the choice, a search begins with a request", () => {
  const { state, effects } = run(initialState(null), receive(find(null)), began);
  assert.deepEqual([state.stage, state.terms, state.since], ["looking", terms, 100]);
  assert.deepEqual(effects, [{ type: "post", terms, request: 1, isAgain: false }]);
  // The end of an earlier search, which the new one replaces, arrives before the response.
  const { state: next } = run(state, receive(find(null)), receive(find(search())), posted);
  assert.deepEqual([next.stage, next.search.id, next.isPosting], ["looking", "seek0001", false]);
  assert.equal(next.since, 100, "the wait counts from the click");
});

test("a refused request returns to the choice", () => {
  const { state, effects } = run(initialState(null), began, refused);
  assert.deepEqual([state.stage, state.isPosting], ["choosing", false]);
  assert.deepEqual(effectTypes(effects), ["post"]);
});

test("a search of another tab is shown with its start", () => {
  const { state } = run(initialState(null), receive(find(search())));
  assert.deepEqual([state.stage, state.since], ["looking", 500]);
});

test("a reloaded page finds its search, or begins it anew", () => {
  const remembered = { terms, since: 7 };
  const found = run(initialState(remembered), receive(find(search())));
  assert.deepEqual([found.state.stage, found.state.since], ["looking", 7]);
  assert.deepEqual(found.effects, []);
  const lost = run(initialState(remembered), receive(find(null)));
  assert.deepEqual(
    [lost.state.stage, lost.effects],
    ["looking", [{ type: "restart", request: 0 }]],
  );
});

test("a reconnection keeps the search, or begins it anew", () => {
  const closed = run(looking(), (state) => onConnection(state, false));
  assert.equal(progressOf(closed.state, 0)[0], "find.reconnecting");
  const reopened = run(closed.state, (state) => onConnection(state, true));
  assert.equal(progressOf(reopened.state, 0)[0], "find.waiting");
  assert.deepEqual(run(reopened.state, receive(find(search()))).effects, []);
  const restarted = run(reopened.state, receive(find(null)));
  assert.deepEqual(restarted.effects, [{ type: "restart", request: 1 }]);
  assert.equal(restarted.state.stage, "looking");
  assert.equal(progressOf(restarted.state, 0)[0], "find.reconnecting");
});

test("progress names the absent creator and the last attempt", () => {
  const keys = [
    search({ asking: { name: "Joris", until: 9 } }),
    search({ missed: "absent" }),
    search({ missed: "taken" }),
    search(),
  ].map((value) => progressOf(run(looking(), receive(find(value))).state, 0));
  assert.deepEqual(keys, [
    ["find.asking", { name: "Joris" }],
    ["find.missed.absent", {}],
    ["find.missed.taken", {}],
    ["find.waiting", {}],
  ]);
  assert.equal(progressOf(looking(), COMPUTER_AFTER_MS)[0], "find.nobody");
});

test("a canceled search ignores messages about it", () => {
  const { state, effects } = run(looking(), cancel, receive(find(search({ missed: "taken" }))));
  assert.deepEqual([state.stage, effectTypes(effects)], ["canceled", ["cancel"]]);
  assert.equal(run(state, receive(find(null)), choose).state.stage, "choosing");
});

test("a cancellation before the response is kept", () => {
  // The page sends the requests one after another: the cancellation follows the search.
  const early = run(initialState(null), receive(find(null)), began, cancel);
  assert.deepEqual(effectTypes(early.effects), ["post", "cancel"]);
  // The socket may report the search before the response arrives, and after it.
  const told = run(early.state, receive(find(search())));
  assert.equal(told.state.stage, "canceled");
  const { state, effects } = run(told.state, posted, receive(find(search({ missed: "taken" }))));
  assert.deepEqual([state.stage, state.canceledId, effects], ["canceled", "seek0001", []]);
  // A refusal of the request changes nothing either.
  assert.equal(run(early.state, refused).state.stage, "canceled");
  // The response to the first request is not one to the second.
  const again = run(early.state, choose, (next) => begin(next, terms, 200));
  const late = run(again.state, (next) => onPosted(next, search(), 1));
  assert.deepEqual(
    [late.state.stage, late.state.search, late.state.isPosting],
    ["looking", null, true],
  );
  const refusedLate = run(again.state, (next) => onRefused(next, 1));
  assert.equal(refusedLate.state.stage, "looking");
});

test("a failed cancellation shows the search again", () => {
  const { state, effects } = run(looking(), cancel);
  assert.equal(effects[0].search.id, "seek0001");
  const shown = run(state, (next) => onCancelFailed(next, effects[0].search)).state;
  assert.deepEqual([shown.stage, shown.search.id, shown.canceledId], ["looking", "seek0001", null]);
  assert.equal(run(shown, receive(find(null))).state.stage, "canceled");
});

test("a search is requested until the server answers", () => {
  const lost = run(
    looking(),
    (state) => onConnection(state, false),
    (state) => onConnection(state, true),
    receive(find(null)),
    (state) => begin(state, terms, 100, true),
  );
  assert.equal(lost.effects.at(-1).isAgain, true);
  const failed = run(lost.state, (state) => onFailed(state, 2)).state;
  assert.deepEqual([failed.stage, isAwaiting(failed, 2)], ["looking", true]);
  assert.equal(progressOf(failed, 0)[0], "find.reconnecting");
  assert.equal(isAwaiting(run(failed, receive(find(search()))).state, 2), false, "another tab");
  assert.equal(isAwaiting(run(failed, cancel).state, 2), false);
  assert.equal(isAwaiting(run(failed, began).state, 2), false, "a newer request");
  assert.equal(isAwaiting(run(failed, leave).state, 2), false, "a challenge in its place");
});

test("a search that ends elsewhere is shown as canceled", () => {
  const { state, effects } = run(looking(), receive(find(null)));
  assert.deepEqual([state.stage, effects], ["canceled", []]);
});

test("a challenge left in the lobby ends the search", () => {
  const left = run(looking(), leave, receive(find(null)));
  assert.deepEqual([left.state.stage, left.effects], ["looking", []], "no search was canceled");
  assert.equal(progressOf(left.state, 0)[0], "find.waiting");
  assert.equal(run(left.state, onLeftOpen).state.stage, "posted");
  assert.equal(run(left.state, onLeaveFailed).state.stage, "canceled");
  const kept = run(looking(), leave, onLeaveFailed).state;
  assert.deepEqual([kept.stage, kept.search.id, kept.isLeaving], ["looking", "seek0001", false]);
});

test("a game that is found first is not replaced by a challenge", () => {
  const found = run(looking(), leave, receive(start("seek0001")));
  assert.equal(found.state.isLeaving, false);
  const { state, effects } = run(found.state, receive(find(null)), onLeftOpen);
  assert.deepEqual([state.stage, effects], ["found", []]);
  assert.equal(run(looking(), leave, cancel).state.isLeaving, false);
});

test("the game of the own seek opens at once", () => {
  const { state, effects } = run(looking(), receive(start("seek0001")), receive(find(null)));
  assert.equal(state.stage, "found");
  assert.deepEqual(effects, [{ type: "openGame", id: "seek0001" }]);
});

test("the game of an accepted challenge opens when the search ends", () => {
  const begun = run(looking(), receive(start("game0001", "other001")));
  assert.deepEqual([begun.state.stage, begun.effects], ["looking", []]);
  const { state, effects } = run(begun.state, receive(find(null)));
  assert.deepEqual([state.stage, effects], ["found", [{ type: "openGame", id: "game0001" }]]);
  // The game begins before the response to the request.
  const early = run(
    initialState(null),
    began,
    receive(find(search())),
    receive(start("game0001", "other001")),
    receive(find(null)),
  );
  assert.equal(early.state.stage, "found");
  // Another game leaves the search as it is.
  assert.equal(run(begun.state, receive(find(search()))).state.stage, "looking");
  assert.deepEqual(effectTypes(run(state, receive(start("game0002"))).effects), []);
});

test("without a search a game that begins is a notification", () => {
  const { effects } = run(initialState(null), receive(start("game0001")));
  assert.deepEqual(effectTypes(effects), ["forward"]);
});

test("only ready checks of the search are confirmed", () => {
  const ring = (id, kind) => ({ challenge: { id, kind }, by: { name: "Mats" }, readyBy: 9 });
  const own = run(looking(), receive({ t: "ring", d: ring("seek0001", "seek") }));
  assert.deepEqual(own.effects, [{ type: "confirm", id: "seek0001", until: 9 }]);
  const other = run(looking(), receive({ t: "ring", d: ring("list0001", "list") }));
  assert.deepEqual(effectTypes(other.effects), ["forward"]);
  const rings = [ring("seek0001", "seek"), ring("list0001", "list")];
  const hello = run(
    initialState({ terms, since: 1 }),
    receive({ t: "hello", d: { turns: 0, rings, challenges: [] } }),
  );
  assert.deepEqual(effectTypes(hello.effects), ["confirm", "forward"]);
  assert.deepEqual(hello.effects[1].message.d.rings, [rings[1]]);
  const { state, effects } = run(looking(), (next) => openGame(next, "game0001"));
  assert.equal(state.stage, "found");
  assert.deepEqual(effectTypes(effects), ["openGame"]);
  assert.deepEqual(run(state, (next) => openGame(next, "game0001")).effects, [], "it opens once");
});

test("a ready check after the end of the search is not confirmed", () => {
  const ring = { challenge: { id: "seek0001", kind: "seek" }, by: { name: "Mats" }, readyBy: 9 };
  const hello = { t: "hello", d: { turns: 0, rings: [ring], challenges: [] } };
  const fresh = initialState(null);
  assert.deepEqual(effectTypes(run(fresh, receive(hello)).effects), ["confirm", "forward"]);
  const chosen = run(fresh, receive(find(null))).state;
  for (const state of [
    run(looking(), cancel).state,
    run(looking(), leave, onLeftOpen).state,
    run(looking(), (next) => openGame(next, "game0001")).state,
    chosen,
    run(looking(), cancel, choose, (next) => begin(next, terms, 100)).state,
  ]) {
    assert.deepEqual(run(state, receive({ t: "ring", d: ring })).effects, [], state.stage);
    assert.deepEqual(effectTypes(run(state, receive(hello)).effects), ["forward"], state.stage);
  }
});
