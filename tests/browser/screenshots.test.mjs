// Layout at several window sizes: no page scrolls sideways and no part of a game is cut off. Takes
// a screenshot of each page and size.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_CASES } from "./support/all-cases.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { screenshot, horizontalOverflow } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (...options) =>
  Promise.all(options.map((option) => User.open(browser, server, option, null)));

/**
 * Visits each page (name, path, selector that shows it is ready) at each size. `check` makes
 * additional checks.
 */
const checkSizes = async (user, sizes, pages, options, check) => {
  const { page } = user;
  for (const [size, width, height, schemes] of sizes) {
    await page.setViewportSize({ width, height });
    for (const [name, path, ready] of pages) {
      await user.visit(path, ready);
      assert.equal(await horizontalOverflow(page), 0, `${name} scrolls sideways at ${width}`);
      await check?.(name, size, { width, height });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await screenshot(page, `${name}-${size}-${colorScheme}`, options);
      }
    }
  }
};

test("the lobby and games fit every window size", async () => {
  const sizes = [
    ["desktop", 1280, 800, ["light", "dark"]],
    ["phone", 390, 844, ["light", "dark"]],
    ["side", 667, 375, ["light", "dark"]],
    ...(ALL_CASES
      ? [
          ["tablet", 768, 1024, ["light"]],
          ["wide", 1600, 1000, ["light"]],
        ]
      : []),
  ];
  // No lobby is open: it would redirect to each new game.
  const [mia, nia] = await openUsers({}, {});
  const { page } = mia;
  for (const user of [mia, nia]) await user.post("/api/guest", {});
  const games = [];
  for (const { key } of await mia.get("/api/variants"))
    games.push([
      `game${games.length}`,
      `/${await mia.startGame(nia, key, CLOCK)}`,
      ".board-svg.is-interactive rect.board-cell",
    ]);
  await mia.post("/api/challenge", { variant: "knightFight" });
  await checkSizes(
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
      const overflow = await page.evaluate(
        () => document.documentElement.scrollHeight - innerHeight,
      );
      assert.ok(overflow <= 0, `${name} scrolls by ${overflow} at ${width}`);
      const box = await page.locator(".game-actions").boundingBox();
      assert.ok(box.y + box.height <= height + 1, `the actions are cut off at ${width}`);
      const cutOff = await page.$$eval(
        ".game-player-slots i:last-child",
        (last) =>
          last.filter(
            (dot) =>
              dot.getBoundingClientRect().right >
                dot.closest(".game-player-count").getBoundingClientRect().right + 0.5 ||
              dot.clientWidth < 5,
          ).length,
      );
      assert.equal(cutOff, 0, `a dot of ${name} is cut off or too small at ${width}`);
      const board = await page.locator(".game-board").boundingBox();
      if (size === "side")
        assert.ok(
          board.height > 0.9 * height,
          `the board of ${name} is ${board.height} px high of ${height}`,
        );
    },
  );
  assertNoErrors(server, [mia], /404/);
});

test("players and accounts do not scroll sideways at any size", async () => {
  const sizes = [
    ["desktop", 1280, 800, ["light"]],
    ["phone", 390, 844, ["dark"]],
    ["tablet", 768, 1024, ["light"]],
  ];
  const [moa, nils] = await openUsers({ name: "Moa-with-a-long-name" }, { name: "Nils" });
  await moa.beat(nils, "knightFight");
  const pages = [
    ["players", "/players", ".leaderboard-variants"],
    ["player", "/@/Nils", ".game-row"],
    ["own", "/@/Moa-with-a-long-name", ".game-row"],
    ["account", "/account", ".account-list li"],
  ];
  await checkSizes(moa, sizes, pages, { fullPage: true });
  assertNoErrors(server, [moa, nils]);
});
