// State machine of the lobby page: replays transcripts of its sockets, and transitions that a
// recording may not have. Every state and every message is frozen, so a mutation throws.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { LobbyOracle } from "./support/lobby-oracle.mjs";
import { deepFreeze, effectTypes, transcripts } from "./support/transcripts.mjs";

const {
  appendPage,
  apply,
  beginReadyCheck,
  dropChallenge,
  dropFailure,
  endReadyCheck,
  expireReadyCheck,
  initialState,
  insertQueued,
  onChallengeGone,
  openChallenges,
  prependChallenge,
  replaceOwnGames,
} = await import("../../static/lobby/state.js");
const { dropBoard, followedIds, selectGames, showBoards } =
  await import("../../static/lobby/board-transitions.js");

const byId = (list) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
const ids = (list) => list.map(({ id }) => id);

/** Applies a message, or the response to a request of the page. */
const applyEntry = (state, entry) => {
  const { request, d } = entry;
  if (request === "accept" && d.ready === false) return beginReadyCheck(state, d.id, d.readyBy);
  if (request === "ready") return endReadyCheck(state, d.id);
  return request ? { state, effects: [] } : apply(state, entry);
};

/** Executes the effects that a timer delays. */
const runTimers = (state, effects) =>
  effects.reduce((next, effect) => {
    if (effect.type === "challengeGone") return dropChallenge(next, effect.id, effect.gone).state;
    if (effect.type === "boardGone") return dropBoard(next, effect.id).state;
    if (effect.type === "readyCheckFailed")
      return dropFailure(next, effect.id, effect.failure).state;
    return next;
  }, state);

const assertState = (state, oracle, where) => {
  assert.deepEqual(state.me, oracle.me, where);
  assert.deepEqual(state.challenges, oracle.challenges, where);
  assert.deepEqual(state.queued, [], where);
  const statuses = [...state.gone].map(([id, { status }]) => [id, status]);
  assert.deepEqual(new Map(statuses), oracle.gone, where);
  assert.deepEqual(state.readyChecks, oracle.readyChecks, where);
  const reasons = [...state.failures].map(([id, { reason }]) => [id, reason]);
  assert.deepEqual(new Map(reasons), oracle.failures, where);
  assert.deepEqual(state.games, oracle.games, where);
  assert.deepEqual(state.boards, oracle.boards, where);
  const open = oracle.challenges.filter(({ id }) => !oracle.gone.has(id));
  assert.deepEqual(openChallenges(state), open, where);
  const followed = oracle.boards.filter(({ end }) => end === null).map(({ game }) => game.id);
  assert.deepEqual(followedIds(state), followed, where);
};

/** Returns the states after each entry of a transcript, the first one before all. */
const statesOf = ({ messages }, start, next) =>
  messages.reduce(
    (states, entry) => [...states, deepFreeze(next(states.at(-1), deepFreeze(entry)))],
    [deepFreeze(start)],
  );

const startOf = ({ messages }) => showBoards(initialState(messages[0].d)).state;

const recorded = transcripts("lobby");

test("transcripts of an acceptor and a spectator exist", () => {
  assert.deepEqual(recorded.map(({ name }) => name).sort(), ["acceptor.json", "spectator.json"]);
  const types = new Set(recorded.flatMap(({ messages }) => messages.map(({ t }) => t)));
  for (const type of "full challenge challengeGone ringGone start turns game gameGone live liveGone".split(
    " ",
  ))
    assert.ok(types.has(type), `no transcript has ${type}`);
});

