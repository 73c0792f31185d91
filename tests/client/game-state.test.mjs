// State machine of the game page: replays transcripts of the socket, and transitions that a
// recording may not have. Every state and every message is frozen, so a mutation throws.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerRematch, onOfferStatus, onOpenOffer } from "../../static/game/rematch-state.js";
import { apply, initialState, resyncEffects } from "../../static/game/state.js";
import { Oracle, advanceClocks } from "./support/game-oracle.mjs";
import { deepFreeze, effectTypes, transcripts } from "./support/transcripts.mjs";

const VARIANTS = ["caterpillarWar", "hogga", "knightFight", "kopfOderKnopf", "wieNietWegIs"];

/** Properties that are no part of the game's log: a client misses them while disconnected. */
const PRESENCE = ["crowd", "crowdNames", "gone", "next"];

/** Returns a copy without absent properties, as JSON has none. */
const plain = (value) => JSON.parse(JSON.stringify(value));

const without = (value, ...keys) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));

/** Asserts that a state is as expected in all properties. */
const assertState = ({ game, moves, rematch }, oracle, where) => {
  assert.deepEqual(moves, oracle.plies, where);
  const { state, ...rest } = game;
  assert.deepEqual(state, { moves: oracle.plies.join(" "), status: oracle.status }, where);
  assert.deepEqual(plain(rest), plain(oracle.game), where);
  const { by, id, outcome } = oracle.rematch;
  assert.deepEqual(
    [rematch.by, rematch.id, rematch.outcome?.type ?? null],
    [by, id, outcome],
    where,
  );
  // Legal moves are known in the turn of the viewer only.
  const isOwnTurn = game.turn === game.you && !game.end;
  if (!isOwnTurn) assert.ok(!game.legal?.length, where);
  else assert.ok(Array.isArray(game.legal), where);
};

/**
 * Asserts that the events led to the same state as the `full` of the same event shows: all
 * properties but the presence of people. Clocks are compared at the time of the `full`.
 */
const assertSameAsFull = (state, full, where) => {
  const fresh = initialState(full);
  const comparable = ({ game }) => plain(without(game, "v", "clocks", ...PRESENCE));
  assert.deepEqual(state.moves, fresh.moves, where);
  assert.deepEqual(comparable(state), comparable(fresh), where);
  const { clocks } = fresh.game;
  assert.deepEqual(clocks && advanceClocks(state.game.clocks, clocks.at), clocks, where);
};

/** Replays a transcript and returns the last state and how often a `full` confirmed the events. */
const replay = ({ name, messages }) => {
  const [{ d: first }, ...rest] = messages;
  const oracle = new Oracle(first);
  let state = initialState(deepFreeze(first));
  let lastSeen = first.v;
  let confirmed = 0;
  assertState(state, oracle, `${name}: 0`);
  for (const [at, message] of rest.entries()) {
    const where = `${name}: ${at + 1} (${message.t})`;
    lastSeen = message.t === "full" ? lastSeen : (message.v ?? lastSeen);
    // `game-socket.js` drops events that the viewer may not see.
    if (!message.t) continue;
    const before = plain(state);
    const expectedEffects = oracle.follow(message);
    if (message.t === "full" && message.v === lastSeen) {
      assertSameAsFull(state, message.d, where);
      confirmed += 1;
    }
    const previous = deepFreeze(state);
    const { state: next, effects } = apply(previous, deepFreeze(message));
    assert.deepEqual(plain(previous), before, where);
    assertState(next, oracle, where);
    assert.deepEqual(effectTypes(effects), expectedEffects, where);
    assert.equal(next.resync !== previous.resync, message.t === "full", where);
    if (effectTypes(effects).includes("forward")) assert.equal(next, previous, where);
    state = next;
  }
  return { state, confirmed };
};

const recorded = transcripts();

const PLAYERS = ["first", "second"];
const ALL = [...PLAYERS, "spectator"];

