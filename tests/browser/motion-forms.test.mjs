// Animations of the variants: arcs, lifted stacks, turned stones, and the disappearance of
// captured, wiped and struck pieces.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCells } from "../../static/model/notation.js";
import { recordedGames } from "../client/support/server-rules.mjs";
import "./support/pointer.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { captureAnimations, capturedFrames } from "./support/animation.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

/**
 * Plays a game with default options up to the first move for which `isMatch` holds. Returns both
 * players, the trace, the boards before and after, and the animation frames of that move.
 */
const captureMove = async (variant, isMatch, chooseMove) => {
  const [kim, lea, id] = await startGame({ variant });
  const { moves } = recordedGames.find(({ name }) => name === variant);
  const { initialFen: start, options } = (await kim.request(`/api/game/${id}`)).body;
  const replay = async (playedMoves) =>
    (await kim.post("/api/position", { variant, options, start, moves: playedMoves, replay: true }))
      .replay;
  const playedMoves = [];
  for (let ply = 0; ; ply += 1) {
    assert.ok(ply < moves.length, `${variant}: no matching move was found`);
    const mover = ply % 2 ? lea : kim;
    const u = chooseMove ? chooseMove(await mover.legalMoves(id)) : moves[ply];
    playedMoves.push(u);
    const steps = await replay(playedMoves);
    const { trace, position: fen } = steps[ply];
    const previousFen = ply ? steps[ply - 1].position : start;
    const [before, after] = [previousFen, fen].map((text) => parseCells(text.split(" ")[0]));
    const matches = isMatch(trace, before, after);
    if (matches) {
      // Animations of the previous move must not be recorded, which may still wait for its turn.
      const drawn = steps[ply - 1]?.trace.paths.at(-1)?.at(-1);
      await kim.page.waitForFunction((cell) => {
        const isDrawn =
          !cell ||
          document.querySelector(`rect[data-cell="${cell}"]`).ariaLabel.includes("last move");
        const board = document.querySelector(".board-svg.is-interactive");
        return isDrawn && board.getAnimations({ subtree: true }).length === 0;
      }, drawn);
      await captureAnimations(kim);
    }
    await mover.play(id, u);
    if (matches)
      return { users: [kim, lea], trace, before, after, animations: await capturedFrames(kim) };
    await kim.waitForPly(ply + 1);
  }
};

/** Returns the animations that move a piece to another place. */
const movingPieces = (animations) =>
  animations.filter(
    ({ frames }) =>
      frames.length > 2 &&
      frames.every(({ position }) => position) &&
      frames[0].position.join() !== frames.at(-1).position.join(),
  );

/** Returns the height of a frame, in pixels, above the line between its two neighbors. */
const apexHeight = (frames, at) => {
  const [before, apex, after] = [frames[at - 1], frames[at], frames[at + 1]].map(
    ({ position }) => position,
  );
  assert.equal(apex[0], (before[0] + after[0]) / 2, "the apex is over the middle");
  return (before[1] + after[1]) / 2 - apex[1];
};

const hasPath = ({ paths }) => paths.some((path) => path.length > 1);

test("a knight moves in an arc, and the wiped number fades out", async () => {
  const { users, trace, before, animations } = await captureMove(
    "knightFight",
    (trace) => hasPath(trace) && trace.removed?.length > 0,
    (legal) => legal.find((u) => !u.includes("x")),
  );
  const [knight, ...others] = movingPieces(animations);
  assert.equal(others.length, 0);
  assert.equal(knight.frames.length, 3);
  assert.ok(apexHeight(knight.frames, 1) > 20, JSON.stringify(knight.frames));
  const [cell] = trace.removed;
  const number = before.get(cell);
  const fading = animations.filter(
    ({ text, frames }) => text === number && frames.at(-1).opacity === 0,
  );
  assert.equal(fading.length, 1, `${number} fades`);
  assert.deepEqual(
    [fading[0].frames[0].opacity, fading[0].frames.every(({ scale }) => scale === undefined)],
    [1, true],
  );
  assertNoErrors(server, users);
});