for (const transcript of recorded) {
  const { messages } = transcript;
  /** The first message after the last reconnection. */
  const lastFullAt = messages.findLastIndex(({ t }) => t === "full");

  test(`transcript ${transcript.name} leads to the expected states`, () => {
    assert.equal(messages[0].request, "account");
    const oracle = new LobbyOracle(structuredClone(messages[0].d));
    let state = deepFreeze(startOf(transcript));
    messages.forEach((entry, at) => {
      const where = `${at} (${entry.t ?? entry.request})`;
      const before = structuredClone(state);
      const expected = oracle.follow(entry);
      const { state: next, effects } = applyEntry(state, deepFreeze(entry));
      assert.deepEqual(structuredClone(state), before, where);
      assertState(next, oracle, where);
      assert.deepEqual(effectTypes(effects), expected, where);
      state = deepFreeze(next);
    });
  });

  test(`${transcript.name} leads to the state of its last full`, () => {
    const states = statesOf(transcript, startOf(transcript), (state, entry) => {
      const { state: next, effects } = applyEntry(state, entry);
      return runTimers(next, effects);
    });
    const accumulated = states[lastFullAt];
    const { challenges, games } = messages[lastFullAt].d;
    assert.ok(challenges.length > 1 && games.length > 1);
    assert.deepEqual(byId(accumulated.challenges), byId(challenges));
    assert.deepEqual(byId(accumulated.games), byId(games));
    assert.deepEqual([accumulated.gone.size, accumulated.failures.size], [0, 0]);
    const boards = ids(selectGames(accumulated)).sort();
    assert.deepEqual(accumulated.boards.map(({ game }) => game.id).sort(), boards);
    // A new page has the same lists.
    const fresh = apply(initialState(messages[0].d), messages[lastFullAt]).state;
    assert.deepEqual(byId(fresh.challenges), byId(accumulated.challenges));
    assert.deepEqual(byId(selectGames(fresh)), byId(selectGames(accumulated)));
  });

  test(`${transcript.name}: a full list replaces the previous one`, () => {
    const states = statesOf(
      transcript,
      startOf(transcript),
      (s, entry) => applyEntry(s, entry).state,
    );
    messages.forEach((entry, at) => {
      if (entry.t !== "full") return;
      for (const state of states) {
        const { state: next } = apply(state, entry);
        assert.deepEqual(next.challenges, entry.d.challenges, `${at}`);
        assert.deepEqual(next.games, entry.d.games, `${at}`);
        assert.deepEqual([next.queued, next.gone, next.pages], [[], new Map(), 1], `${at}`);
        assert.equal(next.nextPage, entry.d.nextPage);
        const snapshot = next.snapshot + 1;
        assert.deepEqual(apply(next, entry).state, { ...next, snapshot });
      }
    });
  });

  test(`transcript ${transcript.name}: unknown ids change nothing`, () => {
    const states = statesOf(
      transcript,
      startOf(transcript),
      (s, entry) => applyEntry(s, entry).state,
    );
    const game = messages.find(({ t }) => t === "live")?.d;
    for (const state of states) {
      for (const message of [
        { t: "challengeGone", d: { id: "unknown!", status: "canceled" } },
        { t: "ringGone", d: { id: "unknown!", reason: "late" } },
        { t: "gameGone", d: { id: "unknown!" } },
        { t: "live", d: { ...game, id: "unknown!" } },
        { t: "liveGone", d: { id: "unknown!", status: null, winner: null, reason: null } },
      ])
        assert.deepEqual(apply(state, message).state, state, message.t);
    }
  });

  test(`${transcript.name}: challenges wait while the list is in use`, () => {
    const inUse = { ...startOf(transcript), isListInUse: true };
    const states = statesOf(transcript, inUse, (s, entry) => applyEntry(s, entry).state);
    const plain = statesOf(
      transcript,
      startOf(transcript),
      (s, entry) => applyEntry(s, entry).state,
    );
    assert.ok(states.some(({ queued }) => queued.length > 0));
    states.forEach((state, at) => {
      const listed = new Set(ids(state.challenges));
      assert.ok(
        state.queued.every((challenge) => !listed.has(challenge.id)),
        `${at}`,
      );
      const inserted = insertQueued(state).state;
      assert.deepEqual(inserted.queued, []);
      assert.deepEqual(byId(openChallenges(inserted)), byId(openChallenges(plain[at])), `${at}`);
    });
  });
}

const challengeOf = (id, changes = {}) => ({
  id,
  kind: "list",
  status: "created",
  eligible: true,
  yourRating: 1500,
  variant: { key: "hogga" },
  choices: { variants: [], clocks: [{ key: "300+3", timeControl: { type: "clock" } }] },
  ...changes,
});

const player = (id, changes = {}) => ({ id, name: id, guest: false, ...changes });

const gameOf = (id, first, second, changes = {}) => ({
  id,
  ply: 0,
  first: player(first),
  second: player(second),
  ...changes,
});

