// Games of two people on one device: recorded games played to their end by clicks, takebacks,
// refusals, reload, the turn of the board, keyboard only, offline, and the layout on small screens.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { languages } from "../client/support/languages.mjs";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { gamesToPlay, pairs } from "./support/all-cases.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { assertNoErrors, assertNoPageErrors } from "./support/no-errors.mjs";
import { OFFLINE_ERRORS, goOffline, openWithServiceWorker } from "./support/service-worker.mjs";
import {
  PHONE,
  SMALL_PHONE,
  horizontalOverflow,
  screenshot,
  screenshotAll,
} from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const { more } = languages.en;
const FOLDER = join(import.meta.dirname, "../games");
const BOARD = ".pass-game .board-svg rect.board-cell";
const SELECTABLE = `${BOARD}.is-selectable`;

/** Number of moves that the tests play by clicks at the end of a recorded game. */
const LAST_MOVES = 3;

/** Reads a recorded game: variant, options, seed, moves, and its result. */
const readGame = (file) => {
  const [head, moves, result] = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
  const fields = Object.fromEntries(head.split(" ").map((field) => field.split(/=(.*)/)));
  const options = Object.fromEntries(
    (fields.options ?? "")
      .split(",")
      .filter(Boolean)
      .map((option) => option.split("=")),
  );
  return {
    variant: fields.variant,
    options,
    seed: Number(fields.seed),
    moves: moves.split(" "),
    outcome: result.split(" ")[0],
  };
};

const games = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [file.replace(".txt", ""), readGame(file)]),
);

/** Returns a recorded game as the browser keeps it, without its last moves. */
const savedGame = async (
  user,
  { variant, options, seed, moves },
  names = {},
  left = LAST_MOVES,
) => {
  const { body: catalog } = await user.request("/api/variants");
  const { options: known, chance } = catalog.find(({ key }) => key === variant);
  const typed = Object.fromEntries(
    known.map(({ key, values, default: fallback }) => [
      key,
      values.find((value) => String(value) === options[key]) ?? fallback,
    ]),
  );
  const { position } = await user.post("/api/position", {
    variant,
    options: typed,
    ...(chance && { seed }),
  });
  return {
    options: typed,
    start: position,
    seed: chance ? seed : null,
    moves: moves.slice(0, moves.length - left).join(" "),
    first: "",
    second: "",
    ...names,
  };
};

/** Opens a page with games that the browser keeps, by variant. */
const openSaved = async (saved, variant, options = {}) => {
  const user = await User.open(browser, server, options, "/icon.svg");
  await user.page.evaluate(
    (all) => localStorage.setItem("passAndPlay", JSON.stringify(all)),
    saved instanceof Function ? await saved(user) : saved,
  );
  await user.visit(`/pass-and-play/${variant}`, BOARD);
  return user;
};

const openGame = (name, names, options, left) => {
  const game = games[name];
  return openSaved(
    async (user) => ({ [game.variant]: await savedGame(user, game, names, left) }),
    game.variant,
    options,
  );
};

/** Plays a move by clicks, and waits until it is in the move list. */
const playMove = async (user, u, ply) => {
  const { page } = user;
  const status = page.locator(".game-status");
  const [origin] = cellsOf(u);
  // Clicks are ignored until the page knows the moves of the position.
  if (origin)
    await page.waitForSelector(`[data-cell="${origin}"].is-selectable`, { state: "attached" });
  for (const cell of cellsOf(u)) await user.clickCell(cell);
  // Not the button of a shorter move, which is there until the last click is shown.
  const finish = status.locator(".btn-primary").filter({ hasText: origin ? u : "" });
  const made = page.locator(`.game-moves button[data-ply="${ply}"]`);
  await waitUntil(`${u} is in the list`, async () => {
    if (await made.count()) return true;
    // The button is gone if the last click has made the move.
    if (await finish.count()) await finish.click({ timeout: 1000 }).catch(() => {});
    return (await made.count()) > 0;
  });
};

const stored = ({ page }, variant) =>
  page.evaluate((key) => JSON.parse(localStorage.getItem("passAndPlay"))[key], variant);

