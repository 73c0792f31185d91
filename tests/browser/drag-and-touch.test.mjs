// Mouse and touch input on the board: dragging, the magnifier, and taps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { selectionCount, recordTonesAndMessages, waitForPieceAt } from "./support/pointer.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";
import { endMove, waitForStatus, statusAfter, countPlies, gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser }, recordTonesAndMessages);

const draggedCount = (user) =>
  user.page.locator(".game-board .board-layer-animation .piece-dragged").count();

/** Presses a cell, and goes to another with the button held. */
const dragTo = async (user, from, to) => {
  const { mouse } = user.page;
  await mouse.move(...(await user.cellCenter(from)));
  await mouse.down();
  await mouse.move(...(await user.cellCenter(to)), { steps: 8 });
};

test("drag to a legal cell moves, elsewhere the piece returns", async () => {
  const [ann, bob] = await startGame({});
  await dragTo(ann, "h5", "b7");
  assert.equal(await draggedCount(ann), 1);
  await screenshot(ann.page, "pointer-drag-desktop-light");
  await statusAfter(ann, "Straight or diagonal only", () => ann.page.mouse.up());
  assert.deepEqual(
    [await draggedCount(ann), await selectionCount(ann), await countPlies(ann)],
    [0, 1, 0],
    "a drop on an illegal cell keeps the selection",
  );
  await waitForStatus(ann, "Now the tower");
  await waitForPieceAt(ann, "h5");
  // The button is released outside the board; the page does not always see the release.
  const { mouse } = ann.page;
  await mouse.move(...(await ann.cellCenter("h5")));
  await mouse.down();
  await mouse.move(5, 5);
  await mouse.up();
  await mouse.move(...(await ann.cellCenter("g4")));
  assert.deepEqual(
    [await draggedCount(ann), await selectionCount(ann)],
    [0, 1],
    "a release outside the board ends the drag",
  );
  await dragTo(ann, "h5", "g5");
  await ann.page.$eval(".board-svg.is-interactive", (board) =>
    board.dispatchEvent(
      new PointerEvent("pointermove", {
        pointerId: 1,
        pointerType: "mouse",
        buttons: 0,
        bubbles: true,
      }),
    ),
  );
  assert.equal(await draggedCount(ann), 0, "a pointer move without a button ends the drag");
  await mouse.up();
  await dragTo(ann, "h5", "g5");
  await ann.page.keyboard.press("Escape");
  assert.deepEqual([await draggedCount(ann), await selectionCount(ann)], [0, 0]);
  await ann.page.mouse.up();
  assert.deepEqual([await selectionCount(ann), await countPlies(ann)], [0, 0]);
  // A caterpillar move is a drag from tail to tower (two clicks) and a third click.
  await dragTo(ann, "h5", "d1");
  await ann.page.mouse.up();
  assert.deepEqual(
    await ann.page.$$eval(".board-layer-marks .board-label-text", (texts) =>
      texts.map((text) => text.textContent),
    ),
    ["tail", "tower"],
  );
  await ann.clickCell("d5");
  for (const user of [ann, bob]) await user.waitForPly(1);
  await dragTo(bob, "a4", "b4");
  await bob.page.mouse.up();
  for (const user of [ann, bob]) await user.waitForPly(2);
  assert.equal(await draggedCount(bob), 0);
  await waitForPieceAt(bob, "b4");
  // Flipping the board before the response resets the dropped piece.
  server.process.kill("SIGSTOP");
  try {
    await dragTo(ann, "h4", "g4");
    await mouse.up();
    assert.equal(await draggedCount(ann), 1, "the piece stays where it was dropped");
    await ann.page.keyboard.press("f");
    assert.equal(await draggedCount(ann), 0);
    await waitForPieceAt(ann, "h4");
  } finally {
    server.process.kill("SIGCONT");
  }
  for (const user of [ann, bob]) await user.waitForPly(3);
  await waitForPieceAt(ann, "g4");
  assertNoErrors(server, [ann, bob]);
});

test("premove can be dragged", async () => {
  const [cas, dot] = await startGame({});
  await dragTo(dot, "a4", "b4");
  // The page first requests the possible premoves.
  await dot.page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  await dot.page.mouse.move(...(await dot.cellCenter("b5")));
  await dot.page.mouse.move(...(await dot.cellCenter("b4")));
  await dot.page.mouse.up();
  await waitForStatus(dot, "Premove: a4-b4");
  await cas.move(["h5", "g5"], 2, [cas, dot]);
  await waitForPieceAt(dot, "b4");
  assertNoErrors(server, [cas, dot]);
});