const ME = { id: "ann", guest: false, perfs: { hogga: { rating: 1480 } } };

const fullOf = (challenges, games = [], changes = {}) => ({
  t: "full",
  d: { challenges, games, page: 1, nextPage: null, you: null, ...changes },
});

/** Applies messages in order, and returns the last state and the effects of the last message. */
const run = (state, ...messages) =>
  messages.reduce((last, message) => apply(deepFreeze(last.state), deepFreeze(message)), {
    state,
    effects: [],
  });

const lobbyOf = (...challenges) => run(initialState(ME), fullOf(challenges)).state;

const gone = (id, status, reasonKey) => ({ t: "challengeGone", d: { id, status, reasonKey } });

test("new challenges come first; an update keeps its position", () => {
  const state = lobbyOf(challengeOf("a"), challengeOf("b"));
  const added = run(state, { t: "challenge", d: challengeOf("c") }).state;
  assert.deepEqual(ids(added.challenges), ["c", "a", "b"]);
  const updated = run(added, { t: "challenge", d: challengeOf("a", { readyBy: 5 }) }).state;
  assert.deepEqual(ids(updated.challenges), ["c", "a", "b"]);
  assert.equal(updated.challenges[1].readyBy, 5);
  // The viewer's new challenge may arrive in a message before the response has it.
  assert.deepEqual(ids(prependChallenge(added, challengeOf("b")).state.challenges), [
    "b",
    "c",
    "a",
  ]);
});

test("queued challenges are inserted newest first", () => {
  const inUse = { ...lobbyOf(challengeOf("a")), isListInUse: true };
  const own = challengeOf("o", { ineligibleReason: "own" });
  const arrive = (id) => ({ t: "challenge", d: challengeOf(id) });
  const { state } = run(inUse, arrive("b"), arrive("c"), arrive("b"), { t: "challenge", d: own });
  assert.deepEqual(
    [ids(state.challenges), ids(state.queued)],
    [
      ["o", "a"],
      ["c", "b"],
    ],
  );
  assert.deepEqual(ids(insertQueued(state).state.challenges), ["b", "c", "o", "a"]);
  assert.deepEqual(ids(run(state, gone("c", "canceled")).state.queued), ["b"]);
  // An update when the pointer has left takes the challenge out of the queue.
  const later = run({ ...state, isListInUse: false }, arrive("c")).state;
  assert.deepEqual([ids(later.challenges), ids(later.queued)], [["c", "o", "a"], ["b"]]);
});

test("a challenge that is gone stays until it is dropped", () => {
  const state = lobbyOf(challengeOf("a"), challengeOf("b", { ineligibleReason: "own" }));
  const accepted = run(state, gone("a", "accepted"));
  const reason = { status: "accepted", reasonKey: undefined, isDeclined: false };
  assert.deepEqual(accepted.effects, [{ type: "challengeGone", id: "a", gone: reason }]);
  assert.deepEqual(ids(accepted.state.challenges), ["a", "b"]);
  assert.deepEqual(ids(openChallenges(accepted.state)), ["b"]);
  const dropped = dropChallenge(accepted.state, "a", accepted.effects[0].gone).state;
  assert.deepEqual([ids(dropped.challenges), dropped.gone.size], [["b"], 0]);
  // A challenge that is open again is not dropped by the timer of its earlier end.
  const reopened = run(accepted.state, { t: "challenge", d: challengeOf("a") }).state;
  assert.deepEqual(ids(openChallenges(reopened)), ["a", "b"]);
  assert.deepEqual(dropChallenge(reopened, "a", accepted.effects[0].gone).state, reopened);
  const posted = prependChallenge(accepted.state, challengeOf("a")).state;
  assert.deepEqual(ids(openChallenges(posted)), ["a", "b"]);
});

test("only the viewer's declined challenge names the reason", () => {
  const state = lobbyOf(challengeOf("a"), challengeOf("b", { ineligibleReason: "own" }));
  const [own, other] = ["b", "a"].map((id) => run(state, gone(id, "declined", "later")).effects[0]);
  assert.deepEqual([own.gone.isDeclined, other.gone.isDeclined], [true, false]);
  assert.equal(own.gone.reasonKey, "later");
  const declined = onChallengeGone(state, { id: "a", status: "declined" });
  assert.deepEqual(declined.effects[0].gone.status, "declined");
});