/** Kinds of messages that a whole game has, with the viewers who receive them. */
const KINDS = {
  "a move": [["second"], ({ t }) => t === "move"],
  "the changes of a move": [["first", "spectator"], ({ t }) => t === "shortMove"],
  "a draw offer": [ALL, ({ t, d }) => t === "draw" && d.by],
  "the end of a draw offer": [ALL, ({ t, d }) => t === "draw" && d.by === null],
  "a takeback offer": [ALL, ({ t, d }) => t === "takeback" && d.by && d.ply === undefined],
  "a takeback": [ALL, ({ t, d }) => t === "takeback" && d.ply !== undefined],
  "a chat line": [PLAYERS, ({ t }) => t === "chat"],
  "given time": [ALL, ({ t, d }) => t === "clock" && d.given],
  "an outage": [ALL, ({ t, d }) => t === "clock" && d.lost > 0],
  "a refusal": [["second"], ({ t }) => t === "refused"],
  "a player who has left": [["first", "spectator"], ({ t, d }) => t === "gone" && d.claimInMs > 0],
  "a player who is back": [
    ["first", "spectator"],
    ({ t, d }) => t === "gone" && d.claimInMs === null,
  ],
  "a reconnection": [ALL, ({ t }, at) => t === "full" && at > 0],
  "a reconnection after missed events": [
    ALL,
    ({ request, d }) => request === "resume" && d.missed > 0,
  ],
  "the end": [ALL, ({ t }) => t === "end"],
  "the terms of a rematch": [PLAYERS, ({ t }) => t === "rematchTerms"],
  "a rematch offer": [PLAYERS, ({ t, d }) => t === "rematch" && d.by],
  "the end of a rematch offer": [PLAYERS, ({ t, d }) => t === "rematch" && d.by === null],
  "the start of the rematch": [PLAYERS, ({ t }) => t === "start"],
  "the next game": [["spectator"], ({ t }) => t === "next"],
};

for (const variant of VARIANTS) {
  test(`the game of ${variant} has every kind of message`, () => {
    for (const viewer of ALL) {
      const { messages } = recorded.find(({ name }) => name === `${variant}-${viewer}.json`);
      const kinds = Object.entries(KINDS).filter(([, [viewers]]) => viewers.includes(viewer));
      const missing = kinds.filter(([, [, isOfKind]]) => !messages.some(isOfKind));
      assert.deepEqual(
        missing.map(([kind]) => kind),
        [],
        viewer,
      );
    }
  });
}

for (const transcript of recorded) {
  test(`${transcript.name} leads to the state of each full`, () => {
    assert.equal(transcript.messages[0].t, "full");
    const { state, confirmed } = replay(transcript);
    assert.ok(confirmed > 0, "no full confirms the events");
    assert.notEqual(state.game.end, null);
    assert.equal(state.game.you, transcript.viewer === "spectator" ? null : transcript.viewer);
  });

  // The server resumes at any event, or sends the full game if that costs less.
  test(`${transcript.name} may be joined at any full`, () => {
    const { messages } = transcript;
    const later = [...messages.keys()].filter((at) => at > 0 && messages[at].t === "full");
    assert.ok(later.length > 0, "no full to join at");
    const { state } = replay(transcript);
    for (const at of later) {
      const joined = replay({ ...transcript, messages: messages.slice(at) }).state;
      assert.deepEqual(joined.moves, state.moves, `joined at ${at}`);
      assert.deepEqual(joined.game, state.game, `joined at ${at}`);
    }
  });
}

/** Returns a game of two people, for hand-written cases. */
const gameOf = (changes = {}) => ({
  id: "k3f9Q2xZ",
  you: "first",
  v: 0,
  state: { type: "gameState", moves: "", status: "started", wtime: 300000 },
  position: "b,w 1",
  initialFen: "b,w 1",
  last: null,
  turn: "first",
  clocks: {
    first: 300000,
    second: 300000,
    running: null,
    quota: { first: 2000, second: 1500 },
    at: 0,
  },
  draw: null,
  takeback: null,
  gone: [],
  end: null,
  chat: [],
  crowd: 0,
  crowdNames: [],
  abortable: true,
  startBy: 60000,
  dueBy: null,
  shuffle: null,
  ...changes,
});

const gameAfter = (moves, changes = {}) =>
  gameOf({ state: { moves, status: "started" }, ...changes });

/** Applies messages in order, and returns the last state and the effects of the last message. */
const run = (game, ...messages) =>
  messages.reduce(({ state }, message) => apply(deepFreeze(state), deepFreeze(message)), {
    state: initialState(deepFreeze(game)),
    effects: [],
  });

