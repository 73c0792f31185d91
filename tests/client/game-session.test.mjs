// The way of a message through the game page: socket, state, components and effects. Move history,
// move input, premove and absences are the real ones; the components that only display are
// recorders.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { transcripts } from "./support/transcripts.mjs";

globalThis.Worker = class {};
globalThis.matchMedia = () => ({ matches: false });
Object.assign(location, { assign: () => {} });
const { GameSession } = await import("../../static/game/session.js");
const { Absence } = await import("../../static/game/absence.js");
const { MoveInput } = await import("../../static/game/move-input.js");
const { Premove } = await import("../../static/game/premove.js");
const { ClickPath } = await import("../../static/model/click-path.js");
const { cellsOf } = await import("../../static/model/notation.js");
const { MoveHistory } = await import("../../static/common/move-history.js");
const { pieceSetOf } = await import("../../static/variants/index.js");
const { guidanceOf } = await import("../../static/guidance/index.js");
const { timeline } = await import("../../static/board/timeline.js");
const { GameSocket } = await import("../../static/game/game-socket.js");

const recorded = transcripts();
const messagesOf = (name) => recorded.find((one) => one.name === `${name}.json`).messages;

/** Returns a component whose methods record their calls; `members` are not recorded. */
const recorder = (name, calls, members = {}) =>
  new Proxy(members, {
    get: (_, key) => (key in members ? members[key] : () => void calls.push(`${name}.${key}`)),
  });

/** Records the calls of some methods of a component, except for those by the component itself. */
const record = (name, component, calls, methods) => {
  let isInside = false;
  for (const method of methods) {
    const run = component[method].bind(component);
    component[method] = (...values) => {
      if (isInside) return run(...values);
      calls.push(`${name}.${method}`);
      isInside = true;
      try {
        return run(...values);
      } finally {
        isInside = false;
      }
    };
  }
  return component;
};

/** Returns a move history that records the changes of its moves and asks no server. */
const historyOf = (calls) => {
  const history = new MoveHistory({
    setup: () => ({}),
    list: recorder("list", []),
    show: () => {},
    onError: (text) => assert.fail(text),
  });
  history.fetch = async () => {};
  return record("moveHistory", history, calls, ["set", "add", "truncate"]);
};

/** Returns a page, its session and the recorded calls of its components. */
const pageOf = (game) => {
  const calls = [];
  const pieceSet = pieceSetOf(game.variant.key);
  const page = {
    you: game.you,
    them: game.you && { first: "second", second: "first" }[game.you],
    pieceSet,
    guidance: guidanceOf(game.variant.key),
    variant: { key: game.variant.key, board: game.board },
    name: (side) => game[side].name,
    isComputer: (side) => Boolean(game[side]?.level),
    isOwnPiece: () => true,
    show: () => calls.push("show"),
    statusLine: { runRemote: (handler) => handler() },
    bars: recorder("bars", []),
    clocks: recorder("clocks", calls, { elements: {} }),
    moveHistory: historyOf(calls),
    rematch: recorder("rematch", calls, {
      load: async () => calls.push("rematch.load"),
    }),
    offers: recorder("offers", calls, { isWithdrawn: false }),
    board: recorder("board", calls, {
      animate: (trace) => {
        calls.push("board.animate");
        return timeline(trace, pieceSet);
      },
    }),
    // Draws at once; `draw-queue.test.mjs` tests the queue.
    drawQueue: recorder("drawQueue", [], { run: (action) => action() }),
    confirmationQuestion: recorder("confirmationQuestion", []),
    nextTurn: recorder("nextTurn", []),
    // A follower of TV gets no result card, which needs a document.
    tv: recorder("tv", calls),
  };
  page.prompt = recorder("prompt", calls, { updateOnce: (action) => action() });
  for (const name of ["socket", "chat", "info", "notices"]) page[name] = recorder(name, calls);
  const moveInputCalls = ["set", "reset", "resync", "onRefused", "playChosen"];
  page.moveInput = record("moveInput", new MoveInput(page), calls, moveInputCalls);
  const premove = new Premove(page, () => true);
  page.premove = record("premove", premove, calls, ["consume", "drop"]);
  page.absence = record("absence", new Absence(page), calls, ["set"]);
  const session = new GameSession(page, game);
  Object.defineProperty(page, "game", { get: () => session.game });
  return { page, session, calls };
};