const turnOf = ({ page }) => page.locator(".game-player.is-turn .game-player-name").textContent();

for (const { name } of gamesToPlay)
  test(`a game on one device reaches its end: ${name}`, async () => {
    const game = games[name];
    const user = await openGame(name, { first: "Anke", second: "Mats" });
    const { page } = user;
    await page.waitForSelector(SELECTABLE);
    const from = game.moves.length - LAST_MOVES;
    for (let ply = from; ply < game.moves.length; ply += 1) {
      await playMove(user, game.moves[ply], ply + 1);
      assert.equal(
        await page.locator(".game-result").count(),
        Number(ply + 1 === game.moves.length),
      );
    }
    const winner = { first: "Anke", second: "Mats" }[game.outcome];
    const title = winner ? more["end.side"].replace("{side}", winner) : more["end.draw"];
    assert.equal(await page.textContent(".game-result h2"), title);
    const reason = await page.textContent(".game-result-reason");
    assert.ok(reason && !reason.includes("{") && !reason.startsWith("end."), reason);
    assert.equal((await stored(user, game.variant)).moves, game.moves.join(" "));
    // The result survives a reload.
    await page.reload();
    await page.waitForSelector(".game-result");
    assert.equal(await page.textContent(".game-result-reason"), reason);
    await page.click(`.game-result >> text=${more["end.review"]}`);
    await page.waitForURL(/\/analysis\//);
    await page.waitForSelector(".move-tree button");
    assert.equal(await page.locator(".move-tree button").count(), game.moves.length);
    assertNoErrors(server, [user]);
  });

test("a new game has the chosen options and a seed to verify", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  await user.visit("/pass-and-play/knightFight", ".pass-form");
  await page.selectOption(".pass-form select", "must");
  await page.fill("[name=first]", "Anke");
  await screenshotAll(page, "pass-and-play-form");
  await page.click(`text=${more["pass.start"]}`);
  await page.waitForSelector(SELECTABLE);
  assert.equal(await turnOf(user), "Anke");
  assert.match(await page.textContent(".game-status p"), /^Anke to move/);
  const { options, seed } = await stored(user, "knightFight");
  assert.deepEqual(Object.values(options), ["must"]);
  assert.ok(Number.isInteger(seed));
  await page.click(".fair-start summary");
  await page.click(`.fair-start >> text=${more["shuffle.check"]}`);
  await page.waitForSelector(`.fair-start >> text=${more["shuffle.same"]}`);
  assertNoErrors(server, [user]);
});

test("turns, hints, refusals and takebacks are shown", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  await user.visit("/pass-and-play", ".pass-form");
  await page.locator(".pass-form [data-value=caterpillarWar]").click();
  await page.click(`text=${more["pass.start"]}`);
  await page.waitForSelector(SELECTABLE);
  assert.equal(new URL(page.url()).pathname, "/pass-and-play/caterpillarWar");
  assert.equal(await turnOf(user), "White");
  const [first] = await user.selectableCells();
  await user.clickCell(first);
  await page.waitForSelector(`.game-status >> text=${first}`);
  await page.click(`.game-status >> text=${more["hint.clear"]}`);
  // The middle of the board has no piece that moves.
  await user.clickCell("e5");
  await page.waitForFunction(
    (prompt) => !document.querySelector(".game-status p").textContent.startsWith(prompt),
    "White to move",
  );
  const { legal } = await user.post("/api/position", { variant: "caterpillarWar" });
  const u = legal.find((move) => cellsOf(move).length === 2);
  await playMove(user, u, 1);
  assert.equal(await turnOf(user), "Black");
  assert.match(await page.title(), /^Black to move/);
  await page.click(`.game-actions >> text=${more["game.takeback"]}`);
  await page.waitForFunction(() => !document.querySelector(".game-moves button"));
  assert.equal(await turnOf(user), "White");
  assert.equal((await stored(user, "caterpillarWar")).moves, "");
  await playMove(user, u, 1);
  // A past position is shown, and a click on the board returns to the game.
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(`.game-status >> text=${more["hint.tonow"]}`);
  await user.clickCell("e5");
  await page.waitForSelector(".game-status >> text=Black to move");
  await screenshotAll(page, "pass-and-play-game");
  await page.setViewportSize({ width: 1440, height: 900 });
  await screenshot(page, "pass-and-play-game-1440");
  await page.setViewportSize(SMALL_PHONE.viewport);
  await screenshot(page, "pass-and-play-game-360");
  assertNoErrors(server, [user]);
});