const moveOf = (u, by, turn, changes = {}) => ({
  t: "move",
  d: {
    u,
    by,
    turn,
    ply: 1,
    cells: "b,.,w",
    extras: "",
    clock: null,
    abortable: false,
    startBy: null,
    trace: { paths: [["a1", "a2"]] },
    ...changes,
  },
});

test("the moves of a full are unchanged, extended or replaced", () => {
  const game = gameAfter("a b", { turn: "second" });
  for (const [moves, change] of [
    ["a b", "unchanged"],
    ["a b c", "extended"],
    ["a", "replaced"],
    ["a c", "replaced"],
    ["a c d", "replaced"],
    ["", "replaced"],
  ]) {
    const { state, effects } = run(game, {
      t: "full",
      v: 9,
      d: gameAfter(moves, { legal: ["x"] }),
    });
    assert.equal(state.resync.moves, change, moves);
    assert.deepEqual(
      effectTypes(effects),
      change === "unchanged" ? ["lag"] : ["turnStarted", "lag"],
      moves,
    );
  }
  const { state } = run(gameOf(), { t: "full", d: gameOf() });
  assert.equal(state.resync.moves, "unchanged");
});

test("the first state has the effects of a full", () => {
  const end = { status: "resign", winner: "first", reason: null, ratingDiff: null };
  const over = initialState(gameAfter("a", { end, you: null }));
  assert.deepEqual(resyncEffects(over), [{ type: "ended", end, isLive: false }]);
  assert.deepEqual(resyncEffects(initialState(gameOf({ legal: ["a"] }))), [
    { type: "turnStarted", legal: ["a"] },
    { type: "lag", quota: 2000, compensationMs: undefined },
  ]);
});

test("a declined offer is told to the player who made it", () => {
  const answer = (you, t, by) =>
    run(gameOf({ you, abortable: false }), { t, d: { by } }, { t, d: { by: null } });
  for (const kind of ["draw", "takeback"]) {
    assert.deepEqual(answer("first", kind, "first").effects, [{ type: "offerDeclined", kind }]);
    // Withdrawn by the opponent, or seen by a spectator.
    assert.deepEqual(answer("first", kind, "second").effects, []);
    assert.deepEqual(answer(null, kind, "first").effects, []);
    assert.equal(answer("first", kind, "first").state.game[kind], null);
  }
});

test("an offer is announced once, to its receiver", () => {
  const offer = { t: "draw", d: { by: "second" } };
  assert.deepEqual(run(gameOf(), offer).effects, [{ type: "offerReceived", kind: "draw" }]);
  assert.deepEqual(run(gameOf(), offer, offer).effects, []);
  assert.deepEqual(run(gameOf({ you: "second" }), offer).effects, []);
  assert.deepEqual(run(gameOf({ you: null }), offer).effects, []);
});

test("a move ends the offers but the mover's own draw offer", () => {
  const game = (draw) => gameOf({ draw, takeback: "second" });
  const move = moveOf("a", "first", "second");
  assert.equal(run(game("first"), move).state.game.draw, "first");
  assert.equal(run(game("second"), move).state.game.draw, null);
  assert.equal(run(game("first"), move).state.game.takeback, null);
});

test("only the opponent's move is announced", () => {
  const own = moveOf("a", "first", "second", { lag: 120, dueBy: 77 });
  const theirs = moveOf("b", "second", "first", { lag: 80, legal: ["c"] });
  const compensation = ({ effects }) => effects.find(({ type }) => type === "lag")?.compensationMs;
  assert.deepEqual(effectTypes(run(gameOf(), own).effects), ["lag", "animateMove"]);
  assert.equal(compensation(run(gameOf(), own)), 120);
  assert.equal(run(gameOf(), own).state.game.dueBy, 77);
  const received = run(gameOf(), own, theirs);
  assert.deepEqual(effectTypes(received.effects), [
    "lag",
    "announceMove",
    "turnStarted",
    "animateMove",
  ]);
  assert.equal(compensation(received), undefined);
  assert.equal(received.state.game.position, "b,.,w 1");
});