/** Returns the calls for each message of a transcript after its first `full`. */
const callsOf = (name) => {
  const [{ d: game }, ...messages] = messagesOf(name);
  const { session, calls } = pageOf(game);
  session.start();
  return messages
    .filter(({ t }) => t)
    .map((message) => {
      calls.length = 0;
      session.receive(message);
      return { ...message, calls: [...calls] };
    });
};

const RESYNC_CALLS = [
  "moveInput.resync",
  "moveHistory.set",
  "rematch.show",
  "chat.set",
  "clocks.set",
  "info.setCrowd",
  "absence.set",
  "show",
];

test("a full is shown in all components", () => {
  const { session, calls } = pageOf(messagesOf("hogga-first")[0].d);
  session.start();
  const turnCalls = ["premove.consume", "moveInput.set"];
  assert.deepEqual(calls, [
    "socket.resumeFrom",
    ...RESYNC_CALLS,
    ...turnCalls,
    "info.setLag",
    "prompt.update",
  ]);
  const [reconnect, over] = callsOf("hogga-first").filter(({ t }) => t === "full");
  // The moves are unchanged, so clicks and premove remain.
  assert.deepEqual(reconnect.calls, [...RESYNC_CALLS, "info.setLag", "prompt.update"]);
  // Its result has been shown.
  assert.deepEqual(over.calls, [...RESYNC_CALLS, "info.setLag", "rematch.load", "prompt.update"]);
});

test("each message changes the components that display it", () => {
  const received = callsOf("hogga-second");
  const callsFor = (type, predicate = () => true) => {
    const message = received.find((one) => one.t === type && predicate(one.d));
    assert.ok(message, type);
    return message.calls;
  };
  const moveCalls = ["moveInput.reset", "prompt.clearTransient", "moveHistory.add", "clocks.set"];
  assert.deepEqual(
    callsFor("move", ({ by }) => by === "second"),
    [...moveCalls, "info.setLag", "board.animate", "prompt.report", "prompt.update"],
  );
  assert.deepEqual(
    callsFor("move", ({ by }) => by === "first"),
    [
      ...moveCalls,
      "info.setLag",
      "premove.consume",
      "moveInput.set",
      "board.animate",
      "prompt.report",
      "prompt.update",
    ],
  );
  assert.deepEqual(
    callsFor("takeback", ({ ply }) => ply !== undefined),
    [
      "moveInput.reset",
      "premove.drop",
      "prompt.dropTransient",
      "moveHistory.truncate",
      "clocks.set",
      "show",
      "info.setLag",
      "prompt.report",
      "board.rewind",
      "prompt.update",
    ],
  );
  assert.deepEqual(
    callsFor("draw", ({ by }) => by === "first"),
    ["prompt.clearTransient", "offers.describe", "prompt.update"],
  );
  assert.deepEqual(
    callsFor("draw", ({ by }) => by === "second"),
    ["prompt.clearTransient", "prompt.update"],
  );
  assert.deepEqual(callsFor("clock"), ["clocks.set", "info.setLag", "prompt.mention"]);
  assert.deepEqual(callsFor("chat"), ["chat.add"]);
  assert.deepEqual(callsFor("rematch"), ["rematch.show"]);
  assert.deepEqual(callsFor("start"), []);
  assert.deepEqual(callsFor("gone"), ["absence.set", "prompt.update"]);
  assert.deepEqual(callsFor("ack"), []);
  assert.deepEqual(callsFor("refused"), ["moveInput.onRefused", "prompt.showTransient"]);
  assert.deepEqual(callsFor("hello"), ["notices.handle"]);
  assert.deepEqual(callsFor("end"), [
    "moveInput.reset",
    "premove.drop",
    "prompt.dropTransient",
    "prompt.dropQuestion",
    "clocks.set",
    "absence.set",
    "info.revealShuffle",
    "show",
    "tv.poll",
    "board.wave",
    "prompt.update",
  ]);
});

