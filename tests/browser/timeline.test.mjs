// Times and sounds of the animation of a move, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveSounds, timeline } from "../../static/board/timeline.js";

const silent = { turns: false, wipes: false };

test("a chain takes 220 ms, 90 more per hop, and at most 900", () => {
  const chain = (hops) => ({
    paths: [Array.from({ length: hops + 1 }, (_, index) => `a${index + 1}`)],
  });
  const { timedPaths } = timeline(chain(3), { arcs: true });
  assert.deepEqual(timedPaths[0].hopTimes, [220, 310, 400]);
  assert.equal(timeline(chain(20), { arcs: true }).end, 900);
  const { hopTimes } = timeline(chain(20), { arcs: true }).timedPaths[0];
  assert.ok(hopTimes.every((end, index) => index === 0 || end > hopTimes[index - 1]));
});

test("lifted stones move in sequence and cover captured pieces", () => {
  const trace = {
    paths: [
      ["c3", "c4", "d4"],
      ["c2", "c4", "e4"],
    ],
    removed: ["e4"],
  };
  const { timedPaths, removals } = timeline(trace, { crawls: true });
  assert.equal(timedPaths[1].at - timedPaths[0].at, 40);
  assert.ok(timedPaths[0].at > 0, "they are lifted before they move");
  assert.equal(removals[0].kind, "covered");
  assert.ok(
    removals[0].at < timedPaths[1].landingTime &&
      removals[0].at + removals[0].ms > timedPaths[1].landingTime,
  );
  const [step] = timeline({ paths: [["c3", "c4"]] }, { crawls: true }).timedPaths;
  assert.deepEqual([step.at, step.lifted], [0, false], "a step slides");
});

test("captures come first, then threads and strikes, then the move", () => {
  const trace = { paths: [["a1", "b2"]], removed: ["c3", "f6"], strikes: [["d4", "e5", "f6"]] };
  const { timedPaths, removals, captureLinesAt } = timeline(trace, { captureTiming: "first" });
  const [taken, struck] = removals;
  assert.deepEqual([taken.kind, taken.at, struck.kind], ["taken", 0, "struck"]);
  // Each begins when the one before has ended.
  assert.equal(captureLinesAt, taken.at + taken.ms);
  assert.equal(struck.at, captureLinesAt + 160);
  assert.equal(timedPaths[0].at, struck.at + struck.ms);
});

test("a dragged piece is not animated again", () => {
  const trace = { paths: [["a1", "b2", "c3"]], removed: ["b2"] };
  const { timedPaths } = timeline(trace, { arcs: true }, { from: "a1", to: "c3" });
  assert.deepEqual([timedPaths[0].at, timedPaths[0].landingTime], [0, 0]);
  assert.notEqual(
    timeline(trace, { arcs: true }, { from: "a1", to: "d4" }).timedPaths[0].landingTime,
    0,
  );
});

test("sounds of a move follow its animation", () => {
  const soundsOf = (trace, pieceSet, kind = silent) =>
    moveSounds(timeline(trace, pieceSet), kind).map(({ name }) => name);
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
    soundsOf(
      { paths: [], removed: ["c3"], strikes: [["a1", "b2", "c3"]] },
      { captureTiming: "first" },
    ),
    ["strike"],
  );
  const steps = moveSounds(
    timeline({ paths: [["a1", "b2", "c3", "d4"]] }, { arcs: true }),
    silent,
  ).map(({ step }) => step);
  assert.deepEqual(steps, [0, 1, 2], "each hop has a higher pitch");
});
