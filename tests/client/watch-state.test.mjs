// State machine of the page of games in progress: replays a transcript of its socket and its lists,
// and transitions that a recording may not have. Every state and every message is frozen, so a
// mutation throws.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apply,
  followedIds,
  initialState,
  onList,
  onListError,
  onNewList,
  PAGE_SIZE,
} from "../../static/watch/state.js";
import { advanceClocks } from "./support/game-oracle.mjs";
import { deepFreeze, effectTypes, transcripts } from "./support/transcripts.mjs";
import { WatchOracle } from "./support/watch-oracle.mjs";

const idsOf = ({ boards }) => boards.map(({ game }) => game.id);
const withoutNumbers = ({ boards }) => boards.map(({ game, end }) => ({ game, end }));
const endedIds = ({ boards }) => boards.filter(({ end }) => end).map(({ game }) => game.id);

/** Applies a message or a list. The first list is a new one. */
const applyEntry = (state, entry, replaces = true) => {
  if (entry.request !== "list") return apply(state, entry);
  if (state.created === 0) return onNewList(state, entry.d);
  return onList(state, entry.d, replaces ? endedIds(state) : []);
};

const [{ messages }] = transcripts("watch");
const types = messages.map(({ t, request }) => t ?? request);

test("the transcript has moves, ends, two lists and a reconnection", () => {
  const count = (type) => types.filter((other) => other === type).length;
  assert.equal(types[0], "list");
  assert.deepEqual([count("list"), count("liveGone"), count("ack")], [2, 2, 3]);
  assert.ok(count("live") > 8);
});

for (const replaces of [true, false]) {
  test(`the transcript leads to the states, replaced games: ${replaces}`, () => {
    const oracle = new WatchOracle();
    let state = deepFreeze(initialState());
    messages.forEach((entry, at) => {
      const where = `${at} (${types[at]})`;
      const before = structuredClone(state);
      const { state: next, effects } = applyEntry(state, deepFreeze(entry), replaces);
      assert.deepEqual(structuredClone(state), before, where);
      if (entry.request) {
        const isChanged = oracle.followList(entry.d, replaces);
        assert.deepEqual(effectTypes(effects), isChanged ? ["follow"] : [], where);
        assert.deepEqual([next.listing.total, next.listing.page], [entry.d.total, 1], where);
        assert.notEqual(next.listing, state.listing, where);
      } else {
        oracle.follow(entry);
        assert.deepEqual(effects, [], where);
        assert.equal(next.listing, state.listing, where);
      }
      assert.deepEqual(withoutNumbers(next), oracle.boards, where);
      const open = oracle.boards.filter(({ end }) => !end).map(({ game }) => game.id);
      assert.deepEqual(followedIds(next), open, where);
      if (effects.length) assert.deepEqual(effects[0].ids, open, where);
      state = deepFreeze(next);
    });
  });
}

/** Returns the state after a number of entries. */
const stateAfter = (count) =>
  messages
    .slice(0, count)
    .reduce(
      (state, entry) => deepFreeze(applyEntry(state, entry).state),
      deepFreeze(initialState()),
    );

test("a reconnection leads to the accumulated state", () => {
  // The last messages are the states of the followed games, and the acknowledgment.
  const before = stateAfter(messages.length - followedIds(stateAfter(messages.length)).length - 1);
  const after = stateAfter(messages.length);
  assert.deepEqual(idsOf(before), idsOf(after));
  before.boards.forEach(({ number, game, end }, at) => {
    const { clocks, ...rest } = after.boards[at].game;
    assert.deepEqual({ ...game, clocks: undefined }, { ...rest, clocks: undefined });
    assert.deepEqual(clocks && advanceClocks(game.clocks, clocks.at), clocks);
    assert.deepEqual([number, end], [after.boards[at].number, after.boards[at].end]);
  });
});

test("a new list replaces the previous one, an equal one nothing", () => {
  const lists = messages.filter(({ request }) => request === "list").map(({ d }) => d);
  for (let count = 0; count <= messages.length; count += 1) {
    const state = stateAfter(count);
    for (const list of lists) {
      const { state: next, effects } = onNewList(state, list);
      const games = list.games.map((game) => ({ game, end: null }));
      assert.deepEqual(withoutNumbers(next), games);
      assert.deepEqual(effects, [{ type: "follow", ids: list.games.map(({ id }) => id) }]);
      // Its boards are drawn anew.
      const numbers = new Set(state.boards.map(({ number }) => number));
      assert.ok(next.boards.every(({ number }) => !numbers.has(number)));
      const again = onList(next, list);
      assert.deepEqual([again.state.boards, again.effects], [next.boards, []]);
    }
  }
});

