// Offers between the players of a game: draws, takebacks, added time and rematches, with the chat
// lines that refer to moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { DESK, PHONE, shot } from "./support/viewports.mjs";
import { hint, hintAfter, hintButton, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

test("an offer has a delay and never replaces the player's own question", async () => {
  const [pia, rob] = await game({});
  await pia.move(["h5", "g5"], 1, [pia, rob]);
  await rob.move(["a4", "b4"], 2, [pia, rob]);
  // Presses every new button immediately, like a user who was about to click there.
  await rob.page.evaluate(() => {
    window.pressed = [];
    new MutationObserver(() =>
      document.querySelectorAll(".game-status .btn").forEach((button) => {
        window.pressed.push(`${button.textContent} ${button.getAttribute("aria-disabled")}`);
        button.click();
      }),
    ).observe(document.querySelector(".game-status"), { childList: true });
  });
  await pia.page.click(".game-actions >> text=Draw");
  await hintButton(pia, "Offer").click();
  await hint(rob, "offers a draw");
  assert.deepEqual(await rob.page.evaluate(() => window.pressed), ["No true", "Accept true"]);
  await pia.page.waitForTimeout(300);
  await hint(rob, "offers a draw");
  await hint(pia, "Draw offered");
  await hintButton(pia, "Cancel").click();
  await rob.page.waitForFunction(() => !document.querySelector(".game-status .btn"));
  await pia.move(["g5", "f5"], 3, [pia, rob]);
  await rob.page.reload();
  await rob.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await rob.page.click(".game-actions >> text=Resign");
  await hint(rob, "Resign this game?");
  assert.ok(
    await rob.page.$eval(
      ".game-status p",
      (text) => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight,
    ),
    "the question is not cut off",
  );
  await pia.page.click(".game-actions >> text=Draw");
  await hintButton(pia, "Offer").click();
  await rob.page.waitForFunction(() =>
    /offers a draw/.test(document.querySelector("[aria-live=assertive]")?.textContent),
  );
  await hint(rob, "Resign this game?");
  await hintButton(rob, "Keep playing").click();
  await hint(rob, "offers a draw");
  await hintButton(rob, "Accept").click();
  for (const person of [pia, rob])
    await person.page.waitForSelector(".game-result >> text=by agreement");
  pagesWereQuiet([pia, rob]);
});

test("takebacks need consent, time can be added, chat lines link to moves", async () => {
  const [una, vic, id] = await game({ "clock.limit": 600, "clock.increment": 5 }, [{}, PHONE]);
  const eve = await Person.open(browser, server, { name: "Eve" }, `/${id}`);
  await una.page.waitForSelector(".game-spectators >> text=Spectators: Eve");
  await una.move(["h5", "g5"], 1, [una, vic, eve]);
  await vic.play(id, "a4-b4");
  for (const person of [una, vic, eve]) await person.sees(2);
  await una.page.fill(".chat-panel input", "good luck");
  await una.page.press(".chat-panel input", "Enter");
  await una.move(["g5", "f5"], 3, [una, vic, eve]);
  await una.page.fill(".chat-panel input", "that was a slip");
  await una.page.press(".chat-panel input", "Enter");
  await una.page.click(".chat-ply[data-ply='2']");
  await hint(una, "Move 2 of 3");
  await una.page.mouse.move(600, 790);
  await shot(una.page, "live-chat-desk-light");
  await una.page.setViewportSize(PHONE.viewport);
  await una.page.click(".chat-button");
  await shot(una.page, "live-chat-phone-light");
  // On a phone the chat sheet closes to show the board.
  await una.page.click(".chat-ply[data-ply='3']");
  await una.page.waitForSelector(".chat-panel", { state: "hidden" });
  await una.page.keyboard.press("ArrowLeft");
  await una.page.click(".game-title .game-title-button");
  await shot(una.page, "live-info-phone-light");
  await una.page.click(".game-title .game-title-button");
  await una.page.setViewportSize(DESK.viewport);
  await hintButton(una, "Back to the game").click();
  // A spectator's view of an earlier position remains as long as that position exists.
  await eve.page.click(".game-moves [data-ply='1']");
  await una.page.click(".game-actions >> text=Takeback");
  await hint(una, "Takeback requested");
  await hint(vic, "asks to take back a move");
  await shot(vic.page, "live-takeback-phone-light");
  await hintAfter(una, "declines the takeback", () => hintButton(vic, "No").click());
  await hintAfter(una, "once a move", () => una.page.click(".game-actions >> text=Takeback"));
  await vic.play(id, "b4-c4");
  await una.sees(4);
  await una.move(["f5", "e5"], 5, [una, vic]);
  await una.page.click(".game-actions >> text=Takeback");
  await hint(vic, "asks to take back a move");
  await vic.page.emulateMedia({ colorScheme: "dark" });
  await shot(vic.page, "live-takeback-phone-dark");
  await vic.page.setViewportSize(DESK.viewport);
  await shot(vic.page, "live-takeback-desk-dark");
  await vic.page.setViewportSize(PHONE.viewport);
  await hintButton(vic, "Yes").click();
  for (const person of [una, vic]) {
    await person.sees(4);
    await person.page.waitForFunction(
      () => document.querySelectorAll(".game-moves button").length === 4,
    );
  }
  await hint(eve, "Move 1 of 4");
  await hint(una, "Your move");
  await una.page.waitForFunction(() =>
    document.querySelector("[data-cell=f5]").getAttribute("aria-label").includes("white"),
  );
  const before = (await una.ask(`/api/game/${id}`)).body.clocks.second;
  for (const cell of ["c4", "d4"]) {
    await vic.cell(cell);
    await vic.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  }
  await hint(vic, "Premove: c4-d4");
  // The notice appears next to the premove, which can still be canceled.
  const told = await hintAfter(vic, "gives you 15 s", () =>
    una.page.click(".game-player-more-time"),
  );
  assert.match(told, /Premove: c4-d4.*Cancel/);
  await vic.page.keyboard.press("Escape");
  assert.equal((await una.ask(`/api/game/${id}`)).body.clocks.second, before + 15000);
  assert.match(await una.page.textContent(".lag-compensation"), /Lag compensation: up to \d\.\d s/);
  await una.page.click(".lag-compensation summary");
  assert.ok(await una.page.isVisible(".lag-compensation >> text=You get that time back"));
  await shot(una.page, "live-lag-desk-light");
  await una.move(["f5", "f6"], 5, [una, vic]);
  pagesWereQuiet([una, vic, eve]);
});

test("a rematch can keep the sides and the board", async () => {
  const [fay, gil, id] = await game({ variant: "knightFight" }, [PHONE, {}]);
  for (const [ply, person] of [fay, gil].entries()) {
    await person.play(id);
    await Promise.all([fay.sees(ply + 1), gil.sees(ply + 1)]);
  }
  await fay.page.click(".game-actions >> text=Resign");
  await hintButton(fay, "Resign").click();
  const [eve, ivo] = await Promise.all(
    [{}, PHONE].map((option) => Person.open(browser, server, option, `/${id}`)),
  );
  for (const { page } of [eve, ivo]) await page.waitForSelector(".game-result >> text=resigned");
  await ivo.page.click("text=View board");
  await fay.page.click(".game-result >> text=Same sides");
  await fay.page.click(".game-result >> text=Same board");
  await shot(fay.page, "live-rematch-phone-light");
  await shot(gil.page, "live-rematch-desk-light");
  await fay.page.click(".game-result .btn.btn-primary:has-text('Rematch')");
  await gil.page.waitForSelector(".game-result >> text=With the same sides. On the same board.");
  await shot(gil.page, "live-offered-desk-light");
  await gil.page.click(".game-result .btn.btn-primary:has-text('Accept')");
  await gil.page.waitForURL((url) => url.pathname !== `/${id}`);
  await fay.page.waitForURL(gil.page.url());
  const [before, now] = (
    await Promise.all(
      [id, new URL(gil.page.url()).pathname.slice(1)].map((each) => fay.ask(`/api/game/${each}`)),
    )
  ).map(({ body }) => body);
  assert.deepEqual([now.you, now.initialFen], [before.you, before.initialFen]);
  // Spectators are notified of the rematch and may follow it.
  await eve.page.waitForSelector(".game-result .game-next a >> text=The rematch has begun: watch");
  await shot(eve.page, "live-again-desk-light");
  await hint(ivo, "The rematch has begun.");
  await shot(ivo.page, "live-again-phone-light");
  await Promise.all([
    eve.page.click(".game-next a:not(.is-held)"),
    hintButton(ivo, "Watch").and(ivo.page.locator(":not(.is-held)")).click(),
  ]);
  for (const { page } of [eve, ivo]) await page.waitForURL(gil.page.url());
  pagesWereQuiet([eve, ivo]);
  pagesWereQuiet([fay, gil]);
});
