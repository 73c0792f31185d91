// State of a lesson: every lesson is played to its end with the rules in WebAssembly, by its
// solutions, by wrong moves and by demonstrations; outdated answers and timeouts have no effect.
import "./support/browser-stub.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isReached, isRefusalAsked } from "../../static/learn/goal.js";
import {
  apply,
  clicksOf,
  firstOpenTask,
  initialState,
  sideOf,
  stepOf,
} from "../../static/learn/state.js";
import { languages, lessons } from "./support/languages.mjs";
import { ask } from "./support/wasm-rules.mjs";

/** Lesson whose queries are answered at once; waits are kept until `timeout`. */
class Player {
  constructor(variant, done = []) {
    Object.assign(this, { variant, effects: [], waiting: null });
    this.state = initialState(lessons[variant], done);
    this.dispatch({ type: "open", task: firstOpenTask(this.state) });
  }

  dispatch(event) {
    const { state, effects } = apply(this.state, event);
    this.state = state;
    this.effects.push(...effects);
    for (const effect of effects) {
      if (effect.type === "query") this.answer(effect.seq);
      if (effect.type === "wait") this.waiting = effect.seq;
    }
    return this;
  }

  answer(seq) {
    const { start, moves } = this.state;
    const answer = ask({ variant: this.variant, ...(start && { start }), moves, replay: true });
    this.dispatch({ type: "answer", seq, answer });
  }

  /** Ends the current wait, if there is one. */
  timeout() {
    const seq = this.waiting;
    this.waiting = null;
    return this.dispatch({ type: "timeout", seq });
  }

  /** Ends all waits until the phase is one of these. */
  waitFor(...phases) {
    for (let waits = 0; !phases.includes(this.state.phase); waits += 1) {
      assert.ok(waits < 20, `${this.state.phase} does not end`);
      this.timeout();
    }
    return this;
  }

  /** Does what the current step asks for. */
  solve() {
    const step = stepOf(this.state);
    return this.dispatch(
      step.solution
        ? { type: "move", u: step.solution }
        : { type: "refused", clicks: step.goal.refused },
    );
  }

  /** Solves the steps of the current task. */
  solveTask() {
    const { task } = this.state;
    const last = this.state.tasks[task].steps.length - 1;
    for (let step = this.state.step; step <= last; step += 1) {
      this.waitFor("idle");
      assert.deepEqual([this.state.task, this.state.step], [task, step]);
      this.solve().readRefusal();
    }
    return this;
  }

  /** Goes on after the explanation of a refusal that another step follows. */
  readRefusal() {
    const { phase, tasks, task, step } = this.state;
    if (phase === "done" && step + 1 < tasks[task].steps.length) this.dispatch({ type: "next" });
    return this;
  }
}

const variants = Object.keys(lessons);

test("solutions lead through every lesson to its end", () => {
  assert.equal(variants.length, 5);
  for (const variant of variants) {
    const player = new Player(variant);
    for (const [at, { name }] of lessons[variant].entries()) {
      assert.deepEqual([player.state.task, player.state.phase], [at, "idle"], name);
      player.solveTask();
      assert.ok(player.state.done.includes(name), name);
      assert.equal(player.state.phase, "done");
      player.dispatch({ type: "next" });
    }
    assert.equal(player.state.phase, "finished", variant);
    assert.deepEqual(
      player.state.done,
      lessons[variant].map(({ name }) => name),
    );
    assert.equal(
      player.effects.filter(({ type }) => type === "done").length,
      player.state.done.length,
    );
  }
});

test("a refusal is explained until the player goes on", () => {
  let explained = 0;
  for (const variant of variants)
    for (const [task, { name, steps }] of lessons[variant].entries()) {
      if (steps.length < 2 || !steps[0].goal.refused) continue;
      const player = new Player(variant).dispatch({ type: "open", task });
      player.solve();
      assert.deepEqual([player.state.phase, player.state.step], ["done", 0], name);
      assert.deepEqual([player.state.done, player.waiting], [[], null], "the task is not done");
      assert.ok(!player.effects.some(({ type }) => type === "done"));
      player.dispatch({ type: "next" });
      assert.deepEqual([player.state.phase, player.state.step], ["idle", 1], name);
      explained += 1;
    }
  assert.equal(explained, 3);
});

