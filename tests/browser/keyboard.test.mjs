// Keyboard operation: a complete game from the lobby to the rematch, entered by arrow keys and by
// notation, the keys of the board, and the switch for letter keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { KeyboardUser } from "./support/keyboard.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { screenshot } from "./support/viewports.mjs";
import { statusAfter, twoCellMoves } from "./support/game.mjs";
import { legalMoves } from "./support/analysis.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...options) =>
  Promise.all(options.map((option) => User.open(browser, server, option)));

const waitOnPages = (users, wait) => Promise.all(users.map(({ page }) => wait(page)));
const waitForBoard = (page) =>
  page.waitForSelector(".board-svg.is-interactive rect.board-cell", { state: "attached" });

test("a game from lobby to rematch needs only the keyboard", async () => {
  const users = await openUsers({ name: "Ivo" }, { name: "Jet", colorScheme: "dark" });
  const [ivo, jet] = users.map((user) => new KeyboardUser(user));
  const waitForPlyEverywhere = (ply) => Promise.all(users.map((user) => user.waitForPly(ply)));

  // Skip link, then the challenge form.
  await ivo.press("Tab", "Enter");
  await ivo.selectRadio("form.challenge-form .game-choice", "caterpillarWar");
  await ivo.selectRadio("form.challenge-form .segmented.is-three-column", "none");
  await ivo.tabTo("form.challenge-form summary");
  await ivo.press("Enter");
  await ivo.selectOption("form.challenge-form select[name=step]", "don't", "none");
  await ivo.selectRadio("form.challenge-form fieldset [aria-label='Your side']", "first");
  await ivo.tabTo("form.challenge-form [type=submit]");
  await ivo.press("Enter");
  await jet.tabTo(".challenge-card .challenge-card-actions .btn");
  await jet.pressAndNavigate("Enter");
  const gameUrl = jet.page.url();
  await ivo.page.waitForURL(gameUrl);
  await waitOnPages(users, waitForBoard);

  // Moves by arrow keys; each cell describes itself.
  await ivo.moveCursorTo("h2");
  assert.equal(await ivo.cellLabel(), "h2: white; can move");
  await ivo.press("Enter");
  assert.equal(await ivo.cellLabel(), "h2: white; chosen");
  await ivo.press("n");
  assert.match(await ivo.cellLabel(), /can be chosen$/);
  await ivo.press("Escape", "Enter", "Escape");
  await ivo.enterMove("h2", "h5", "e8");
  await waitForPlyEverywhere(1);
  await jet.waitForAnnouncement("Ivo: ");
  assert.match(
    await jet.page.textContent("[aria-live=assertive]"),
    /h2 to e8\. White captured e8\.$/,
  );
  assert.match(await ivo.cellLabel(), /^e8: .*last move$/);

  // Moves by notation in either case; the first attempt is invalid.
  await jet.press("m");
  await jet.type("A7(");
  await jet.page.waitForSelector(".keyboard-move >> text=/moves? begins? like this/");
  await jet.type("zz");
  await jet.press("Enter");
  await jet.page.waitForSelector(".keyboard-move [aria-invalid=true]");
  assert.match(
    await jet.page.textContent(".keyboard-move p"),
    /None of your moves begins with “A7\(zz”/,
  );
  await jet.press("Escape");
  await jet.type("A7(A4)D7");
  await jet.page.waitForSelector(".keyboard-move >> text=Enter plays a7(a4)d7");
  await jet.press("Enter");
  await waitForPlyEverywhere(2);
  await ivo.waitForAnnouncement("Jet: ");

  // A draw offer is declined; the o and c keys repeat the last move and the clocks.
  await ivo.press("o");
  await ivo.waitForAnnouncement("Jet: ");
  await ivo.press("c");
  await ivo.waitForAnnouncement("No clock");
  await ivo.tabTo(".game-actions button:not([aria-disabled=true])");
  while ((await ivo.page.evaluate(() => document.activeElement.textContent)) !== "Draw")
    await ivo.press("Tab");
  await ivo.press("Enter", "Tab", "Enter");
  await jet.waitForAnnouncement("Ivo offers a draw");
  await jet.page.waitForSelector(".game-status .btn:not(.is-held)");
  await jet.tabTo(".game-status .btn:not(.btn-primary)");
  await statusAfter(ivo, "Jet would rather play on", () => jet.press("Enter"));

  // The help lists all keys; closing it restores the focus.
  await ivo.press("?");
  await ivo.page.waitForSelector("dialog[open] >> text=type a move");
  await ivo.press("Escape");
  await ivo.page.waitForSelector("dialog", { state: "detached" });

  await ivo.press("/");
  await ivo.type("h5e8b8");
  await ivo.press("Enter");
  await waitForPlyEverywhere(3);
  await jet.enterMove("b7", "b5", "d7");
  await waitForPlyEverywhere(4);
  await ivo.press("Escape");
  await ivo.enterMove("b8", "e8", "b5");

  // The end is announced, and the focus is not lost.
  await waitOnPages(users, (page) => page.waitForSelector(".game-result"));
  await ivo.waitForAnnouncement("You won");
  await jet.waitForAnnouncement("You lost");
  for (const keyboard of [ivo, jet]) await keyboard.assertFocusVisible("the end");
  await screenshot(jet.page, "keyboard-end");
  await ivo.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
  await ivo.tabTo(".game-result .game-rematch button");
  await ivo.press("Enter");
  await jet.page.waitForSelector(".game-result >> text=offers a rematch");
  await jet.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
  await jet.tabTo(".game-result .game-rematch .btn.btn-primary");
  await jet.pressAndNavigate("Enter");
  await ivo.page.waitForURL(jet.page.url());
  assert.notEqual(jet.page.url(), gameUrl);
  assertNoErrors(server, users);
});

test("board keys jump to edges and movable pieces", async () => {
  const [kees] = await openUsers({});
  const keyboard = new KeyboardUser(kees);
  await kees.page.goto(`${server.url}/analysis/caterpillarWar`);
  await kees.page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  const activeCell = () =>
    kees.page.getAttribute("svg.board-svg.is-interactive", "aria-activedescendant");
  await keyboard.moveCursorTo("c3");
  const steps = [
    ["Home", "cell-a3"],
    ["End", "cell-h3"],
    ["PageUp", "cell-h8"],
    ["PageDown", "cell-h1"],
    ["Control+Home", "cell-a8"],
    ["Control+End", "cell-h1"],
    ["ArrowRight", "cell-h1"],
  ];
  for (const [key, cell] of steps) {
    await keyboard.press(key);
    assert.equal(await activeCell(), cell, key);
  }
  const selectable = new Set(await kees.selectableCells());
  await keyboard.press("n");
  const first = (await activeCell()).slice(5);
  assert.ok(selectable.has(first), `${first} can be chosen`);
  await keyboard.press("n", "Shift+N");
  assert.equal((await activeCell()).slice(5), first);
  // Every cell is a grid cell, and the board is a single tab stop.
  assert.equal(
    await kees.page.locator("svg.board-svg.is-interactive [role=gridcell][tabindex]").count(),
    0,
  );
  assert.equal(
    await kees.page.locator("svg.board-svg.is-interactive [role=row] > [role=gridcell]").count(),
    64,
  );
  await kees.page.locator(`#cell-${first}`).dispatchEvent("click");
  await kees.page.waitForSelector(`#cell-${first}[aria-selected=true]`, { state: "attached" });
  // With the focus on the board, Escape undoes a click, arrows move between cells and not between
  // moves, and Delete removes a move.
  await keyboard.press("Escape");
  assert.equal(await kees.page.locator("rect[aria-selected=true]").count(), 0);
  const [u] = twoCellMoves(await legalMoves(kees, { variant: "caterpillarWar" }));
  await keyboard.enterMove(...cellsOf(u));
  await kees.page.waitForSelector(".move-tree [aria-current]");
  await keyboard.press("Home", "ArrowLeft");
  assert.equal(await kees.page.locator(".move-tree [aria-current]").count(), 1);
  await keyboard.press("Delete");
  assert.equal(await kees.page.locator(".move-tree button").count(), 0);
  assertNoErrors(server, [kees]);
});

test("letter keys can be switched off and on again", async () => {
  const [lot] = await openUsers({});
  const { page } = lot;
  // A double click opens a single dialog.
  const pressTwice = (selector) =>
    page.$eval(selector, (button) => [button, button].forEach((each) => each.click()));
  await pressTwice(".lobby-create");
  await page.waitForSelector("dialog.form-dialog form.challenge-form");
  assert.equal(await page.locator("dialog").count(), 1);
  await page.goto(`${server.url}/analysis/hogga`);
  await page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  await page.keyboard.press("?");
  await page.click("dialog [role=switch]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  assert.equal(await page.locator(".keyboard-move input:focus").count(), 0);
  // The help button works while letter keys are off.
  await pressTwice(".step-buttons [aria-label='Keyboard shortcuts']");
  assert.equal(await page.locator("dialog").count(), 1);
  await page.click("dialog [role=switch]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("m");
  await page.waitForSelector(".keyboard-move input:focus");
  assertNoErrors(server, [lot]);
});