test("the turn does not start while the opponent moves again", () => {
  const again = run(gameOf({ you: "second" }), moveOf("a", "first", "first"));
  assert.deepEqual(effectTypes(again.effects), ["lag", "announceMove", "animateMove"]);
  const spectator = run(gameOf({ you: null }), moveOf("a", "first", "second"));
  assert.deepEqual(effectTypes(spectator.effects), ["announceMove", "animateMove"]);
});

test("a takeback can remove several plies", () => {
  const before = run(gameAfter("a b c", { draw: "second", takeback: "first" })).state;
  const { state, effects } = apply(deepFreeze(before), {
    t: "takeback",
    v: 8,
    d: {
      by: null,
      ply: 1,
      cells: "b,.,w",
      extras: "",
      position: "b,.,w 2",
      last: null,
      turn: "second",
      clock: null,
      abortable: true,
      startBy: 5,
    },
  });
  assert.deepEqual([state.moves, before.moves], [["a"], ["a", "b", "c"]]);
  assert.equal(state.game.state.moves, "a");
  assert.deepEqual([state.game.draw, state.game.takeback, state.game.v], [null, null, 8]);
  assert.deepEqual(effectTypes(effects), ["lag", "announceTakeback", "animateTakeback"]);
});

test("after a reconnect, a missed outage is told apart from gifts", () => {
  const clocks = { ...gameOf().clocks, first: 300000, second: 300000, running: "second", at: 1000 };
  const before = gameOf({ clocks });
  const effectsAfter = (changes, game = before) =>
    run(game, { t: "full", d: { ...game, ...changes } }).effects;
  const outages = (effects) => effects.filter(({ type }) => type === "outage");
  const later = (left, lost) => ({ clocks: { ...clocks, second: left, at: 61000 }, lost });
  // A minute has passed, of which the clock has lost twenty seconds.
  assert.deepEqual(outages(effectsAfter(later(280000, 40000))), [{ type: "outage", seconds: 40 }]);
  assert.deepEqual(outages(effectsAfter(later(240000))), [], "the server was there");
  assert.deepEqual(outages(effectsAfter(later(255000))), [], "the opponent gave 15 s");
  const both = later(295000, 40000);
  assert.deepEqual(
    outages(effectsAfter(both)),
    [{ type: "outage", seconds: 40 }],
    "and 15 s given",
  );
  const known = { ...before, lost: 30000 };
  assert.deepEqual(outages(effectsAfter(later(270000, 45000), known)), [
    { type: "outage", seconds: 15 },
  ]);
  assert.deepEqual(outages(effectsAfter({ lost: 30000 }, known)), [], "it was told before");
  const moved = { ...later(280000, 40000), state: { ...before.state, moves: "b10-b9" } };
  assert.deepEqual(outages(effectsAfter(moved)), [], "the turn with the outage is over");
});

test("given time and outages change the clocks", () => {
  const clocks = { ...gameOf().clocks, second: 315000 };
  const given = run(gameOf(), { t: "clock", d: { clocks, given: { to: "second", ms: 15000 } } });
  assert.deepEqual(given.effects.at(-1), { type: "timeGiven", to: "second", seconds: 15 });
  assert.deepEqual(given.state.game.clocks, clocks);
  assert.equal(given.state.game.startBy, 60000);
  const outage = run(gameOf({ dueBy: 90000 }), { t: "clock", d: { clocks, lost: 7400 } });
  assert.deepEqual(outage.effects.at(-1), { type: "outage", seconds: 7 });
  assert.deepEqual([outage.state.game.startBy, outage.state.game.dueBy], [67400, 97400]);
  assert.equal(outage.state.game.lost, 7400);
  const short = run(gameOf({ startBy: null }), { t: "clock", d: { clocks: null, lost: 400 } });
  assert.deepEqual(effectTypes(short.effects), ["lag"]);
  assert.equal(short.state.game.startBy, null);
});

test("a vacation postpones the deadline and is no outage", () => {
  const until = 5 * 86400000;
  const d = { clocks: null, lost: 7400, vacationUntil: until };
  const { state, effects } = run(gameOf({ dueBy: 90000 }), { t: "clock", d });
  assert.deepEqual(effects.at(-1), { type: "vacation", side: state.game.turn, until });
  const { dueBy, lost, vacationUntil } = state.game;
  assert.deepEqual([dueBy, lost, vacationUntil], [97400, undefined, until]);
  // It ends with the turn.
  const moved = apply(state, moveOf("a", "first", "second", { dueBy: 77 }));
  assert.equal(moved.state.game.vacationUntil, undefined);
});