test("goals name the squares of their moves", () => {
  for (const [variant, task] of [
    ["caterpillarWar", 2],
    ["knightFight", 4],
  ])
    for (const [language, { lessons: texts }] of Object.entries(languages)) {
      const { goal } = texts[variant].tasks[task].steps[0];
      const cells = clicksOf(lessons[variant][task].steps[0]);
      assert.ok(cells.length > 1);
      for (const cell of cells) assert.ok(goal.includes(cell), `${language}: ${cell} in “${goal}”`);
    }
});

test("wrong moves are refuted, explained and repeated", () => {
  let explained = 0;
  for (const variant of variants)
    for (const [task, { steps }] of lessons[variant].entries())
      for (const [at, { wrong = [] }] of steps.entries())
        for (const [index, { moves, reply }] of wrong.entries())
          for (const u of moves) {
            const player = new Player(variant).dispatch({ type: "open", task });
            for (let step = 0; step < at; step += 1) player.solve().readRefusal().waitFor("idle");
            const { answer, begun } = player.state;
            player.dispatch({ type: "move", u });
            assert.equal(player.state.phase, reply ? "refuting" : "wrong", u);
            player.waitFor("wrong");
            assert.equal(player.state.wrong, index, u);
            assert.deepEqual(player.state.moves, [...begun, u, ...(reply ? [reply] : [])]);
            assert.deepEqual(player.state.done, []);
            player.dispatch({ type: "again" });
            assert.deepEqual([player.state.phase, player.state.answer], ["idle", answer]);
            explained += 1;
          }
  assert.ok(explained > 15, `${explained} wrong moves`);
});

test("a move without explanation is wrong and loses nothing", () => {
  const player = new Player("caterpillarWar").dispatch({ type: "move", u: "f4-f5" });
  assert.deepEqual([player.state.phase, player.state.wrong], ["wrong", null]);
  // The board takes no move until the player decides.
  player.dispatch({ type: "move", u: "f4-e5" });
  assert.equal(player.state.phase, "wrong");
  player.dispatch({ type: "again" }).solve().waitFor("idle");
  assert.equal(player.state.step, 1);
});

test("other refusals than the asked one change nothing", () => {
  for (const variant of variants) {
    const player = new Player(variant);
    const { state } = player;
    for (const clicks of [[], ["a1"], ["e5"], ["e5", "d6"]])
      player.dispatch({ type: "refused", clicks });
    assert.equal(player.state, state, variant);
  }
});

test("a demonstration shows each click, then the move", () => {
  for (const variant of variants)
    for (const [task, { steps }] of lessons[variant].entries()) {
      const player = new Player(variant).dispatch({ type: "open", task });
      for (const [at, step] of steps.entries()) {
        assert.deepEqual([player.state.step, player.state.phase], [at, "idle"]);
        player.dispatch({ type: "show" });
        const cells = clicksOf(step);
        for (let clicks = 1; clicks <= cells.length; clicks += 1) {
          assert.deepEqual([player.state.phase, player.state.clicks], ["showing", clicks]);
          player.timeout();
        }
        assert.equal(player.state.phase, "shown");
        assert.equal(player.state.moves.length > player.state.begun.length, Boolean(step.solution));
        // After a demonstration the player may try it.
        player.dispatch({ type: "again" });
        assert.equal(player.state.phase, "idle");
        player.dispatch({ type: "show" }).waitFor("shown");
        player.dispatch({ type: "next" });
      }
      assert.deepEqual(player.state.done, [], "a demonstration is no success");
      const isLast = task + 1 === lessons[variant].length;
      assert.equal(player.state.phase, isLast ? "finished" : "idle");
      if (!isLast) assert.equal(player.state.task, task + 1);
    }
});

test("a demonstration after a wrong move begins from its start", () => {
  const player = new Player("caterpillarWar").dispatch({ type: "open", task: 3 });
  const { answer } = player.state;
  player.dispatch({ type: "move", u: "c3(c4)d4" }).waitFor("wrong");
  player.dispatch({ type: "show" });
  assert.deepEqual([player.state.phase, player.state.clicks], ["showing", 1]);
  assert.deepEqual(player.state.answer, answer);
});