test("caterpillar stones lift together and move in sequence", async () => {
  const { users, trace, animations } = await captureMove(
    "caterpillarWar",
    ({ paths }) => paths.length > 1,
  );
  const stones = movingPieces(animations);
  assert.equal(stones.length, trace.paths.length);
  for (const { frames } of stones)
    assert.ok(frames[0].position[1] - frames[1].position[1] > 8, "the stone is lifted");
  const startTimes = stones.map(
    ({ frames }) =>
      frames.findLast(
        ({ position }) =>
          position[0] === frames[0].position[0] && position[1] === frames[1].position[1],
      ).at,
  );
  assert.deepEqual([...new Set(startTimes)].length > 1, true, `they begin at ${startTimes}`);
  assertNoErrors(server, users);
});

test("a Hogga stone lands on each cell of its chain, in arcs", async () => {
  const { users, trace, animations } = await captureMove("hogga", ({ paths }) =>
    paths.some((path) => path.length > 2),
  );
  const [{ frames }] = movingPieces(animations);
  const hops = trace.paths[0].length - 1;
  assert.equal(frames.length, 2 * hops + 1);
  for (let hop = 0; hop < hops; hop += 1)
    assert.ok(apexHeight(frames, 2 * hop + 1) > 20, `hop ${hop + 1}`);
  assertNoErrors(server, users);
});

test("a capture line grows from its button, struck buttons vanish", async () => {
  const { users, trace, animations } = await captureMove(
    "kopfOderKnopf",
    ({ strikes }) => strikes?.length > 0,
  );
  const captureLines = animations.filter(({ name }) => name?.startsWith("board-capture-line"));
  assert.equal(captureLines.length, 2 * trace.strikes.length, "each capture line has an outline");
  for (const { frames, origin } of captureLines) {
    assert.deepEqual([frames[0].scale, frames.at(-1).scale], [0, undefined]);
    assert.ok(origin[0] > 0 && origin[1] > 0, "the line starts at its button");
  }
  const struck = animations.filter(
    ({ frames }) =>
      frames.length === 3 &&
      frames[1].scale > 1 &&
      frames[2].scale < 0.5 &&
      frames[2].opacity === 0,
  );
  assert.equal(struck.length, new Set(trace.strikes.map((cells) => cells.at(-1))).size);
  assertNoErrors(server, users);
});

test("a turned stone shows its edge at the apex", async () => {
  const turnsPiece = ({ paths: [path] }, before, after) =>
    path.length > 1 && before.get(path[0]) !== after.get(path.at(-1));
  const { users, animations } = await captureMove("wieNietWegIs", turnsPiece);
  const [{ frames }] = movingPieces(animations);
  assert.deepEqual([frames[0].scaleX, frames.at(-1).scaleX], [1, 1]);
  assert.ok(frames[1].scaleX > 0 && frames[1].scaleX < 0.1, JSON.stringify(frames));
  assert.ok(apexHeight(frames, 1) > 20, "at the top of its arc");
  assertNoErrors(server, users);
});

test("stones that are taken off fly to their slots", async () => {
  const { users, trace, animations } = await captureMove(
    "wieNietWegIs",
    ({ removed = [] }) => removed.length > 1,
  );
  const [{ page }] = users;
  const measured = await page.evaluate(() => {
    const center = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const flights = document
      .getAnimations()
      .filter(({ effect: { target } }) => target.closest(".board-flight"));
    return flights.map((animation) => {
      const { delay, duration } = animation.effect.getTiming();
      animation.pause();
      animation.currentTime = delay + duration - 0.01;
      const end = center(animation.effect.target);
      animation.currentTime = delay;
      return { start: center(animation.effect.target), end };
    });
  });
  assert.equal(measured.length, trace.removed.length);
  const slots = await page.$$eval(".game-player-slots", (rows) =>
    rows.map((row) =>
      [...row.querySelectorAll("i.is-full")].map((slot) => {
        const { x, y, width, height } = slot.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      }),
    ),
  );
  const isNear = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY) < 2;
  const used = measured.map(({ end }) => slots.flat().findIndex((slot) => isNear(slot, end)));
  assert.ok(
    used.every((slot) => slot >= 0),
    JSON.stringify({ measured, slots }),
  );
  assert.equal(new Set(used).size, measured.length, "each stone has its own slot");
  const board = await page.locator(".game-board").boundingBox();
  for (const { start } of measured) {
    assert.ok(start[0] > board.x && start[0] < board.x + board.width);
    assert.ok(start[1] > board.y && start[1] < board.y + board.height);
  }
  assert.ok(animations.length > 0);
  // Nothing is left when the animations have ended.
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
  await page.waitForSelector(".board-flight", { state: "detached" });
  assertNoErrors(server, users);
});