test("a refusal leaves the state as it is", () => {
  const refusal = { cid: "c", reason: "stale", error: "The position has changed." };
  const { state } = run(gameOf());
  const refused = apply(state, { t: "refused", d: refusal });
  assert.equal(refused.state, state);
  assert.deepEqual(refused.effects, [{ type: "refused", refusal }]);
  const acknowledged = apply(state, { t: "ack", d: { cid: "c", v: 4 } });
  assert.deepEqual(acknowledged, { state, effects: [] });
});

test("other messages are forwarded", () => {
  const { state } = run(gameOf());
  for (const t of ["challenge", "challengeGone", "start", "hello", "constructor", "toString"]) {
    const message = { t, d: {} };
    assert.deepEqual(apply(state, message).effects, [{ type: "forward", message }]);
    assert.equal(apply(state, message).state, state);
  }
});

test("changed turns have an effect and are forwarded", () => {
  const { state } = run(gameOf());
  const message = { t: "turns", d: { n: 2 } };
  const effects = [{ type: "turnsChanged" }, { type: "forward", message }];
  assert.deepEqual(apply(state, message), { state, effects });
});

test("the terms of a rematch outlast the end", () => {
  const { state } = run(gameOf());
  const terms = { fit: "fits", rating: 1500, settlingGames: 3 };
  const before = apply(state, { t: "rematchTerms", d: terms });
  assert.deepEqual([before.effects, before.state.game.rematch], [[], terms]);
  const end = { status: "resign", winner: "first", reason: null, ratingDiff: null };
  const after = apply(before.state, { t: "end", v: 9, d: end }).state;
  assert.deepEqual([after.game.end, after.game.rematch], [end, terms]);
});

/** Returns an offer of a rematch. */
const rematchOf = (by, id) => ({ t: "rematch", d: { by, id, sides: "changed", board: "new" } });
const rematchEnd = (status, cause) => ({ t: "rematch", d: { by: null, status, cause } });
const GONE = { t: "challengeGone", d: { id: "offer001", status: "declined", reasonKey: "later" } };

test("an offer of a rematch survives a full", () => {
  const { state } = run(gameOf(), rematchOf("second", "offer001"), {
    t: "full",
    v: 3,
    d: gameOf({ v: 3 }),
  });
  const { by, id, requested } = state.rematch;
  assert.deepEqual([by, id], ["second", "offer001"]);
  assert.deepEqual(requested, { sides: "changed", board: "new" });
});

test("the end of a rematch offer is told to whom it concerns", () => {
  const outcome = (...messages) => run(gameOf(), ...messages).state.rematch.outcome;
  const [own, theirs] = [rematchOf("first", "offer001"), rematchOf("second", "offer001")];
  assert.deepEqual(outcome(own, rematchEnd("declined")), { type: "declined", key: undefined });
  // In either order, the reason remains.
  const declined = { type: "declined", key: "later" };
  assert.deepEqual(outcome(own, rematchEnd("declined"), GONE), declined);
  assert.deepEqual(outcome(own, GONE, rematchEnd("declined")), declined);
  // The player has declined it.
  assert.equal(outcome(theirs, rematchEnd("declined")), null);
  assert.equal(outcome(theirs, rematchEnd("declined"), GONE), null);
  assert.deepEqual(outcome(theirs, rematchEnd("expired")), { type: "expired" });
  const left = (side) => rematchEnd("canceled", { side, reason: "left" });
  assert.deepEqual(outcome(theirs, left("second")), { type: "left" });
  assert.deepEqual(outcome(theirs, left("first")), { type: "expired" });
  assert.equal(outcome(own, rematchEnd("declined"), theirs), null);
});