test("the move history follows every transcript", () => {
  for (const { name, messages } of recorded) {
    const { session, page } = pageOf(messages[0].d);
    const { moveHistory } = page;
    session.start();
    for (const message of messages.slice(1).filter(({ t }) => t)) {
      session.receive(message);
      const { game } = session;
      assert.deepEqual(moveHistory.moves.join(" "), game.state.moves, name);
      assert.equal(moveHistory.positionAt(moveHistory.latestPly), game.position, name);
      assert.deepEqual(moveHistory.traces[moveHistory.latestPly], game.last, name);
      assert.ok(moveHistory.isLatest(), name);
    }
    assert.ok(session.hasShownResult, name);
  }
});

test("the result of a game is shown once", () => {
  const received = callsOf("hogga-spectator");
  const shown = received.filter(({ calls }) => calls.includes("tv.poll"));
  assert.deepEqual(
    shown.map(({ t }) => t),
    ["end"],
  );
});

/** Returns a page after the first move of the own side, with a premove, and the next two moves. */
const pageWithPremove = () => {
  const messages = messagesOf("hogga-first");
  const [own, answer, next] = messages.filter(({ t }) => t === "shortMove");
  const { page, session, calls } = pageOf(messages[0].d);
  session.start();
  session.receive(own);
  const { u } = next.d;
  page.premove.clicks = new ClickPath([u]);
  page.premove.clicks.setPath(cellsOf(u));
  Object.assign(page.premove, { u, ply: 1 });
  calls.length = 0;
  return { page, session, calls, answer, next };
};

test("a premove is sent when the opponent has moved", () => {
  const { page, session, calls, answer, next } = pageWithPremove();
  session.receive(answer);
  const { u } = next.d;
  assert.deepEqual([page.moveInput.sent.u, page.moveInput.sent.ply], [u, 2]);
  assert.equal(page.premove.chosen.length, 0);
  assert.ok(calls.includes("socket.command"));
  session.receive(next);
  assert.equal(page.moveInput.sent, null);
  assert.equal(page.moveHistory.moves[2], u);
});

test("a premove that became illegal is dropped", () => {
  const { page, session, calls, answer, next } = pageWithPremove();
  const legal = answer.d.legal.filter((u) => u !== next.d.u);
  session.receive({ ...answer, d: { ...answer.d, legal } });
  assert.equal(page.moveInput.sent, null);
  assert.deepEqual(page.moveInput.clicks.chosen, []);
  assert.ok(calls.includes("prompt.showTransient") && !calls.includes("socket.command"));
});

test("clicks survive a reconnect unless the moves have changed", () => {
  const { d: game } = messagesOf("hogga-first")[0];
  const [cell] = cellsOf(game.legal[0]);
  for (const [moves, chosen] of [
    ["", [cell]],
    [`${game.legal[0]} ${game.legal[1]}`, []],
  ]) {
    const { page, session } = pageOf(game);
    session.start();
    page.moveInput.clicks.click(cell);
    assert.deepEqual(page.moveInput.clicks.chosen, [cell]);
    session.receive({ t: "full", v: game.v, d: { ...game, state: { ...game.state, moves } } });
    assert.deepEqual(page.moveInput.clicks.chosen, chosen, moves);
  }
});

test("an absent opponent is known until the return", () => {
  const { page, session } = pageOf(messagesOf("hogga-first")[0].d);
  session.start();
  assert.equal(page.absence.opponent, undefined);
  session.receive({ t: "gone", d: { side: "second", claimInMs: 30000 } });
  assert.ok(page.absence.opponent.until > Date.now() + 20000);
  session.receive({ t: "gone", d: { side: "second", claimInMs: null } });
  assert.equal(page.absence.opponent, undefined);
});

/** WebSocket that a test drives; `opened` holds all connections. */
class FakeWebSocket {
  static OPEN = 1;
  static opened = [];

  constructor(url) {
    this.url = url;
    this.sent = [];
    this.readyState = FakeWebSocket.OPEN;
    FakeWebSocket.opened.push(this);
  }

