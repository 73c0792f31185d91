// Layout at several window sizes: no page scrolls sideways and no part of a game is cut off. Takes
// a screenshot of each page and size.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { shot, sideways } from "./support/viewports.mjs";

const { server, browser } = await house();

const open = (...options) =>
  Promise.all(options.map((option) => Person.open(browser, server, option, null)));

/**
 * Visits each page (name, path, selector that shows it is ready) at each size. `look` makes
 * additional checks.
 */
const everySize = async (person, sizes, pages, options, look) => {
  const { page } = person;
  for (const [size, width, height, schemes] of sizes) {
    await page.setViewportSize({ width, height });
    for (const [name, path, ready] of pages) {
      await person.visit(path, ready);
      assert.equal(await sideways(page), 0, `${name} scrolls sideways at ${width}`);
      await look?.(name, size, { width, height });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await shot(page, `${name}-${size}-${colorScheme}`, options);
      }
    }
  }
};

test("the lobby and games fit every window size", async () => {
  const sizes = [
    ["desk", 1280, 800, ["light", "dark"]],
    ["phone", 390, 844, ["light", "dark"]],
    ["side", 667, 375, ["light", "dark"]],
    ["tablet", 768, 1024, ["light"]],
    ["wide", 1600, 1000, ["light"]],
  ];
  // No lobby is open: it would redirect to each new game.
  const [mia, nia] = await open({}, {});
  const { page } = mia;
  for (const person of [mia, nia]) await person.told("/api/guest", {});
  const games = [];
  for (const { key } of await mia.told("/api/variants"))
    games.push([
      `game${games.length}`,
      `/${await mia.begin(nia, key, CLOCK)}`,
      ".board-svg.is-interactive rect.board-cell",
    ]);
  await mia.told("/api/challenge", { variant: "knightFight" });
  await everySize(
    mia,
    sizes,
    [
      ["home", "/", ".challenge-card"],
      ["login", "/login", "form"],
      ["missing", "/nowhere", ".page-message"],
      ...games,
    ],
    {},
    async (name, size, { width, height }) => {
      if (!name.startsWith("game")) return;
      const high = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
      assert.ok(high <= 0, `${name} scrolls by ${high} at ${width}`);
      const box = await page.locator(".game-actions").boundingBox();
      assert.ok(box.y + box.height <= height + 1, `the actions are cut off at ${width}`);
      const cut = await page.$$eval(
        ".game-player-slots i:last-child",
        (last) =>
          last.filter(
            (dot) =>
              dot.getBoundingClientRect().right >
                dot.closest(".game-player-count").getBoundingClientRect().right + 0.5 ||
              dot.clientWidth < 5,
          ).length,
      );
      assert.equal(cut, 0, `a dot of ${name} is cut off or too small at ${width}`);
      const board = await page.locator(".game-board").boundingBox();
      if (size === "side")
        assert.ok(
          board.height > 0.9 * height,
          `the board of ${name} is ${board.height} px high of ${height}`,
        );
    },
  );
  wasQuiet(server, [mia], /404/);
});

test("players and accounts do not scroll sideways at any size", async () => {
  const sizes = [
    ["desk", 1280, 800, ["light"]],
    ["phone", 390, 844, ["dark"]],
    ["tablet", 768, 1024, ["light"]],
  ];
  const [moa, nils] = await open({ name: "Moa-with-a-long-name" }, { name: "Nils" });
  await moa.beat(nils, "knightFight");
  const pages = [
    ["players", "/players", ".leaderboard-variants"],
    ["player", "/@/Nils", ".game-row"],
    ["own", "/@/Moa-with-a-long-name", ".game-row"],
    ["account", "/account", ".account-list li"],
  ];
  await everySize(moa, sizes, pages, { fullPage: true });
  wasQuiet(server, [moa, nils]);
});