test("a game that is no longer listed leaves with the second list", () => {
  const [{ d: list }] = messages.filter(({ request }) => request === "list");
  const [gone, ...rest] = list.games;
  const shorter = { ...list, games: rest, total: rest.length };
  const shown = deepFreeze(onNewList(initialState(), list).state);
  const once = deepFreeze(onList(shown, shorter));
  assert.deepEqual([idsOf(once.state), once.effects], [idsOf(shown), []], "its result may follow");
  const twice = onList(once.state, shorter);
  assert.deepEqual(
    idsOf(twice.state),
    rest.map(({ id }) => id),
  );
  assert.deepEqual(effectTypes(twice.effects), ["follow"]);
  const back = onList(once.state, list).state;
  assert.deepEqual(idsOf(onList(back, shorter).state), idsOf(shown), "the count starts again");
  // A list that lacks games does not tell which of them are listed.
  const part = { ...shorter, total: list.total };
  assert.deepEqual(idsOf(onList(onList(shown, part).state, part).state), idsOf(shown));
  assert.ok(idsOf(shown).includes(gone.id));
});

test("unknown and finished games change nothing", () => {
  const game = messages.find(({ t }) => t === "live").d;
  const end = { status: "resign", winner: "first", reason: null };
  for (let count = 0; count <= messages.length; count += 1) {
    const state = stateAfter(count);
    for (const id of ["unknown!", ...endedIds(state)])
      for (const message of [
        { t: "live", d: { ...game, id } },
        { t: "liveGone", d: { ...end, id } },
      ])
        assert.deepEqual(apply(state, message), { state, effects: [] });
    for (const t of ["ack", "refused", "pong", "constructor"])
      assert.equal(apply(state, { t, d: { id: state.boards[0]?.game.id } }).state, state);
  }
});

const gameOf = (id, ply = 0) => ({ id, ply });
const listOf = (ids, changes = {}) => ({
  games: ids.map((id) => gameOf(id)),
  total: ids.length,
  page: 1,
  ...changes,
});
const shownOf = (...ids) => deepFreeze(onNewList(initialState(), listOf(ids)).state);
const gone = (id) => ({ t: "liveGone", d: { id, status: "draw", winner: null, reason: null } });

test("new games replace finished ones in place, then fill the page", () => {
  const state = deepFreeze(
    ["a", "c"].reduce((last, id) => apply(last, gone(id)).state, shownOf("a", "b", "c", "d")),
  );
  const list = listOf(["b", "x", "d", "y", "z"]);
  assert.deepEqual(idsOf(onList(state, list, ["a", "c"]).state), ["x", "b", "y", "d", "z"]);
  // The pointer is on a finished game.
  assert.deepEqual(idsOf(onList(state, list, ["c"]).state), ["a", "b", "x", "d", "y", "z"]);
  assert.deepEqual(idsOf(onList(state, listOf(["b", "d"]), ["a", "c"]).state), ["b", "d"]);
  // A game in progress stays, even if the list has it no longer.
  assert.deepEqual(idsOf(onList(state, listOf([]), ["b"]).state), ["a", "b", "c", "d"]);
});

test("a page has at most sixteen boards", () => {
  const ids = Array.from({ length: PAGE_SIZE + 2 }, (_, at) => `g${at}`);
  const { state } = onNewList(initialState(), listOf(ids, { total: 40 }));
  assert.equal(state.boards.length, 16);
  assert.deepEqual(state.listing, { total: 40, page: 1, pages: 3 });
  const over = deepFreeze(apply(deepFreeze(state), gone("g3")).state);
  const next = onList(over, listOf([...ids.slice(0, 3), "n", "m"]), ["g3"]).state;
  assert.deepEqual([next.boards.length, next.boards[3].game.id], [16, "n"]);
  assert.equal(new Set(next.boards.map(({ number }) => number)).size, 16);
});

test("an error replaces the list, and the next list the error", () => {
  const { state, effects } = onListError(shownOf("a"), "The server cannot be reached.");
  assert.deepEqual([state.boards, effects], [[], []]);
  const expected = { total: 0, page: 1, pages: 1, error: "The server cannot be reached." };
  assert.deepEqual(state.listing, expected);
  const { listing } = onList(deepFreeze(state), listOf(["b"])).state;
  assert.deepEqual(listing, { total: 1, page: 1, pages: 1 });
});

test("an empty list follows no games", () => {
  const { state, effects } = onNewList(shownOf("a"), listOf([]));
  assert.deepEqual([state.boards, effects, state.listing.pages], [[], [], 1]);
});