test("missing own challenges are checked after a reconnect", () => {
  const own = challengeOf("b", { ineligibleReason: "own" });
  const state = beginReadyCheck(lobbyOf(challengeOf("a"), own, challengeOf("c")), "c", 9).state;
  const missing = (from, ...open) => run(from, fullOf(open)).effects[0].ids;
  assert.deepEqual(missing(state), ["b", "c"]);
  assert.deepEqual(missing(state, own), ["c"]);
  assert.deepEqual(missing(run(state, gone("b", "canceled")).state), ["c"]);
  // The ready check remains for a page of challenges that is loaded again.
  assert.equal(run(state, fullOf([])).state.readyChecks.get("c"), 9);
});

test("the account of a full replaces the viewer's", () => {
  const you = { perfs: { hogga: { rating: 1510 } } };
  const { state } = run(initialState(ME), fullOf([], [], { you }));
  assert.deepEqual(state.me, { ...ME, ...you });
});

test("only a failed ready check is mentioned, once", () => {
  const challenge = challengeOf("a", { readyBy: 7 });
  const waiting = beginReadyCheck(lobbyOf(challenge), "a", 7).state;
  const end = (reason) => ({ t: "ringGone", d: { id: "a", reason } });
  const failed = run(waiting, end("declined"));
  assert.deepEqual(effectTypes(failed.effects), ["readyCheckFailed", "forward"]);
  const { failure } = failed.effects[0];
  assert.deepEqual(failure, { reason: "declined", challenge, rating: 1500 });
  assert.equal(failed.state.failures.get("a"), failure);
  assert.deepEqual([failed.state.readyChecks.size, failed.state.challenges[0].readyBy], [0, null]);
  assert.deepEqual(effectTypes(run(failed.state, end("declined")).effects), ["forward"]);
  assert.equal(dropFailure(failed.state, "a", failure).state.failures.size, 0);
  assert.equal(dropFailure(failed.state, "a", { ...failure }).state.failures.size, 1);
  // Another acceptance removes the reason.
  assert.equal(beginReadyCheck(failed.state, "a", 8).state.failures.size, 0);
  const canceled = endReadyCheck(waiting, "a").state;
  assert.deepEqual(canceled.challenges[0].readyBy, null);
  assert.deepEqual(effectTypes(run(canceled, end("withdrawn")).effects), ["forward"]);
  const canceledByCreator = run(waiting, gone("a", "canceled")).state;
  assert.equal(canceledByCreator.readyChecks.size, 0);
  assert.deepEqual(effectTypes(run(canceledByCreator, end("withdrawn")).effects), ["forward"]);
  // The start of the game is announced by another message.
  assert.deepEqual(effectTypes(run(waiting, end("ready")).effects), ["forward"]);
  assert.equal(run(waiting, end("ready")).state.challenges[0].readyBy, 7);
});

test("a ready check ends without a message about it", () => {
  const begun = beginReadyCheck(lobbyOf(challengeOf("a", { readyBy: 7 })), "a", 7);
  assert.deepEqual(begun.effects, [{ type: "readyCheckBegun", id: "a", readyBy: 7 }]);
  // It lasts as long as the server has it.
  const lasting = run(begun.state, fullOf([challengeOf("a", { readyBy: 7 })]));
  assert.deepEqual([...lasting.state.readyChecks], [["a", 7]]);
  assert.ok(!effectTypes(lasting.effects).includes("readyCheckFailed"));
  // It ended while the connection was down; another player may have accepted since.
  for (const readyBy of [undefined, 9]) {
    const { state, effects } = run(begun.state, fullOf([challengeOf("a", { readyBy })]));
    assert.equal(state.readyChecks.size, 0);
    assert.equal(state.challenges[0].readyBy, readyBy);
    assert.equal(state.failures.get("a").reason, "late");
    assert.ok(effectTypes(effects).includes("readyCheckFailed"));
  }
  // The response to the acceptance arrived after the end: the deadline ends it.
  const expired = expireReadyCheck(begun.state, "a", 7);
  assert.deepEqual(effectTypes(expired.effects), ["readyCheckFailed"]);
  assert.equal(expired.state.readyChecks.size, 0);
  const later = beginReadyCheck(begun.state, "a", 8).state;
  assert.deepEqual(expireReadyCheck(later, "a", 7), { state: later, effects: [] });
});

