// Animations of the variants: arcs, lifted stacks, turned stones, and the disappearance of
// captured, wiped and struck pieces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCells } from "../../static/model/notation.js";
import { records } from "../client/support/server-rules.mjs";
import "./support/pointer.mjs";
import { house } from "./support/server.mjs";
import { catchMotion, framesOf } from "./support/animation.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

/**
 * Plays a game with default options up to the first move for which `isSuch` holds. Returns both
 * players, the trace, the boards before and after, and the animation frames of that move.
 */
const seenMove = async (variant, isSuch, choose) => {
  const [kim, lea, id] = await game({ variant });
  const { moves } = records.find(({ name }) => name === variant);
  const { initialFen: start, options } = (await kim.ask(`/api/game/${id}`)).body;
  const replay = async (played) =>
    (await kim.told("/api/position", { variant, options, start, moves: played, replay: true }))
      .replay;
  const played = [];
  for (let ply = 0; ; ply += 1) {
    assert.ok(ply < moves.length, `${variant}: no matching move was found`);
    const mover = ply % 2 ? lea : kim;
    const u = choose ? choose(await mover.legal(id)) : moves[ply];
    played.push(u);
    const told = await replay(played);
    const { trace, position: is } = told[ply];
    const was = ply ? told[ply - 1].position : start;
    const [before, now] = [was, is].map((text) => parseCells(text.split(" ")[0]));
    const such = isSuch(trace, before, now);
    if (such) {
      // Animations of the previous move must not be recorded.
      await kim.page.waitForFunction(
        () =>
          document.querySelector(".board-svg.is-interactive").getAnimations({ subtree: true })
            .length === 0,
      );
      await catchMotion(kim);
    }
    await mover.play(id, u);
    if (such) return { persons: [kim, lea], trace, before, now, moved: await framesOf(kim) };
    await kim.sees(ply + 1);
  }
};

/** Returns the animations that move a piece to another place. */
const travellers = (moved) =>
  moved.filter(
    ({ frames }) =>
      frames.length > 2 &&
      frames.every(({ place }) => place) &&
      frames[0].place.join() !== frames.at(-1).place.join(),
  );

/** Returns the height of a frame, in pixels, above the line between its two neighbors. */
const over = (frames, at) => {
  const [one, mid, two] = [frames[at - 1], frames[at], frames[at + 1]].map(({ place }) => place);
  assert.equal(mid[0], (one[0] + two[0]) / 2, "the apex is over the middle");
  return (one[1] + two[1]) / 2 - mid[1];
};

const goes = ({ paths }) => paths.some((path) => path.length > 1);

test("a knight moves in an arc, and the wiped number fades out", async () => {
  const { persons, trace, before, moved } = await seenMove(
    "knightFight",
    (trace) => goes(trace) && trace.removed?.length > 0,
    (legal) => legal.find((u) => !u.includes("x")),
  );
  const [knight, ...others] = travellers(moved);
  assert.equal(others.length, 0);
  assert.equal(knight.frames.length, 3);
  assert.ok(over(knight.frames, 1) > 20, JSON.stringify(knight.frames));
  const [cell] = trace.removed;
  const number = before.get(cell);
  const fades = moved.filter(({ text, frames }) => text === number && frames.at(-1).opacity === 0);
  assert.equal(fades.length, 1, `${number} fades`);
  assert.deepEqual(
    [fades[0].frames[0].opacity, fades[0].frames.every(({ scale }) => scale === undefined)],
    [1, true],
  );
  wasQuiet(server, persons);
});

test("stones of a caterpillar are lifted together and move in sequence", async () => {
  const { persons, trace, moved } = await seenMove(
    "caterpillarWar",
    ({ paths }) => paths.length > 1,
  );
  const stones = travellers(moved);
  assert.equal(stones.length, trace.paths.length);
  for (const { frames } of stones)
    assert.ok(frames[0].place[1] - frames[1].place[1] > 8, "the stone is lifted");
  const starts = stones.map(
    ({ frames }) =>
      frames.findLast(
        ({ place }) => place[0] === frames[0].place[0] && place[1] === frames[1].place[1],
      ).at,
  );
  assert.deepEqual([...new Set(starts)].length > 1, true, `they begin at ${starts}`);
  wasQuiet(server, persons);
});

test("a Hogga stone lands on each cell of its chain, in arcs", async () => {
  const { persons, trace, moved } = await seenMove("hogga", ({ paths }) =>
    paths.some((path) => path.length > 2),
  );
  const [{ frames }] = travellers(moved);
  const hops = trace.paths[0].length - 1;
  assert.equal(frames.length, 2 * hops + 1);
  for (let hop = 0; hop < hops; hop += 1)
    assert.ok(over(frames, 2 * hop + 1) > 20, `hop ${hop + 1}`);
  wasQuiet(server, persons);
});

test("a thread grows from the striking button, struck buttons disappear", async () => {
  const { persons, trace, moved } = await seenMove(
    "kopfOderKnopf",
    ({ strikes }) => strikes?.length > 0,
  );
  const threads = moved.filter(({ name }) => name?.startsWith("board-capture-line"));
  assert.equal(threads.length, 2 * trace.strikes.length, "each thread has an outline");
  for (const { frames, origin } of threads) {
    assert.deepEqual([frames[0].scale, frames.at(-1).scale], [0, undefined]);
    assert.ok(origin[0] > 0 && origin[1] > 0, "the thread starts at its button");
  }
  const struck = moved.filter(
    ({ frames }) =>
      frames.length === 3 &&
      frames[1].scale > 1 &&
      frames[2].scale < 0.5 &&
      frames[2].opacity === 0,
  );
  assert.equal(struck.length, new Set(trace.strikes.map((cells) => cells.at(-1))).size);
  wasQuiet(server, persons);
});

test("a turned stone shows its edge at the apex, then its other side", async () => {
  const turned = ({ paths: [path] }, before, now) =>
    path.length > 1 && before.get(path[0]) !== now.get(path.at(-1));
  const { persons, moved } = await seenMove("wieNietWegIs", turned);
  const [{ frames }] = travellers(moved);
  assert.deepEqual([frames[0].edge, frames.at(-1).edge], [1, 1]);
  assert.ok(frames[1].edge > 0 && frames[1].edge < 0.1, JSON.stringify(frames));
  assert.ok(over(frames, 1) > 20, "at the top of its arc");
  wasQuiet(server, persons);
});