test("each variant keeps its own game", async () => {
  const user = await openSaved(
    async (opened) => ({
      hogga: await savedGame(opened, games.hogga),
      wieNietWegIs: await savedGame(opened, games.wieNietWegIs, { first: "Joris" }),
    }),
    "hogga",
  );
  const { page } = user;
  const hogga = await page.locator(".game-moves button").count();
  assert.equal(hogga, games.hogga.moves.length - LAST_MOVES);
  // Without a variant in the address, the game that was played last continues.
  await page.goto(`${server.url}/pass-and-play`);
  await page.waitForSelector(SELECTABLE);
  assert.equal(await page.textContent(".game-info h2"), "Hogga");
  await page.goto(`${server.url}/pass-and-play/wieNietWegIs`);
  await page.waitForSelector(".pass-game >> text=Joris");
  // A new game asks first, and Escape keeps the one in progress.
  await page.click(`.game-actions >> text=${more["pass.new"]}`);
  await page.waitForSelector(`dialog >> text=${more["pass.ends"]}`);
  await page.keyboard.press("Escape");
  assert.notEqual((await stored(user, "wieNietWegIs")).moves, "");
  await page.click(`.game-actions >> text=${more["pass.new"]}`);
  await page.locator("dialog [data-value=hogga]").click();
  await page.click(`dialog >> text=${more["pass.start"]}`);
  await page.waitForFunction(() => location.pathname.endsWith("/hogga"));
  await page.waitForSelector(SELECTABLE);
  assert.equal((await stored(user, "hogga")).moves, "");
  assert.notEqual((await stored(user, "wieNietWegIs")).moves, "");
  assertNoErrors(server, [user]);
});

test("playing again swaps the sides", async () => {
  const { moves } = games.caterpillarWar;
  const user = await openGame("caterpillarWar", { first: "Anke", second: "Mats" }, {}, 1);
  const { page } = user;
  await playMove(user, moves.at(-1), moves.length);
  await page.locator(".game-result .btn-primary:not(.is-held)").click();
  await page.waitForSelector(".game-result", { state: "detached" });
  await page.waitForSelector(SELECTABLE);
  const { first, second, moves: none } = await stored(user, "caterpillarWar");
  assert.deepEqual([first, second, none], ["Mats", "Anke", ""]);
  assert.equal(await turnOf(user), "Mats");
  assertNoErrors(server, [user]);
});

test("the board turns to the player to move if it is set", async () => {
  const { moves } = games.caterpillarWar;
  const user = await openGame("caterpillarWar", {}, PHONE);
  const { page } = user;
  const bottom = () => page.locator(".game-player.is-bottom .game-player-name").textContent();
  const rowOf = async (cell) => (await user.cellCenter(cell))[1];
  const isUpright = async () => (await rowOf("a1")) > (await rowOf("a8"));
  const before = await isUpright();
  await page.click(`.game-actions >> text=${more["pass.flip"]}`);
  assert.equal(await isUpright(), !before, "a button turns it");
  await page.click(`.game-title [aria-label="${languages.en.scripts["setting.title"]}"]`);
  await page.click(`dialog >> text=${more["pass.turns"]}`);
  await page.keyboard.press("Escape");
  assert.equal(await bottom(), await turnOf(user));
  await playMove(user, moves.at(-LAST_MOVES), moves.length - LAST_MOVES + 1);
  await page.waitForSelector(".game-player.is-bottom.is-turn");
  // The setting is remembered.
  await page.reload();
  await page.waitForSelector(".game-player.is-bottom.is-turn");
  assertNoErrors(server, [user]);
});

