// Mouse and touch input on the board: dragging, the magnifier, and taps.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, counters, stands } from "./support/pointer.mjs";
import { house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { countShifts, shiftsOf, sumOf } from "./support/layout-shift.mjs";
import { PHONE, shot } from "./support/viewports.mjs";
import { hint, hintAfter, plies, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser }, counters);

const lifted = (person) =>
  person.page.locator(".game-board .board-layer-animation .piece-dragged").count();

/** Presses a cell, and goes to another with the button held. */
const pull = async (person, from, to) => {
  const { mouse } = person.page;
  await mouse.move(...(await person.middle(from)));
  await mouse.down();
  await mouse.move(...(await person.middle(to)), { steps: 8 });
};

test("drag to an offered cell moves; elsewhere the piece returns selected", async () => {
  const [ann, bob] = await game({});
  await pull(ann, "h5", "b7");
  assert.equal(await lifted(ann), 1);
  await shot(ann.page, "hands-drag-desk-light");
  await hintAfter(ann, "not possible from here", () => ann.page.mouse.up());
  assert.deepEqual(
    [await lifted(ann), await chosen(ann), await plies(ann)],
    [0, 1, 0],
    "a drop on an illegal cell keeps the selection",
  );
  await hint(ann, "Choose where to go");
  await stands(ann, "h5");
  // The button is released outside the board; the page does not always see the release.
  const { mouse } = ann.page;
  await mouse.move(...(await ann.middle("h5")));
  await mouse.down();
  await mouse.move(5, 5);
  await mouse.up();
  await mouse.move(...(await ann.middle("g4")));
  assert.deepEqual(
    [await lifted(ann), await chosen(ann)],
    [0, 1],
    "a release outside the board ends the drag",
  );
  await pull(ann, "h5", "g5");
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
  assert.equal(await lifted(ann), 0, "a pointer move without a button ends the drag");
  await mouse.up();
  await pull(ann, "h5", "g5");
  await ann.page.keyboard.press("Escape");
  assert.deepEqual([await lifted(ann), await chosen(ann)], [0, 0]);
  await ann.page.mouse.up();
  assert.deepEqual([await chosen(ann), await plies(ann)], [0, 0]);
  // A caterpillar move is a drag from tail to tower (two clicks) and a third click.
  await pull(ann, "h5", "d1");
  await ann.page.mouse.up();
  assert.deepEqual(
    await ann.page.$$eval(".board-layer-marks .board-badge-text", (texts) =>
      texts.map((text) => text.textContent),
    ),
    ["1", "2"],
  );
  await ann.cell("d5");
  for (const person of [ann, bob]) await person.sees(1);
  await pull(bob, "a4", "b4");
  await bob.page.mouse.up();
  for (const person of [ann, bob]) await person.sees(2);
  assert.equal(await lifted(bob), 0);
  await stands(bob, "b4");
  // Flipping the board before the response resets the dropped piece.
  server.process.kill("SIGSTOP");
  try {
    await pull(ann, "h4", "g4");
    await mouse.up();
    assert.equal(await lifted(ann), 1, "the piece stays where it was dropped");
    await ann.page.keyboard.press("f");
    assert.equal(await lifted(ann), 0);
    await stands(ann, "h4");
  } finally {
    server.process.kill("SIGCONT");
  }
  for (const person of [ann, bob]) await person.sees(3);
  await stands(ann, "g4");
  wasQuiet(server, [ann, bob]);
});

test("premove can be dragged", async () => {
  const [cas, dot] = await game({});
  await pull(dot, "a4", "b4");
  // The page first requests the possible premoves.
  await dot.page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  await dot.page.mouse.move(...(await dot.middle("b5")));
  await dot.page.mouse.move(...(await dot.middle("b4")));
  await dot.page.mouse.up();
  await hint(dot, "Premove: a4-b4");
  await cas.move(["h5", "g5"], 2, [cas, dot]);
  await stands(dot, "b4");
  wasQuiet(server, [cas, dot]);
});