test("the game of an accepted rematch is opened", () => {
  const start = { t: "start", d: { id: "offer001" } };
  const started = [{ type: "rematchStarted", id: "offer001" }];
  assert.deepEqual(run(gameOf(), rematchOf("first", "offer001"), start).effects, started);
  assert.deepEqual(effectTypes(run(gameOf(), start).effects), ["forward"]);
  // As a response to a request, unless another offer has taken its place.
  const { state } = run(gameOf(), rematchOf("first", "offer001"));
  assert.deepEqual(onOfferStatus(deepFreeze(state), "offer001", "accepted").effects, started);
  assert.deepEqual(onOfferStatus(state, "offer000", "accepted"), { state, effects: [] });
  assert.equal(onOfferStatus(state, "offer001", "canceled").state.rematch.by, null);
});

test("the challenge of a rematch offer belongs to it", () => {
  const challenge = { id: "offer001", rematchOf: "k3f9Q2xZ", direction: "in", eligible: false };
  const message = { t: "challenge", d: challenge };
  const { state } = run(gameOf(), message, rematchOf("second", "offer001"));
  assert.deepEqual([state.rematch.by, state.rematch.challenge], ["second", challenge]);
  assert.equal(
    run(gameOf(), message, rematchOf("second", "offer002")).state.rematch.challenge,
    null,
  );
  assert.deepEqual(onOpenOffer(run(gameOf()).state, challenge).state.rematch.challenge, challenge);
  const other = { ...message, d: { ...challenge, rematchOf: "other" } };
  assert.deepEqual(effectTypes(run(gameOf(), other).effects), ["forward"]);
  assert.deepEqual(effectTypes(run(gameOf({ you: null }), message).effects), ["forward"]);
});

test("a refused rematch command is the outcome until the next", () => {
  const refusal = { cid: "c1", reason: "blocked", error: "Blocked." };
  const answered = answerRematch(deepFreeze(run(gameOf()).state), "c1").state;
  const refused = apply(deepFreeze(answered), { t: "refused", d: refusal });
  assert.deepEqual(refused.effects, []);
  assert.deepEqual(refused.state.rematch.outcome, { type: "refused", refusal });
  assert.equal(answerRematch(deepFreeze(refused.state), "c2").state.rematch.outcome, null);
});

test("absences change one player each", () => {
  const [first, second] = [
    { side: "first", claimInMs: 30000 },
    { side: "second", claimInMs: 20000 },
  ];
  const both = run(gameOf(), { t: "gone", d: first }, { t: "gone", d: second });
  assert.deepEqual(both.state.game.gone, [first, second]);
  assert.equal(both.state.game.gone[0], first);
  const back = apply(both.state, { t: "gone", d: { side: "first", claimInMs: null } });
  assert.deepEqual(back.state.game.gone, [second]);
});

test("the end closes everything that was open", () => {
  const shuffle = { hash: "h", seed: "s" };
  const end = {
    status: "aborted",
    winner: null,
    reason: null,
    ratingDiff: null,
    abortedBy: "second",
  };
  const open = {
    draw: "first",
    takeback: "second",
    legal: ["a"],
    dueBy: 9,
    gone: [{ side: "first", claimInMs: 9 }],
    shuffle: { hash: "h" },
  };
  const { state, effects } = run(gameOf(open), { t: "end", v: 3, d: { ...end, shuffle } });
  const { game } = state;
  assert.deepEqual(game.end, end);
  assert.deepEqual(game.shuffle, shuffle);
  assert.equal(game.state.status, "aborted");
  assert.deepEqual(
    [game.draw, game.takeback, game.legal, game.dueBy, game.startBy, game.abortable, game.clocks],
    [null, null, undefined, null, null, false, null],
  );
  assert.deepEqual(game.gone, []);
  assert.deepEqual(effects, [{ type: "ended", end, isLive: true }]);
});

test("chat, spectators and the next game are part of the state", () => {
  const line = { name: "Bob", text: "Hi", at: 5, ply: 0, room: "player" };
  const { state } = run(
    gameOf(),
    { t: "chat", v: 4, d: line },
    { t: "crowd", d: { n: 2, names: ["Eve"] } },
    { t: "next", d: { id: "abcdefgh" } },
  );
  assert.deepEqual(state.game.chat, [{ ...line, v: 4 }]);
  assert.deepEqual([state.game.crowd, state.game.crowdNames], [2, ["Eve"]]);
  assert.deepEqual([state.game.next, state.game.v], ["abcdefgh", 4]);
});
