// No news covers a running clock: each kind of news arrives on a phone during a game with a clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { CLOCK, Player } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const BOARD = ".board-svg.is-interactive rect.board-cell";
const SIZES = [
  [390, 844],
  [360, 640],
];
const LOCALES = ["en-GB", "nl-NL", "sv-SE"];

/** Parts of the page that a player needs while the clock runs. */
const NEEDED = [
  ".game-board",
  ".game-player.is-top",
  ".game-player.is-bottom",
  ".game-status",
  ".game-actions",
];

/** Asserts that no part of the page that a player needs is covered, in its corners and center. */
const assertUncovered = async ({ page }, name) => {
  const covered = await page.evaluate((selectors) => {
    const inset = 4;
    return selectors.flatMap((selector) => {
      const element = document.querySelector(selector);
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const points = [
        [left + inset, top + inset],
        [right - inset, top + inset],
        [(left + right) / 2, top + 1],
        [(left + right) / 2, (top + bottom) / 2],
        [left + inset, bottom - inset],
        [right - inset, bottom - inset],
      ];
      return points
        .map(([x, y]) => document.elementFromPoint(x, y))
        .filter((found) => found && !element.contains(found) && !found.contains(element))
        .map((found) => `${selector} by ${found.className || found.nodeName}`);
    });
  }, NEEDED);
  assert.deepEqual(covered, [], name);
};

/** Delay of a style sheet that is loaded on first use. */
const STYLE_DELAY_MS = 300;

/** Waits until the bell has a number: the news have arrived. */
const waitForNews = ({ page }) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll(".inbox-button .turn-count")].some(
      (element) => !element.hidden && element.textContent !== "0",
    ),
  );

/** Cause of each kind of news. */
const NEWS = {
  challenge: async ({ own, other }) => {
    await other.post(`/api/challenge/${own.name}`, { variant: "hogga", days: 3 });
  },
  rematch: async ({ own, other }) => {
    const id = await own.startGame(other, "hogga", { days: 3 });
    for (const user of [own, other]) await user.play(id);
    await other.resign(id);
    await other.post(`/api/board/game/${id}/rematch/yes`, {});
  },
  accepted: async ({ own, other }) => {
    const { id } = await own.post("/api/challenge", { variant: "hogga", days: 3 });
    await other.post(`/api/challenge/${id}/accept`, {});
  },
  "ready check": async ({ own, other }) => {
    const { id } = await own.post("/api/challenge", { variant: "hogga", "clock.limit": 300 });
    await other.post(`/api/challenge/${id}/accept`, {});
  },
  "casual request": async ({ own }) => {
    const { id } = await own.post("/api/challenge", {
      variant: "hogga",
      "clock.limit": 300,
      rated: true,
      listed: false,
      provisional: "allow",
    });
    const guest = await User.open(browser, server, {}, `/${id}`);
    await guest.page.locator("main >> text=Ask for a casual game").click();
    await guest.page.waitForSelector("main >> text=for a casual game.");
  },
};

let count = 0;

for (const [width, height] of SIZES)
  for (const [kind, cause] of Object.entries(NEWS))
    test(`no ${kind} covers a running clock at ${width} × ${height}`, async () => {
      count += 1;
      const own = await User.open(
        browser,
        server,
        { ...PHONE, viewport: { width, height }, name: `Clock${count}Own` },
        null,
      );
      const players = [`Clock${count}Foe`, `Clock${count}Other`];
      const [foe, other] = await Promise.all(players.map((name) => Player.create(server, name)));
      const id = await own.startGame(foe, "hogga", CLOCK);
      for (const user of [own, foe]) await user.play(id);
      await own.visit(`/${id}`, BOARD);
      await waitUntil("the own clock runs", () =>
        own.page.locator(".game-player.is-bottom .game-clock.is-running").count(),
      );
      await assertUncovered(own, "before");
      await cause({ own, other });
      await waitForNews(own);
      await assertUncovered(own, kind);
      assert.equal(new URL(own.page.url()).pathname, `/${id}`, "the page stays");
      await screenshot(own.page, `running-clock-${kind.replace(" ", "-")}-${width}`);
      assertNoErrors(server, [own]);
    });

