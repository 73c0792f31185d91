// Selecting cells before a move is complete: touch previews and penalties in any order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE } from "./support/viewports.mjs";
import { waitForGame } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...options) =>
  Promise.all(options.map((option) => User.open(browser, server, option)));

test("a tap selects, a press previews, sliding away does nothing", async () => {
  const [kai, lou] = await openUsers(PHONE, {});
  await waitForGame(await kai.startGame(lou, "hogga"), kai, lou);
  await kai.page.touchscreen.tap(...(await kai.cellCenter("b10")));
  await kai.page.waitForSelector(".board-layer-marks .board-selection", { state: "attached" });
  const touch = (type, point) =>
    kai.page.evaluate(
      ([kind, x, y]) => {
        const board = document.querySelector(".board-svg.is-interactive");
        board.dispatchEvent(
          new PointerEvent(kind, {
            pointerType: "touch",
            button: 0,
            clientX: x,
            clientY: y,
            bubbles: true,
            cancelable: true,
          }),
        );
      },
      [type, ...point],
    );
  await touch("pointerdown", await kai.cellCenter("b9"));
  await touch("pointermove", await kai.cellCenter("b9"));
  await kai.page.waitForSelector(".board-layer-preview .board-path", { state: "attached" });
  await kai.page.waitForSelector(".board-magnifier", { state: "attached" });
  await touch("pointermove", await kai.cellCenter("l8"));
  await kai.page.waitForSelector(".board-layer-preview .board-path", { state: "detached" });
  await touch("pointerup", await kai.cellCenter("l8"));
  assert.equal(await kai.page.locator(".game-moves button").count(), 0, "no move is made");
  // The cells are small: the first tap shows the move, the second one plays it.
  for (let taps = 0; taps < 2; taps += 1)
    await kai.page.touchscreen.tap(...(await kai.cellCenter("b9")));
  for (const user of [kai, lou]) await user.waitForPly(1);
  assertNoErrors(server, [kai, lou]);
});

test("penalties are selected and deselected in any order", async () => {
  const [mel, ned] = await openUsers({}, {});
  const id = await mel.startGame(ned, "kopfOderKnopf");
  for (const user of [mel, ned]) await user.page.waitForURL(`${server.url}/${id}`);
  const moves = "f2-e3 i2-h3 xi4,b4-e4 xe4,b3-c3".split(" ");
  for (const [ply, u] of moves.entries()) {
    const mover = ply % 2 ? ned : mel;
    if (!(await mover.legalMoves(id)).includes(u)) break;
    await mover.play(id, u);
  }
  const { turn, legal: openMoves } = await mel.get(`/api/game/${id}`);
  const mover = turn === "first" ? mel : ned;
  await mover.page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  const move = (openMoves ?? (await mover.legalMoves(id))).find((u) => /^x[a-z]\d+,/.test(u));
  const [penalty, from, to] = move.match(/[a-z]\d+/g);
  const badges = () =>
    mover.page.$$eval(".board-layer-marks .board-badge-text", (texts) =>
      texts.map((text) => text.textContent),
    );
  // First the player's own button, then the penalty, which comes first in the notation.
  await mover.clickCell(from);
  await mover.clickCell(penalty);
  assert.deepEqual(await badges(), ["1", "2"]);
  await mover.page.waitForSelector(`.game-status >> text=Takes Red's ${penalty}`);
  await mover.clickCell(penalty);
  assert.deepEqual(await badges(), []);
  await mover.clickCell(penalty);
  await mover.clickCell(to);
  await mover.page.waitForSelector(`.game-moves >> text=${move}`);
  assertNoErrors(server, [mel, ned]);
});
