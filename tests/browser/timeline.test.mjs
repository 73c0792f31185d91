// Times and sounds of the animation of a move, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveSounds, timeline } from "../../static/board/timeline.js";

const silent = { turns: false, wipes: false };

test("a chain takes 220 ms, 90 more per hop, and at most 900", () => {
  const chain = (hops) => ({
    paths: [Array.from({ length: hops + 1 }, (_, index) => `a${index + 1}`)],
  });
  const { ways } = timeline(chain(3), { arcs: true });
  assert.deepEqual(ways[0].ends, [220, 310, 400]);
  assert.equal(timeline(chain(20), { arcs: true }).end, 900);
  const { ends } = timeline(chain(20), { arcs: true }).ways[0];
  assert.ok(ends.every((end, index) => index === 0 || end > ends[index - 1]));
});

test("lifted stones move in sequence and cover captured pieces", () => {
  const trace = {
    paths: [
      ["c3", "c4", "d4"],
      ["c2", "c4", "e4"],
    ],
    removed: ["e4"],
  };
  const { ways, gone } = timeline(trace, { crawls: true });
  assert.equal(ways[1].at - ways[0].at, 40);
  assert.ok(ways[0].at > 0, "they are lifted before they move");
  assert.equal(gone[0].how, "covered");
  assert.ok(gone[0].at < ways[1].land && gone[0].at + gone[0].ms > ways[1].land);
  const [step] = timeline({ paths: [["c3", "c4"]] }, { crawls: true }).ways;
  assert.deepEqual([step.at, step.lifted], [0, false], "a step slides");
});

test("captures come first, then threads and strikes, then the move", () => {
  const trace = { paths: [["a1", "b2"]], removed: ["c3", "f6"], strikes: [["d4", "e5", "f6"]] };
  const { ways, gone, threads } = timeline(trace, { takes: "first" });
  const [taken, struck] = gone;
  assert.deepEqual([taken.how, taken.at, struck.how], ["taken", 0, "struck"]);
  assert.ok(taken.at < threads && threads + 160 === struck.at && struck.at < ways[0].at);
});

test("a dragged piece is not animated again", () => {
  const trace = { paths: [["a1", "b2", "c3"]], removed: ["b2"] };
  const { ways } = timeline(trace, { arcs: true }, { from: "a1", to: "c3" });
  assert.deepEqual([ways[0].at, ways[0].land], [0, 0]);
  assert.notEqual(timeline(trace, { arcs: true }, { from: "a1", to: "d4" }).ways[0].land, 0);
});

test("sounds of a move follow its animation", () => {
  const soundsOf = (trace, glyph, kind = silent) =>
    moveSounds(timeline(trace, glyph), kind).map(({ what }) => what);
  assert.deepEqual(soundsOf({ paths: [["a1", "b2", "c3"]] }, { arcs: true }), ["move", "move"]);
  assert.deepEqual(soundsOf({ paths: [["a1", "b2"]], removed: ["b2"] }, { crawls: true }), [
    "move",
    "second",
  ]);
  assert.deepEqual(
    soundsOf(
      { paths: [["a1", "b2"]], removed: ["h8"] },
      { arcs: true },
      { turns: false, wipes: true },
    ),
    ["move", "wipe"],
  );
  assert.deepEqual(
    soundsOf({ paths: [["a1", "b2"]] }, { arcs: true }, { turns: true, wipes: false }),
    ["move", "turn"],
  );
  assert.deepEqual(
    soundsOf({ paths: [], removed: ["c3"], strikes: [["a1", "b2", "c3"]] }, { takes: "first" }),
    ["strike"],
  );
  const steps = moveSounds(
    timeline({ paths: [["a1", "b2", "c3", "d4"]] }, { arcs: true }),
    silent,
  ).map(({ step }) => step);
  assert.deepEqual(steps, [0, 1, 2], "each hop has a higher pitch");
});
