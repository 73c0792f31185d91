// Offers between the players of a game: draws, takebacks, added time and rematches, with the chat
// lines that refer to moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot } from "./support/viewports.mjs";
import { waitForStatus, statusAfter, statusButton, gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

test("an offer is delayed and does not replace a confirmation", async () => {
  const [pia, rob] = await startGame({});
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
  await statusButton(pia, "Offer").click();
  await waitForStatus(rob, "offers a draw");
  assert.deepEqual(await rob.page.evaluate(() => window.pressed), ["No true", "Accept true"]);
  // The answer of a pressed button would arrive before the message sent after it.
  await rob.page.fill(".chat-panel input", "Wait");
  await rob.page.press(".chat-panel input", "Enter");
  await pia.page.waitForSelector(".chat-panel li >> text=Wait");
  await waitForStatus(rob, "offers a draw");
  await waitForStatus(pia, "Draw offered");
  await statusButton(pia, "Cancel").click();
  await rob.page.waitForFunction(() => !document.querySelector(".game-status .btn"));
  await pia.move(["g5", "f5"], 3, [pia, rob]);
  await rob.page.reload();
  await rob.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await rob.page.click(".game-actions >> text=Resign");
  await waitForStatus(rob, "Resign this game?");
  assert.ok(
    await rob.page.$eval(
      ".game-status p",
      (text) => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight,
    ),
    "the question is not cut off",
  );
  await pia.page.click(".game-actions >> text=Draw");
  await statusButton(pia, "Offer").click();
  await rob.page.waitForFunction(() =>
    /offers a draw/.test(document.querySelector("[aria-live=assertive]")?.textContent),
  );
  await waitForStatus(rob, "Resign this game?");
  await statusButton(rob, "Keep playing").click();
  await waitForStatus(rob, "offers a draw");
  await statusButton(rob, "Accept").click();
  for (const user of [pia, rob])
    await user.page.waitForSelector(".game-result >> text=by agreement");
  assertNoPageErrors([pia, rob]);
});

test("takebacks need consent, time is added, chat links to moves", async () => {
  const [una, vic, id] = await startGame({ "clock.limit": 600, "clock.increment": 5 }, [{}, PHONE]);
  await una.page.waitForSelector(".game-spectators >> text=Nobody is watching");
  const guest = await User.open(browser, server, {}, `/${id}`);
  await una.page.waitForSelector(".game-spectators >> text=1 guest is watching");
  const eve = await User.open(browser, server, { name: "Eve" }, `/${id}`);
  await una.page.waitForSelector(".game-spectators >> text=Spectators: Eve, 1 guest");
  await guest.page.context().close();
  await una.move(["h5", "g5"], 1, [una, vic, eve]);
  await vic.play(id, "a4-b4");
  for (const user of [una, vic, eve]) await user.waitForPly(2);
  await una.page.fill(".chat-panel input", "good luck");
  await una.page.press(".chat-panel input", "Enter");
  await una.move(["g5", "f5"], 3, [una, vic, eve]);
  await una.page.fill(".chat-panel input", "that was a slip");
  await una.page.press(".chat-panel input", "Enter");
  await una.page.click(".chat-ply[data-ply='2']");
  await waitForStatus(una, "Move 2 of 3");
  await una.page.mouse.move(600, 790);
  await screenshot(una.page, "live-chat-desktop-light");
  await una.page.setViewportSize(PHONE.viewport);
  await una.page.click(".chat-button");
  await screenshot(una.page, "live-chat-phone-light");
  // On a phone the chat sheet closes to show the board.
  await una.page.click(".chat-ply[data-ply='3']");
  await una.page.waitForSelector(".chat-panel", { state: "hidden" });
  await una.page.keyboard.press("ArrowLeft");
  await una.page.click(".game-title .game-title-button");
  await screenshot(una.page, "live-info-phone-light");
  await una.page.click(".game-title .game-title-button");
  await una.page.setViewportSize(DESKTOP.viewport);
  await statusButton(una, "Back to the game").click();
  // A spectator's view of an earlier position remains as long as that position exists.
  await eve.page.click(".game-moves [data-ply='1']");
  await una.page.click(".game-actions >> text=Takeback");
  await waitForStatus(una, "Takeback requested");
  await waitForStatus(vic, "asks to take back a move");
  await screenshot(vic.page, "live-takeback-phone-light");
  await statusAfter(una, "declines the takeback", () => statusButton(vic, "No").click());
  await statusAfter(una, "once a move", () => una.page.click(".game-actions >> text=Takeback"));
  await vic.play(id, "b4-c4");
  await una.waitForPly(4);
  await una.move(["f5", "e5"], 5, [una, vic]);
  await una.page.click(".game-actions >> text=Takeback");
  await waitForStatus(vic, "asks to take back a move");
  await vic.page.emulateMedia({ colorScheme: "dark" });
  await screenshot(vic.page, "live-takeback-phone-dark");
  await vic.page.setViewportSize(DESKTOP.viewport);
  await screenshot(vic.page, "live-takeback-desktop-dark");
  await vic.page.setViewportSize(PHONE.viewport);
  await statusButton(vic, "Yes").click();
  for (const user of [una, vic]) {
    await user.waitForPly(4);
    await user.page.waitForFunction(
      () => document.querySelectorAll(".game-moves button").length === 4,
    );
  }
  await waitForStatus(eve, "Move 1 of 4");
  await waitForStatus(una, "Your move");
  await una.page.waitForFunction(() =>
    document.querySelector("[data-cell=f5]").getAttribute("aria-label").includes("white"),
  );
  const before = (await una.request(`/api/game/${id}`)).body.clocks.second;
  for (const cell of ["c4", "d4"]) {
    await vic.clickCell(cell);
    await vic.page.waitForSelector(".game-status .btn:has-text('Cancel')");
  }
  await waitForStatus(vic, "Premove: c4-d4");
  // The notice appears next to the premove, which can still be canceled.
  const text = await statusAfter(vic, "gives you 15\u00a0s", () =>
    una.page.click(".game-player-more-time"),
  );
  assert.match(text, /Premove: c4-d4.*Cancel/);
  await vic.page.keyboard.press("Escape");
  assert.equal((await una.request(`/api/game/${id}`)).body.clocks.second, before + 15000);
  assert.match(
    await una.page.locator(".game-clock[title]").getAttribute("title"),
    /Lag compensation: up to \d\.\d\ss.*You get that time back/,
  );
  assert.doesNotMatch(await una.page.textContent(".game-info"), /Lag/);
  await una.move(["f5", "f6"], 5, [una, vic]);
  assertNoPageErrors([una, vic, eve]);
});

test("a rematch can keep the sides and the board", async () => {
  const [fay, gil, id] = await startGame({ variant: "knightFight" }, [PHONE, {}]);
  for (const [ply, user] of [fay, gil].entries()) {
    await user.play(id);
    await Promise.all([fay.waitForPly(ply + 1), gil.waitForPly(ply + 1)]);
  }
  await fay.page.click(".game-actions >> text=Resign");
  await statusButton(fay, "Resign").click();
  const [eve, ivo] = await Promise.all(
    [{}, PHONE].map((option) => User.open(browser, server, option, `/${id}`)),
  );
  for (const { page } of [eve, ivo]) await page.waitForSelector(".game-result >> text=resigned");
  await ivo.page.click(".game-result-close");
  await fay.page.click(".game-result >> text=Options");
  await fay.page.click("dialog[open] .switch >> text=Same sides");
  await fay.page.click("dialog[open] .switch >> text=Same board");
  await fay.page.keyboard.press("Escape");
  await screenshot(fay.page, "live-rematch-phone-light");
  await screenshot(gil.page, "live-rematch-desktop-light");
  await fay.page.click(".game-result .btn.btn-primary:has-text('Rematch')");
  await gil.page.waitForSelector(".game-result >> text=With the same sides. On the same board.");
  await screenshot(gil.page, "live-offered-desktop-light");
  await gil.page.click(".game-result .btn.btn-primary:has-text('Accept')");
  await gil.page.waitForURL((url) => url.pathname !== `/${id}`);
  await fay.page.waitForURL(gil.page.url());
  const [before, now] = (
    await Promise.all(
      [id, new URL(gil.page.url()).pathname.slice(1)].map((gameId) =>
        fay.request(`/api/game/${gameId}`),
      ),
    )
  ).map(({ body }) => body);
  assert.deepEqual([now.you, now.initialFen], [before.you, before.initialFen]);
  // Spectators are notified of the rematch and may follow it.
  await eve.page.waitForSelector(".game-result .game-next a >> text=The rematch has begun: watch");
  await screenshot(eve.page, "live-next-game-desktop-light");
  await waitForStatus(ivo, "The rematch has begun.");
  await screenshot(ivo.page, "live-next-game-phone-light");
  await Promise.all([
    eve.page.click(".game-next a:not(.is-held)"),
    statusButton(ivo, "Watch").and(ivo.page.locator(":not(.is-held)")).click(),
  ]);
  for (const { page } of [eve, ivo]) await page.waitForURL(gil.page.url());
  assertNoPageErrors([eve, ivo]);
  assertNoPageErrors([fay, gil]);
});