test("a declined challenge is told after the game", async () => {
  const own = await User.open(browser, server, { ...PHONE, name: "DeclinedOwn" }, null);
  const players = ["DeclinedFoe", "DeclinedOther"];
  const [foe, other] = await Promise.all(players.map((name) => Player.create(server, name)));
  const id = await own.startGame(foe, "hogga", CLOCK);
  for (const user of [own, foe]) await user.play(id);
  await own.visit(`/${id}`, BOARD);
  const offer = await own.post(`/api/challenge/${other.name}`, { variant: "hogga", days: 3 });
  await other.post(`/api/challenge/${offer.id}/decline`, { reason: "later" });
  // Its arrival follows that of the answer.
  await other.post(`/api/challenge/${own.name}`, { variant: "hogga", days: 3 });
  await waitForNews(own);
  assert.equal(await own.page.locator(".toast").count(), 0);
  await assertUncovered(own, "declined");
  // A player who leaves at once is told on the next page, once.
  await own.visit("/rules", ".rules-index");
  await own.page.waitForSelector(".toast >> text=Your challenge was declined.");
  await own.visit("/players", "main");
  await own.visit(`/${id}`, BOARD);
  assert.equal(await own.page.locator(".toast").count(), 0);
  const second = await own.post(`/api/challenge/${other.name}`, { variant: "hogga", days: 3 });
  await other.post(`/api/challenge/${second.id}/decline`, { reason: "later" });
  await own.page.waitForFunction(() => sessionStorage.getItem("texts")?.includes("declined"));
  await foe.resign(id);
  await own.page.waitForSelector(".toast");
  assertNoErrors(server, [own]);
});

for (const [width, height] of SIZES)
  test(`no found opponent covers a running clock at ${width} × ${height}`, async () => {
    for (const locale of LOCALES) {
      count += 1;
      const own = await User.open(
        browser,
        server,
        { ...PHONE, viewport: { width, height }, locale, name: `Clock${count}Own` },
        null,
      );
      const mats = await User.open(browser, server, { name: `Maximiliaan${count}Long` }, null);
      const { id } = await own.post("/api/challenge/ai", {
        level: 1,
        variant: "hogga",
        color: "first",
        ...CLOCK,
      });
      // The search of this tab goes on beside the game.
      await own.page.goto(`${server.url}/icon.svg`);
      await own.page.evaluate(() =>
        sessionStorage.setItem(
          "search",
          JSON.stringify({
            terms: { games: ["hogga"], clocks: ["10"] },
            since: Date.now(),
            seenAt: Date.now(),
          }),
        ),
      );
      await own.post("/api/find", {
        variants: "hogga",
        clocks: "600+5",
        rated: true,
        provisional: "allow",
      });
      // Without its style sheet the strip would lie below the page.
      await own.page.route(/css\/find\.css/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, STYLE_DELAY_MS));
        await route.continue();
      });
      await own.visit(`/${id}`, BOARD);
      await own.page.waitForSelector(".search-strip");
      await assertUncovered(own, "still looking");
      await mats.page.goto(`${server.url}/find?variant=hogga`);
      await mats.page.click(".find-look");
      await own.page.waitForSelector(".search-strip.is-here");
      await assertUncovered(own, "found");
      const cut = await own.page.$$eval(".search-strip p, .search-strip .btn", (parts) =>
        parts
          .filter((part) => part.scrollHeight > part.clientHeight + 2)
          .map((part) => part.textContent),
      );
      assert.deepEqual(cut, [], locale);
      await screenshot(own.page, `running-clock-found-${width}-${locale}`);
      for (const user of [own, mats]) await user.post("/api/find/cancel", {});
      assertNoErrors(server, [own, mats]);
      await own.page.context().close();
      await mats.page.context().close();
    }
  });