test("skipped tasks are not done, the lesson resumes at the first", () => {
  const player = new Player("hogga").solveTask().dispatch({ type: "next" });
  player.dispatch({ type: "skip" });
  assert.deepEqual([player.state.task, player.state.done], [2, ["step"]]);
  assert.equal(new Player("hogga", player.state.done).state.task, 1);
  assert.equal(new Player("hogga", [...player.state.done, "unheard"]).state.done.length, 1);
  const all = lessons.hogga.map(({ name }) => name);
  assert.equal(new Player("hogga", all).state.task, 0);
  for (let tasks = 0; tasks < 9; tasks += 1) player.dispatch({ type: "skip" });
  assert.equal(player.state.phase, "finished");
  player.dispatch({ type: "open", task: 0 });
  assert.equal(player.state.phase, "idle");
});

test("outdated answers and timeouts have no effect", () => {
  const { state } = new Player("caterpillarWar");
  const moved = apply(state, { type: "move", u: "f4-e5" });
  const [{ seq }] = moved.effects;
  const reopened = apply(moved.state, { type: "open", task: 2 }).state;
  for (const event of [
    { type: "answer", seq, answer: state.answer },
    { type: "failed", seq },
    { type: "timeout", seq },
  ])
    assert.equal(apply(reopened, event).state, reopened, event.type);
});

test("a failed query can be repeated", () => {
  const { state } = new Player("caterpillarWar");
  const { state: moved, effects } = apply(state, { type: "move", u: "f4-e5" });
  const failed = apply(moved, { type: "failed", seq: effects[0].seq }).state;
  assert.equal(failed.phase, "failed");
  const again = apply(failed, { type: "again" });
  assert.deepEqual([again.state.phase, again.state.moves], ["loading", []]);
  assert.deepEqual(again.effects, [{ type: "query", seq: again.state.seq }]);
});

test("the player's side moves at the beginning of each step", () => {
  for (const variant of variants) {
    const player = new Player(variant);
    const side = sideOf(player.state);
    player.solve();
    assert.equal(sideOf(player.state), side, variant);
  }
});

test("every condition of a goal must hold", () => {
  const trace = { paths: [["a1", "b2"]], removed: ["c3", "d4"] };
  const move = { u: "a1-b2", trace, outcome: "first", side: "first" };
  const holds = (goal, change = {}) => isReached(goal, { ...move, ...change });
  for (const goal of [
    {},
    { moves: ["x", "a1-b2"] },
    { reaches: ["b2"] },
    { removes: 2 },
    { clears: ["d4"] },
    { wins: true },
  ])
    assert.ok(holds(goal), JSON.stringify(goal));
  for (const goal of [
    { moves: ["a1-b3"] },
    { reaches: ["a1"] },
    { removes: 3 },
    { clears: ["d4", "e5"] },
    { refused: ["a1"] },
    { reaches: ["b2"], removes: 3 },
  ])
    assert.ok(!holds(goal), JSON.stringify(goal));
  assert.ok(!holds({ wins: true }, { outcome: "second" }));
  assert.ok(!holds({ removes: 1 }, { trace: { paths: [] } }));
  assert.ok(isRefusalAsked({ refused: ["a1", "b2"] }, ["a1", "b2"]));
  assert.ok(!isRefusalAsked({ refused: ["a1", "b2"] }, ["b2"]) && !isRefusalAsked({}, []));
});

test("any sequence of events keeps a consistent state", () => {
  const event = fc.oneof(
    ...["again", "next", "show", "skip", "solve", "timeout", "wrong"].map((type) =>
      fc.constant({ type }),
    ),
    fc.record({ type: fc.constant("open"), task: fc.nat(4) }),
    fc.record({ type: fc.constant("refused"), clicks: fc.constant(["e5", "d6"]) }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...variants),
      fc.array(event, { maxLength: 30 }),
      (variant, events) => {
        const player = new Player(variant);
        for (const next of events) {
          if (next.type === "solve") player.solve();
          else if (next.type === "timeout") player.timeout();
          else if (next.type === "wrong") {
            const u = player.state.answer.legal?.at(-1);
            if (u) player.dispatch({ type: "move", u });
          } else player.dispatch(next);
          const { state } = player;
          assert.ok(stepOf(state), "the step exists");
          assert.deepEqual(state.moves.slice(0, state.begun.length), state.begun);
          assert.equal(new Set(state.done).size, state.done.length);
          assert.notEqual(state.phase, "loading", "a query was lost");
        }
      },
    ),
    { numRuns: 150 },
  );
});