/** Opens the same game in two pages of one browser; `script` runs first in the second one. */
const openTwice = async (script) => {
  const user = await openGame("caterpillarWar", { first: "Anke", second: "Mats" });
  const page = await user.page.context().newPage();
  page.on("pageerror", (error) => user.errors.push(error.message));
  if (script) await page.addInitScript(script);
  const other = Object.assign(new User(), { server, errors: user.errors, page });
  await other.visit("/pass-and-play/caterpillarWar", SELECTABLE);
  return [user, other];
};

const countMoves = ({ page }) => page.locator(".game-moves button").count();

test("a move in one tab is shown in the other", async () => {
  const [user, other] = await openTwice();
  const { moves } = games.caterpillarWar;
  const begun = moves.length - LAST_MOVES;
  await user.page.click(`.game-actions >> text=${more["pass.flip"]}`);
  const bottom = ".game-player.is-bottom .game-player-name";
  assert.equal(await user.page.textContent(bottom), "Mats");
  await playMove(other, moves[begun], begun + 1);
  await user.page.waitForSelector(`.game-moves button[data-ply="${begun + 1}"]`);
  assert.equal(await turnOf(user), await turnOf(other));
  assert.equal(await user.page.textContent(bottom), "Mats");
  await playMove(user, moves[begun + 1], begun + 2);
  await other.page.waitForSelector(`.game-moves button[data-ply="${begun + 2}"]`);
  // A takeback has fewer moves, and is the later state.
  await user.page.click(`.game-actions >> text=${more["game.takeback"]}`);
  await other.page.waitForFunction(
    (count) => document.querySelectorAll(".game-moves button").length === count,
    begun + 1,
  );
  assert.equal((await stored(user, "caterpillarWar")).moves, moves.slice(0, begun + 1).join(" "));
  // The end, and a new game.
  for (let ply = begun + 1; ply < moves.length; ply += 1) await playMove(user, moves[ply], ply + 1);
  await other.page.waitForSelector(".game-result");
  await other.page.locator(".game-result .btn-primary:not(.is-held)").click();
  await user.page.waitForSelector(".game-result", { state: "detached" });
  await user.page.waitForFunction(() => !document.querySelector(".game-moves button"));
  assert.equal(await turnOf(user), "Mats");
  assertNoErrors(server, [user]);
});

test("a tab does not overwrite what it has not seen", async () => {
  // The second page hears of no change, as if its events were late.
  const [user, other] = await openTwice(() =>
    addEventListener("storage", (event) => event.stopImmediatePropagation(), true),
  );
  const { moves } = games.caterpillarWar;
  const begun = moves.length - LAST_MOVES;
  await playMove(user, moves[begun], begun + 1);
  await playMove(user, moves[begun + 1], begun + 2);
  const kept = await stored(user, "caterpillarWar");
  assert.equal(await countMoves(other), begun, "an event arrived");
  await other.page.click(`.game-actions >> text=${more["game.takeback"]}`);
  await other.page.waitForSelector(`.game-moves button[data-ply="${begun + 2}"]`);
  assert.deepEqual(await stored(user, "caterpillarWar"), kept);
  assert.equal(await countMoves(user), begun + 2);
  assertNoErrors(server, [user]);
});

test("damaged or illegal stored games lead to the form", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  await user.visit("/pass-and-play/hogga", ".pass-form");
  const legal = await savedGame(user, games.hogga);
  for (const value of [
    "{",
    "[]",
    JSON.stringify({ hogga: { ...legal, moves: 7 } }),
    JSON.stringify({ hogga: { ...legal, start: undefined } }),
    JSON.stringify({ hogga: { ...legal, moves: "a1-a1" } }),
    JSON.stringify({ hogga: { ...legal, start: "nonsense" } }),
  ]) {
    await page.evaluate((text) => localStorage.setItem("passAndPlay", text), value);
    await page.reload();
    await page.waitForSelector(".pass-form");
  }
  // The server refuses the illegal ones, which the browser logs.
  assertNoErrors(server, [user], /status of 4\d\d/);
});