test("a failure names the challenge's rating, else the account's", () => {
  const challenge = challengeOf("a", { yourRating: undefined });
  const waiting = beginReadyCheck(lobbyOf(challenge), "a", 7).state;
  const { effects } = run(waiting, { t: "ringGone", d: { id: "a", reason: "ratingTooLow" } });
  assert.equal(effects[0].failure.rating, 1480);
});

test("a correspondence game of an own challenge is not opened", () => {
  const daily = { type: "correspondence", daysPerTurn: 3 };
  const clocks = (...types) => ({
    variants: [],
    clocks: types.map((timeControl) => ({ key: "k", timeControl })),
  });
  const own = { ineligibleReason: "own" };
  const state = lobbyOf(
    challengeOf("a", { ...own, choices: clocks(daily) }),
    challengeOf("b", { ...own, choices: clocks(daily, { type: "clock" }) }),
    challengeOf("c", { choices: clocks(daily) }),
  );
  const start = (id, challenge = id) => ({ id, challenge });
  const effectsOf = (d) => run(state, { t: "start", d }).effects;
  assert.deepEqual(effectTypes(effectsOf(start("x", "a"))), ["dailyGameStarted", "reloadOwnGames"]);
  for (const [id, isOwn] of [
    ["b", true],
    ["c", false],
    ["unknown!", false],
  ])
    assert.deepEqual(effectsOf(start(id)), [{ type: "gameStarted", start: start(id), isOwn }], id);
});

test("pages of challenges are appended once, in order", () => {
  const first = run(initialState(ME), fullOf([challengeOf("a")], [], { nextPage: 2 })).state;
  const second = { challenges: [challengeOf("a", { readyBy: 5 }), challengeOf("b")], page: 2 };
  const { state } = appendPage(deepFreeze(first), { ...second, nextPage: 3 }, first.snapshot);
  assert.deepEqual(ids(state.challenges), ["a", "b"]);
  assert.deepEqual([state.challenges[0].readyBy, state.pages, state.nextPage], [5, 2, 3]);
  assert.deepEqual(appendPage(state, { ...second, nextPage: 3 }, state.snapshot).state, state);
  // After a `full`, as many pages are loaded again.
  const again = run(state, fullOf([challengeOf("a")], [], { nextPage: 2 }));
  assert.deepEqual([again.state.pages, again.state.nextPage], [1, 2]);
  assert.deepEqual(again.effects[1], { type: "loadPages", pages: 2 });
  // A page that was requested before the `full` may repeat or lack challenges.
  assert.deepEqual(appendPage(again.state, second, first.snapshot).state, again.state);
});

test("own games are replaced", () => {
  const { state, effects } = replaceOwnGames(initialState(ME), [{ gameId: "a" }]);
  assert.deepEqual([state.ownGames, effects], [[{ gameId: "a" }], []]);
});

test("boards show games of others, humans first", () => {
  const bot = player("bot", { bot: true });
  const games = [
    gameOf("own", "ann", "bob"),
    gameOf("b1", "bob", "x", { second: bot }),
    gameOf("b2", "bob", "x", { second: bot }),
    gameOf("c1", "cas", "x", { second: bot }),
    gameOf("bc", "bob", "cas"),
  ];
  const { state } = run(initialState(ME), fullOf([], games));
  assert.deepEqual(ids(selectGames(state)), ["bc", "b1", "c1"]);
  const many = Array.from({ length: 12 }, (_, at) => gameOf(`g${at}`, "bob", "cas"));
  assert.equal(selectGames(run(initialState(ME), fullOf([], many)).state).length, 8);
});