test("touch drag shows a magnifier that stays inside the window", async () => {
  const [eli, fay, id] = await game({ variant: "hogga" }, [PHONE, {}]);
  const { page } = eli;
  await page.locator(".game-status .btn:has-text('No')").tap();
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, point) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: point ? [{ x: point[0], y: point[1] }] : [],
    });
  const inside = () =>
    page.$eval(".board-magnifier", (loupe) => {
      const { left, top, right, bottom } = loupe.getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    });
  const covers = (point) =>
    page.$eval(
      ".board-magnifier",
      (loupe, [x, y]) => {
        const { left, top, right, bottom } = loupe.getBoundingClientRect();
        return x > left && x < right && y > top && y < bottom;
      },
      point,
    );
  await touch("touchStart", await eli.middle("b10"));
  const corners = [
    [2, 2],
    [388, 2],
    [2, 840],
    [388, 840],
    await eli.middle("l1"),
    await eli.middle("a13"),
  ];
  for (const point of corners) {
    await touch("touchMove", point);
    await page.waitForSelector(".board-magnifier");
    // The magnifier follows in the next frame.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    assert.ok(await inside(), `the magnifier at ${point} is inside the window`);
    assert.ok(!(await covers(point)), `the finger at ${point} covers the loupe`);
  }
  await touch("touchMove", await eli.middle("b9"));
  assert.equal(await lifted(eli), 1);
  await page.waitForSelector(".board-magnifier .board-magnifier-target:not(.is-hidden)");
  await shot(eli.page, "hands-loupe-phone-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot(eli.page, "hands-loupe-phone-dark");
  await touch("touchMove", await eli.middle("f5"));
  await touch("touchEnd");
  assert.deepEqual(
    [
      await lifted(eli),
      await chosen(eli),
      await plies(eli),
      await page.locator(".board-magnifier").count(),
    ],
    [0, 1, 0, 0],
  );
  await touch("touchStart", await eli.middle("b10"));
  await touch("touchMove", await eli.middle("b9"));
  await touch("touchEnd");
  for (const person of [eli, fay]) await person.sees(1);
  // A large board has no magnifier.
  await page.setViewportSize({ width: 1000, height: 1000 });
  await fay.play(id, (await fay.legal(id))[0]);
  await eli.sees(2);
  await touch("touchStart", await eli.middle("b9"));
  await touch("touchMove", await eli.middle("d7"));
  assert.deepEqual([await lifted(eli), await page.locator(".board-magnifier").count()], [1, 0]);
  await touch("touchEnd");
  wasQuiet(server, [eli, fay]);
});

test("game by taps on two phones has no layout shift", async (context) => {
  const [ora, pim] = await tableIn({ server, browser }, countShifts)({ variant: "knightFight" }, [
    PHONE,
    PHONE,
  ]);
  const both = [ora, pim];
  // Discards shifts from loading: the check begins when the board is ready.
  for (const { page } of both) await shiftsOf(page);
  for (const { page } of both) {
    const no = page.locator(".game-status .btn:has-text('No')");
    if (await no.count()) await no.tap();
  }
  let ply = 0;
  for (;;) {
    const mover = both[ply % 2];
    await mover.page.waitForFunction(
      () =>
        document.querySelector("rect.board-cell.is-selectable") ||
        document.querySelector(".game-result"),
    );
    if (await mover.page.$(".game-result")) break;
    const no = mover.page.locator(".game-status .btn:has-text('No')");
    if (await no.count()) await no.tap();
    const offered = await mover.offered();
    await mover.page.touchscreen.tap(
      ...(await mover.middle(offered[Math.floor(offered.length / 2)])),
    );
    await mover.page.waitForFunction(
      (count) =>
        document.querySelectorAll(".game-moves button").length > count ||
        document.querySelector(".game-status .btn.btn-primary"),
      ply,
    );
    const leave = mover.page.locator(".game-status .btn.btn-primary:has-text('Play')");
    if (await leave.count()) await leave.tap();
    ply += 1;
    for (const person of both)
      await person.page.waitForSelector(`.game-moves button[data-ply="${ply}"]`, {
        state: "attached",
      });
  }
  for (const person of both) await person.page.waitForSelector(".game-result");
  for (const [at, person] of both.entries()) {
    const all = await shiftsOf(person.page);
    const asked = all.filter((shift) => shift.asked);
    context.diagnostic(
      `layout shift on phone ${at + 1} in ${ply} plies: ${sumOf(all)} (caused by taps: ${sumOf(asked)})`,
    );
    assert.equal(sumOf(all), 0, JSON.stringify(all, null, 1));
  }
  await shot(ora.page, "hands-touch-end-phone-light");
  wasQuiet(server, [ora, pim]);
});