test("a game on one device works by keyboard only", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  await user.visit("/pass-and-play/hogga", ".pass-form");
  await page.locator(".pass-form [type=submit]").press("Enter");
  await page.waitForSelector(SELECTABLE);
  await page.waitForFunction(() => document.activeElement?.matches(".board-svg, .board-svg *"));
  const { legal } = await user.post("/api/position", { variant: "hogga" });
  const mover = await turnOf(user);
  await page.keyboard.press("m");
  await page.keyboard.type(legal[0]);
  await page.keyboard.press("Enter");
  await page.waitForSelector('.game-moves button[data-ply="1"]', { state: "attached" });
  assert.notEqual(await turnOf(user), mover);
  assertNoErrors(server, [user]);
});

test("a game on one device is played without a network", async () => {
  const user = await openWithServiceWorker(browser, server, {}, "/rules");
  const { page } = user;
  await goOffline(user);
  await page.goto(`${server.url}/pass-and-play/wieNietWegIs`);
  await page.waitForSelector(".pass-form");
  await page.click(`text=${more["pass.start"]}`);
  await page.waitForSelector(SELECTABLE);
  for (let ply = 1; ply <= 3; ply += 1) {
    const [cell] = await user.selectableCells();
    await user.clickCell(cell);
    await page.waitForSelector(`.game-moves button[data-ply="${ply}"]`, { state: "attached" });
    await page.waitForSelector(SELECTABLE);
  }
  await page.click(`.game-actions >> text=${more["game.takeback"]}`);
  await page.waitForSelector('.game-moves button[data-ply="3"]', { state: "detached" });
  await page.reload();
  await page.waitForSelector('.game-moves button[data-ply="2"]', { state: "attached" });
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("nothing moves and everything fits on small screens", async () => {
  const variants = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];
  for (const [name, locale] of pairs(variants, ["nl-NL", "sv-SE", "en-GB"])) {
    const names = { first: "Anne-Wil van der Berg", second: "Mats" };
    const user = await openGame(name, names, { ...SMALL_PHONE, locale });
    const { page } = user;
    await page.waitForSelector(SELECTABLE);
    assert.equal(await horizontalOverflow(page), 0, `${name} ${locale}`);
    const { width, height } = SMALL_PHONE.viewport;
    for (const selector of [
      ".game-board",
      ".game-status",
      ".game-actions",
      ".game-player.is-top",
      ".game-player.is-bottom",
    ]) {
      const box = await page.locator(selector).boundingBox();
      assert.ok(
        box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height,
        `${name} ${locale} ${selector}: ${JSON.stringify(box)}`,
      );
    }
    await page.evaluate(recordLayoutShifts);
    // Drops the shifts of the loading page.
    await takeLayoutShifts(page);
    const { moves } = games[name];
    for (let at = LAST_MOVES; at > 0; at -= 1)
      await playMove(user, moves.at(-at), moves.length - at + 1);
    await page.waitForSelector(".game-result");
    const shifts = await takeLayoutShifts(page);
    assert.equal(totalShift(shifts), 0, `${name} ${locale}: ${JSON.stringify(shifts)}`);
    const cut = await page.$$eval(".game-result, .game-result .btn", (parts) =>
      parts
        .filter((part) => part.scrollHeight > part.clientHeight + 1)
        .map((part) => part.textContent),
    );
    assert.deepEqual(cut, [], `${name} ${locale}`);
    await screenshot(page, `pass-and-play-result-${name}-${locale}`);
    await user.page.context().close();
  }
});

test("rules, lessons and the dialogs of Home lead to it", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  const link = (within) => page.locator(`${within} a[href="/pass-and-play/hogga"]`);
  await user.visit("/rules/hogga", ".rules-actions");
  await link(".rules-actions").waitFor();
  await user.visit("/", ".variant-list");
  await page.locator(".variant-list [data-key=hogga] button").first().click();
  await link("dialog").click();
  await page.waitForSelector(".pass-form");
  await user.visit("/", ".variant-list");
  await page.locator(".quick-play .btn.btn-large:not(.btn-primary)").click();
  await page.locator("dialog .game-choice [data-value=hogga]").click();
  await link("dialog").waitFor();
  assertNoErrors(server, [user]);
});
