// Keyboard operation: a complete game from the lobby to the rematch, entered by arrow keys and by
// notation, the keys of the board, and the switch for letter keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { Person, house } from "./support/server.mjs";
import { Hands } from "./support/keyboard.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { shot } from "./support/viewports.mjs";
import { hintAfter, plain } from "./support/game.mjs";
import { legal } from "./support/analysis.mjs";

const { server, browser } = await house();

const people = (...options) =>
  Promise.all(options.map((option) => Person.open(browser, server, option)));

const both = (persons, wait) => Promise.all(persons.map(({ page }) => wait(page)));
const board = (page) =>
  page.waitForSelector(".board-svg.is-interactive rect.board-cell", { state: "attached" });

test("a game is played from the lobby to the rematch by keyboard alone", async () => {
  const players = await people({ name: "Ivo" }, { name: "Jet", colorScheme: "dark" });
  const [ivo, jet] = players.map((person) => new Hands(person));
  const seen = (ply) => Promise.all(players.map((person) => person.sees(ply)));

  // Skip link, then the challenge form.
  await ivo.press("Tab", "Enter");
  await ivo.choose("form.challenge-form .game-choice", "caterpillarWar");
  await ivo.choose("form.challenge-form .segmented.is-three-column", "none");
  await ivo.select("form.challenge-form select[name=step]", "don't", "none");
  await ivo.choose("form.challenge-form fieldset [aria-label='Your side']", "first");
  await ivo.to("form.challenge-form [type=submit]");
  await ivo.press("Enter");
  await jet.to(".challenge-card .challenge-card-actions .btn");
  await jet.leave("Enter");
  const game = jet.page.url();
  await ivo.page.waitForURL(game);
  await both(players, board);

  // Moves by arrow keys; each cell describes itself.
  await ivo.cell("h2");
  assert.equal(await ivo.hears(), "h2: white; can move");
  await ivo.press("Enter");
  assert.equal(await ivo.hears(), "h2: white; chosen");
  await ivo.press("n");
  assert.match(await ivo.hears(), /can be chosen$/);
  await ivo.press("Escape", "Enter", "Escape");
  await ivo.move("h2", "h5", "e8");
  await seen(1);
  await jet.told("Ivo: ");
  assert.match(await jet.page.textContent("[aria-live=assertive]"), /h2 to e8, removes 1: e8$/);
  assert.match(await ivo.hears(), /^e8: .*last move$/);

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
  await seen(2);
  await ivo.told("Jet: ");

  // A draw offer is declined; the o and c keys repeat the last move and the clocks.
  await ivo.press("o");
  await ivo.told("Jet: ");
  await ivo.press("c");
  await ivo.told("No clock");
  await ivo.to(".game-actions button:not([aria-disabled=true])");
  while ((await ivo.page.evaluate(() => document.activeElement.textContent)) !== "Draw")
    await ivo.press("Tab");
  await ivo.press("Enter", "Tab", "Enter");
  await jet.told("Ivo offers a draw");
  await jet.page.waitForSelector(".game-status .btn:not(.is-held)");
  await jet.to(".game-status .btn:not(.btn-primary)");
  await hintAfter(ivo, "Jet would rather play on", () => jet.press("Enter"));

  // The help lists all keys; closing it restores the focus.
  await ivo.press("?");
  await ivo.page.waitForSelector("dialog[open] >> text=type a move");
  await ivo.press("Escape");
  await ivo.page.waitForSelector("dialog", { state: "detached" });

  await ivo.press("/");
  await ivo.type("h5e8b8");
  await ivo.press("Enter");
  await seen(3);
  await jet.move("b7", "b5", "d7");
  await seen(4);
  await ivo.press("Escape");
  await ivo.move("b8", "e8", "b5");

  // The end is announced, and the focus is not lost.
  await both(players, (page) => page.waitForSelector(".game-result"));
  await ivo.told("You won");
  await jet.told("You lost");
  for (const hands of [ivo, jet]) await hands.stands("the end");
  await shot(jet.page, "keyboard-end");
  await ivo.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
  await ivo.to(".game-result .game-rematch button");
  await ivo.press("Enter");
  await jet.page.waitForSelector(".game-result >> text=offers a rematch");
  await jet.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
  await jet.to(".game-result .game-rematch .btn.btn-primary");
  await jet.leave("Enter");
  await ivo.page.waitForURL(jet.page.url());
  assert.notEqual(jet.page.url(), game);
  wasQuiet(server, players);
});

test("board keys jump to edges and movable pieces; a cell can be clicked", async () => {
  const [kees] = await people({});
  const hands = new Hands(kees);
  await kees.page.goto(`${server.url}/analysis/caterpillarWar`);
  await kees.page.waitForSelector("rect.board-cell.is-selectable", { state: "attached" });
  const where = () =>
    kees.page.getAttribute("svg.board-svg.is-interactive", "aria-activedescendant");
  await hands.cell("c3");
  const ways = [
    ["Home", "cell-a3"],
    ["End", "cell-h3"],
    ["PageUp", "cell-h8"],
    ["PageDown", "cell-h1"],
    ["Control+Home", "cell-a8"],
    ["Control+End", "cell-h1"],
    ["ArrowRight", "cell-h1"],
  ];
  for (const [key, cell] of ways) {
    await hands.press(key);
    assert.equal(await where(), cell, key);
  }
  const own = new Set(await kees.offered());
  await hands.press("n");
  const first = (await where()).slice(5);
  assert.ok(own.has(first), `${first} can be chosen`);
  await hands.press("n", "Shift+N");
  assert.equal((await where()).slice(5), first);
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
  await hands.press("Escape");
  assert.equal(await kees.page.locator("rect[aria-selected=true]").count(), 0);
  const [u] = plain(await legal(kees, { variant: "caterpillarWar" }));
  await hands.move(...cellsOf(u));
  await kees.page.waitForSelector(".move-tree [aria-current]");
  await hands.press("Home", "ArrowLeft");
  assert.equal(await kees.page.locator(".move-tree [aria-current]").count(), 1);
  await hands.press("Delete");
  assert.equal(await kees.page.locator(".move-tree button").count(), 0);
  wasQuiet(server, [kees]);
});

test("letter keys can be switched off and on again", async () => {
  const [lot] = await people({});
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
  wasQuiet(server, [lot]);
});