  send(frame) {
    this.sent.push(JSON.parse(frame));
  }

  close() {
    this.isClosed = true;
  }

  /** Delivers a message of the server. */
  deliver(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
globalThis.WebSocket = FakeWebSocket;

test("after a gap, the session continues with a full", () => {
  const messages = messagesOf("hogga-first").filter(({ t }) => t !== "ack" && t !== "hello");
  const { session, calls } = pageOf(messages[0].d);
  session.start();
  const socket = new GameSocket("/ws/game/k3f9Q2xZ", {
    onMessage: (message) => session.receive(message),
    onState: () => {},
  });
  const [connection] = FakeWebSocket.opened;
  const [full, move, answer, next] = messages;
  connection.deliver(full);
  connection.deliver(move);
  // A repeated event has no effect.
  calls.length = 0;
  connection.deliver(move);
  assert.deepEqual(calls, []);
  assert.equal(session.game.state.moves, move.d.u);
  // Without `answer`, the next event leaves a gap.
  connection.deliver(next);
  assert.equal(session.game.state.moves, move.d.u);
  assert.ok(connection.isClosed && answer.v + 1 === next.v);
  const replacement = FakeWebSocket.opened.at(-1);
  assert.doesNotMatch(replacement.url, /v=/);
  replacement.deliver(messages.findLast(({ t }) => t === "full"));
  assert.notEqual(session.game.end, null);
  socket.close();
});

test("command that is not stored is sent again until answered", (context) => {
  const [received, states] = [[], []];
  const socket = new GameSocket("/ws/game/k3f9Q2xZ", {
    onMessage: ({ t }) => received.push(t),
    onState: (state) => states.push(state),
  });
  context.after(() => socket.close());
  const connection = FakeWebSocket.opened.at(-1);
  connection.onopen();
  const cid = socket.command("move", { u: "a1-a2", ply: 0 });
  const moves = () => connection.sent.filter(({ t }) => t === "move");
  const refuse = (reason, id = cid) =>
    connection.deliver({ t: "refused", d: { cid: id, reason, error: "" } });
  context.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  for (const count of [1, 2, 3]) {
    assert.equal(moves().length, count);
    refuse("notStored");
    socket.tick();
    assert.equal(moves().length, count, "at once");
    context.mock.timers.tick(1000 * 2 ** count);
    socket.tick();
  }
  assert.deepEqual(new Set(moves().map(({ d }) => d.cid)), new Set([cid]));
  assert.deepEqual([received, states.at(-1)], [[], "unsaved"]);
  // A refusal for another reason, or of an unknown command, is final.
  refuse("notStored", "00000000-0000-4000-8000-000000000000");
  refuse("illegal");
  assert.deepEqual([received, states.at(-1)], [["refused", "refused"], "open"]);
  context.mock.timers.tick(5000);
  socket.tick();
  assert.equal(moves().length, 4);
  // A reconnection sends all commands, so that an answered one is not sent with a later one.
  const [first, second] = [socket.command("resign", {}), socket.command("abort", {})];
  refuse("notStored", first);
  socket.reconnect();
  const replacement = FakeWebSocket.opened.at(-1);
  replacement.onopen();
  replacement.deliver({ t: "ack", d: { cid: first, v: 1 } });
  replacement.deliver({ t: "refused", d: { cid: second, reason: "notStored", error: "" } });
  replacement.sent.length = 0;
  context.mock.timers.tick(5000);
  socket.tick();
  const resent = replacement.sent.filter(({ t }) => t !== "ping");
  assert.deepEqual(
    resent.map(({ d }) => d.cid),
    [second],
  );
  replacement.deliver({ t: "ack", d: { cid: second, v: 2 } });
  assert.equal(states.at(-1), "open");
  // Chat lines are limited: the player sends them again.
  const line = socket.command("talk", { text: "hi" });
  replacement.deliver({ t: "refused", d: { cid: line, reason: "notStored", error: "" } });
  assert.deepEqual(
    [received, states.at(-1)],
    [["refused", "refused", "ack", "ack", "refused"], "open"],
  );
});