test("boards appear with their module, and keep their position", () => {
  const full = fullOf([], [gameOf("a", "bob", "cas"), gameOf("b", "bob", "dan")]);
  const hidden = run(initialState(ME), full);
  assert.ok(effectTypes(hidden.effects).includes("loadBoards"));
  assert.deepEqual(hidden.state.boards, []);
  const shown = showBoards(deepFreeze(hidden.state));
  assert.deepEqual(shown.effects, [{ type: "follow", ids: ["a", "b"] }]);
  assert.deepEqual(showBoards(shown.state).effects, []);
  const added = run(shown.state, { t: "game", d: gameOf("c", "cas", "dan") });
  assert.deepEqual(added.effects, [{ type: "follow", ids: ["a", "b", "c"] }]);
  assert.deepEqual(ids(added.state.games), ["c", "a", "b"]);
  // Games that ended while the connection was closed leave at once.
  const later = run(added.state, fullOf([], [gameOf("b", "bob", "dan", { ply: 3 })]));
  assert.deepEqual(
    later.state.boards.map(({ game }) => [game.id, game.ply]),
    [["b", 3]],
  );
});

test("a followed board ignores the lobby, and waits for its result", () => {
  const shown = showBoards(run(initialState(ME), fullOf([], [gameOf("a", "bob", "cas")])).state);
  const ply = (n) => gameOf("a", "bob", "cas", { ply: n });
  const updated = run(shown.state, { t: "game", d: ply(1) }).state;
  assert.equal(updated.boards[0].game.ply, 1);
  const followed = run(updated, { t: "live", d: ply(3) }, { t: "game", d: ply(2) }).state;
  assert.deepEqual([followed.boards[0].game.ply, followed.games[0].ply], [3, 2]);
  const over = run(followed, { t: "gameGone", d: { id: "a" } });
  assert.deepEqual(over.effects, [{ type: "boardGone", id: "a" }]);
  assert.deepEqual([over.state.boards[0].end, over.state.games], [null, []]);
  const end = { id: "a", status: "resign", winner: "first", reason: null };
  const result = run(over.state, { t: "liveGone", d: end });
  assert.deepEqual([result.state.boards[0].end, result.effects], [end, []]);
  assert.deepEqual(run(result.state, { t: "live", d: ply(4) }).state, result.state);
  const dropped = dropBoard(result.state, "a");
  assert.deepEqual([dropped.state.boards, effectTypes(dropped.effects)], [[], ["follow"]]);
  // Without the other socket the result is unknown.
  assert.deepEqual(run(updated, { t: "gameGone", d: { id: "a" } }).state.boards[0].end, {});
});

test("a board is not dropped while its game is in progress", () => {
  const game = gameOf("a", "bob", "cas");
  const shown = showBoards(run(initialState(ME), fullOf([], [game])).state).state;
  const { state } = run(shown, { t: "gameGone", d: { id: "a" } }, { t: "game", d: game });
  const kept = dropBoard(state, "a");
  assert.deepEqual([kept.state.boards.length, kept.effects], [1, []]);
  const again = run(kept.state, { t: "gameGone", d: { id: "a" } });
  assert.deepEqual(again.effects, [{ type: "boardGone", id: "a" }]);
  assert.deepEqual(dropBoard(again.state, "a").state.boards, []);
});

test("challenges to and from the viewer are news, too", () => {
  const { state } = run(initialState(ME));
  const isNews = (t, d) => effectTypes(apply(state, { t, d }).effects).includes("forward");
  for (const [direction, expected] of [
    ["in", true],
    ["out", true],
    [undefined, false],
  ]) {
    const challenge = { id: "a", status: "created", kind: "direct", direction };
    assert.equal(isNews("challenge", challenge), expected);
    assert.equal(isNews("challengeGone", { id: "a", status: "canceled", direction }), expected);
  }
  // The list says that the viewer's challenge was declined.
  assert.equal(isNews("challengeGone", { id: "a", status: "declined", direction: "out" }), false);
});

test("other messages are forwarded", () => {
  const { state } = run(initialState(ME));
  for (const t of ["hello", "ring", "seatLost", "signedOut", "constructor", "toString"]) {
    const message = { t, d: {} };
    assert.deepEqual(apply(state, message), { state, effects: [{ type: "forward", message }] }, t);
  }
  const turns = { t: "turns", d: { n: 1 } };
  assert.deepEqual(effectTypes(apply(state, turns).effects), ["reloadOwnGames", "forward"]);
});