test("touch drag shows a magnifier that stays inside the window", async () => {
  const [eli, fay, id] = await startGame({ variant: "hogga" }, [PHONE, {}]);
  const { page } = eli;
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, point) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    });
  const isInsideWindow = () =>
    page.$eval(".board-magnifier", (magnifier) => {
      const { left, top, right, bottom } = magnifier.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
  const coversPoint = (point) =>
    page.$eval(
      ".board-magnifier",
      (magnifier, [x, y]) => {
        const { left, top, right, bottom } = magnifier.getBoundingClientRect();
        return x > left && x < right && y > top && y < bottom;
      },
      point,
    );
  await touch("touchStart", await eli.cellCenter("b10"));
  const corners = [
    [2, 2],
    [388, 2],
    [2, 840],
    [388, 840],
    await eli.cellCenter("l1"),
    await eli.cellCenter("a13"),
  ];
  for (const point of corners) {
    await touch("touchMove", point);
    await page.waitForSelector(".board-magnifier");
    // The magnifier follows in the next frame.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    assert.ok(await isInsideWindow(), `the magnifier at ${point} is inside the window`);
    assert.ok(!(await coversPoint(point)), `the finger at ${point} covers the magnifier`);
  }
  await touch("touchMove", await eli.cellCenter("b9"));
  assert.equal(await draggedCount(eli), 1);
  await page.waitForSelector(".board-magnifier .board-magnifier-target:not(.is-hidden)");
  await screenshot(eli.page, "pointer-magnifier-phone-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await screenshot(eli.page, "pointer-magnifier-phone-dark");
  await touch("touchMove", await eli.cellCenter("f5"));
  await touch("touchEnd");
  assert.deepEqual(
    [
      await draggedCount(eli),
      await selectionCount(eli),
      await countPlies(eli),
      await page.locator(".board-magnifier").count(),
    ],
    [0, 1, 0, 0],
  );
  await touch("touchStart", await eli.cellCenter("b10"));
  await touch("touchMove", await eli.cellCenter("b9"));
  await touch("touchEnd");
  for (const user of [eli, fay]) await user.waitForPly(1);
  // A large board has no magnifier.
  await page.setViewportSize({ width: 1000, height: 1100 });
  await fay.play(id, (await fay.legalMoves(id))[0]);
  await eli.waitForPly(2);
  await touch("touchStart", await eli.cellCenter("b9"));
  await touch("touchMove", await eli.cellCenter("d7"));
  assert.deepEqual(
    [await draggedCount(eli), await page.locator(".board-magnifier").count()],
    [1, 0],
  );
  await touch("touchEnd");
  assertNoErrors(server, [eli, fay]);
});

test("game by taps on two phones has no layout shift", async (context) => {
  const [ora, pim] = await gameStarter({ server, browser }, recordLayoutShifts)(
    { variant: "knightFight" },
    [PHONE, PHONE],
  );
  const users = [ora, pim];
  // Discards shifts from loading: the check begins when the board is ready.
  for (const { page } of users) await takeLayoutShifts(page);
  let ply = 0;
  for (;;) {
    const mover = users[ply % 2];
    await mover.page.waitForFunction(
      () =>
        document.querySelector("rect.board-cell.is-selectable") ||
        document.querySelector(".game-result"),
    );
    if (await mover.page.$(".game-result")) break;
    const offered = await mover.selectableCells();
    const cell = await mover.cellCenter(offered[Math.floor(offered.length / 2)]);
    await mover.page.touchscreen.tap(...cell);
    // The first tap shows a move; a double, which may wipe another, is chosen by it.
    if (await mover.page.locator(".board-held").count()) await mover.page.touchscreen.tap(...cell);
    ply += 1;
    await endMove(mover, ply, "tap");
    for (const user of users)
      await user.page.waitForSelector(`.game-moves button[data-ply="${ply}"]`, {
        state: "attached",
      });
  }
  for (const user of users) await user.page.waitForSelector(".game-result");
  for (const [index, user] of users.entries()) {
    const shifts = await takeLayoutShifts(user.page);
    const tapShifts = shifts.filter((shift) => shift.hadRecentInput);
    context.diagnostic(
      `layout shift on phone ${index + 1} in ${ply} plies: ${totalShift(shifts)} (caused by taps: ${totalShift(tapShifts)})`,
    );
    assert.equal(totalShift(shifts), 0, JSON.stringify(shifts, null, 1));
  }
  await screenshot(ora.page, "pointer-touch-end-phone-light");
  assertNoErrors(server, [ora, pim]);
});
