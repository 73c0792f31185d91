// Selecting cells before a move is complete: touch previews and penalties in any order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { PHONE } from "./support/viewports.mjs";
import { meet } from "./support/game.mjs";

const { server, browser } = await house();

const people = (...options) =>
  Promise.all(options.map((option) => Person.open(browser, server, option)));

test("touch: a tap selects, a press previews, sliding away selects nothing", async () => {
  const [kai, lou] = await people(PHONE, {});
  await meet(await kai.begin(lou, "hogga"), kai, lou);
  await kai.page.touchscreen.tap(...(await kai.middle("b10")));
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
  await touch("pointerdown", await kai.middle("b9"));
  await touch("pointermove", await kai.middle("b9"));
  await kai.page.waitForSelector(".board-layer-preview .board-path", { state: "attached" });
  await kai.page.waitForSelector(".board-magnifier", { state: "attached" });
  await touch("pointermove", await kai.middle("l8"));
  await kai.page.waitForSelector(".board-layer-preview .board-path", { state: "detached" });
  await touch("pointerup", await kai.middle("l8"));
  assert.equal(await kai.page.locator(".game-moves button").count(), 0, "no move is made");
  await kai.page.touchscreen.tap(...(await kai.middle("b9")));
  for (const person of [kai, lou]) await person.sees(1);
  wasQuiet(server, [kai, lou]);
});

test("penalties are selected in any order and deselected by a second click", async () => {
  const [mel, ned] = await people({}, {});
  const id = await mel.begin(ned, "kopfOderKnopf");
  for (const person of [mel, ned]) await person.page.waitForURL(`${server.url}/${id}`);
  const moves = "f2-e3 i2-h3 xi4,b4-e4 xe4,b3-c3".split(" ");
  for (const [ply, u] of moves.entries()) {
    const mover = ply % 2 ? ned : mel;
    if (!(await mover.legal(id)).includes(u)) break;
    await mover.play(id, u);
  }
  const { turn, legal: open } = await mel.told(`/api/game/${id}`);
  const mover = turn === "first" ? mel : ned;
  await mover.page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  const whole = (open ?? (await mover.legal(id))).find((u) => /^x[a-z]\d+,/.test(u));
  const [taken, from, to] = whole.match(/[a-z]\d+/g);
  const pips = () =>
    mover.page.$$eval(".board-layer-marks .board-badge-text", (texts) =>
      texts.map((text) => text.textContent),
    );
  // First the player's own button, then the penalty, which comes first in the notation.
  await mover.cell(from);
  await mover.cell(taken);
  assert.deepEqual(await pips(), ["1", "2"]);
  await mover.page.waitForSelector(`.game-status >> text=Removes ${taken}`);
  await mover.cell(taken);
  assert.deepEqual(await pips(), []);
  await mover.cell(taken);
  await mover.cell(to);
  await mover.page.waitForSelector(`.game-moves >> text=${whole}`);
  wasQuiet(server, [mel, ned]);
});
