// The end of a game on its page: every kind of result card fits without scrolling, the chat is
// reachable from it, and nothing lies over the board, the status line or the title.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { languagesToFit } from "./support/all-cases.mjs";
import { REJECTED_REQUEST } from "./support/challenges.mjs";
import { CARD_WINDOWS, cardFaults } from "./support/result-card.mjs";
import { SMALL_PHONE, screenshot } from "./support/viewports.mjs";
import { statusButton, waitForStatus } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openUsers = (options, names) =>
  Promise.all(names.map((name) => User.open(browser, server, { name, ...options }, null)));

/** Starts a game and plays two plies of each side. */
const playGame = async (first, second, terms = {}) => {
  const id = await first.startGame(second, "knightFight", {
    rated: true,
    "clock.limit": 10800,
    ...terms,
  });
  for (const user of [first, second, first, second]) await user.play(id);
  return id;
};

/** Asserts in all windows and colors that the card of a page fits, and saves screenshots of it. */
const assertFits = async ({ page }, name) => {
  await page.waitForSelector(".game-result");
  const faults = {};
  for (const [window, viewport] of Object.entries(CARD_WINDOWS)) {
    await page.setViewportSize(viewport);
    // Colors do not change what fits: dark is for the screenshots.
    for (const colorScheme of process.env.SHOTS ? ["light", "dark"] : ["light"]) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `result-${name}-${viewport.width}-${colorScheme}`);
      const found = await cardFaults(page);
      if (found.length) faults[`${window}, ${colorScheme}`] = found;
    }
  }
  assert.deepEqual(faults, {}, name);
};

for (const [language, locale] of languagesToFit)
  test(`result cards in ${language} fit every window`, async () => {
    const [ann, bob] = await openUsers({ locale }, [`Annelies${locale}`, `Maximiliaan${locale}`]);
    const eve = await User.open(browser, server, { locale }, null);
    const range = { ratingRange: "1450-1700" };
    const id = await playGame(ann, bob, range);
    await bob.resign(id);
    for (const user of [ann, bob, eve]) await user.page.goto(`${server.url}/${id}`);
    await assertFits(ann, `creator-${language}`);
    await assertFits(bob, `outside-${language}`);
    await assertFits(eve, `spectator-${language}`);
    await bob.post(`/api/board/game/${id}/rematch/ask`, {});
    await ann.page.waitForSelector(".game-rematch .btn:nth-child(3)");
    await assertFits(ann, `asked-${language}`);
    await assertFits(bob, `asking-${language}`);
    await ann.post(`/api/board/game/${id}/rematch/no`, {});
    await bob.page.waitForSelector(".game-rematch a.btn-primary");
    await assertFits(bob, `declined-${language}`);
    // A page of the site would go to the game itself.
    await ann.page.goto("about:blank");
    const drawn = await playGame(ann, bob, { rated: false });
    await ann.post(`/api/board/game/${drawn}/draw/yes`, {});
    await bob.post(`/api/board/game/${drawn}/draw/yes`, {});
    await ann.page.goto(`${server.url}/${drawn}`);
    await assertFits(ann, `drawn-${language}`);
    await ann.page.goto("about:blank");
    const aborted = await ann.startGame(bob, "hogga", { days: 3, rated: false });
    await ann.post(`/api/board/game/${aborted}/abort`, {});
    await ann.page.goto(`${server.url}/${aborted}`);
    await assertFits(ann, `aborted-${language}`);
    assertNoErrors(server, [ann, bob, eve], REJECTED_REQUEST);
  });

test("a loss to the computer leads to lessons and a lower level", async () => {
  const [dan] = await openUsers({}, ["CardDan"]);
  const start = async (level) => {
    // The page of a finished game would open the new game, too.
    await dan.page.goto("about:blank");
    const { id } = await dan.post("/api/challenge/ai", {
      level,
      variant: "caterpillarWar",
      color: "first",
    });
    await dan.play(id);
    await dan.resign(id);
    await dan.page.goto(`${server.url}/${id}`);
    await dan.page.waitForSelector(".game-result");
    return id;
  };
  const labels = () => dan.page.locator(".game-rematch .btn").allInnerTexts();
  const id = await start(3);
  await assertFits(dan, "computer-lost");
  assert.deepEqual(await labels(), ["Rematch", "One level down", "Learn"]);
  assert.equal(await dan.page.getAttribute("text=Learn", "href"), "/learn/caterpillarWar");
  assert.match(await dan.page.textContent(".game-result-lesson"), /New to this game\? /);
  assert.equal(await dan.page.locator(".game-result >> text=Chat").count(), 0);
  await dan.page.click(".game-rematch >> text=One level down");
  await dan.page.waitForURL(({ pathname }) => /^\/\w{8}$/.test(pathname) && pathname !== `/${id}`);
  const next = (await dan.request(`/api/game${new URL(dan.page.url()).pathname}`)).body;
  assert.deepEqual([next.first.level, next.you, next.variant.key], [2, "second", "caterpillarWar"]);
  // The sentence appears once, and the link while the player is a beginner.
  await start(1);
  assert.equal(await dan.page.locator(".game-result-lesson").count(), 0);
  assert.deepEqual(await labels(), ["Rematch", "Learn"]);
  await start(1);
  await start(1);
  assert.ok(!(await labels()).includes("Learn"));
  assertNoErrors(server, [dan]);
});

test("the first rated loss says that the rating is settling", async () => {
  const [ann, bob] = await openUsers({}, ["SettleAnn", "SettleBob"]);
  const id = await playGame(ann, bob);
  await bob.page.goto(`${server.url}/${id}`);
  await bob.resign(id);
  await bob.page.waitForSelector(".game-result");
  const rating = await bob.rating("knightFight");
  const line = bob.page.locator(".game-result-rating");
  assert.match(
    await line.textContent(),
    new RegExp(`^${rating}\\? \\(was 1500\\)\\. Still settling: about \\d+ more rated games\\.$`),
  );
  const ink = await bob.page
    .locator(".game-result h2")
    .evaluate((el) => getComputedStyle(el).color);
  assert.equal(await line.evaluate((el) => getComputedStyle(el).color), ink);
});

test("the button to close a card is in its corner", async () => {
  const [ann, bob] = await openUsers({ viewport: CARD_WINDOWS["a tablet"] }, [
    "CornerA",
    "CornerB",
  ]);
  const id = await playGame(ann, bob, { rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await bob.resign(id);
  await ann.page.waitForSelector(".game-result");
  const { closeBottom, headingTop } = await ann.page.evaluate(() => ({
    closeBottom: document.querySelector(".game-result-close").getBoundingClientRect().bottom,
    headingTop: document.querySelector(".game-result h2").getBoundingClientRect().top,
  }));
  assert.ok(closeBottom <= headingTop + 12, `${closeBottom} ${headingTop}`);
});

test("a finished game without a clock shows no time for a move", async () => {
  const [ann, bob] = await openUsers({}, ["DaysAnn", "DaysBob"]);
  const id = await playGame(ann, bob, { rated: false, "clock.limit": undefined, days: 3 });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".game-clock.is-running >> text=/^(3|2) d/");
  await bob.resign(id);
  await ann.page.waitForSelector(".game-result");
  assert.deepEqual(
    await ann.page.$$eval(".game-clock", (clocks) =>
      clocks.map((c) => c.checkVisibility({ visibilityProperty: true })),
    ),
    [false, false],
  );
});

test("the chat opens from the card and sends quick messages", async () => {
  const [ann, bob] = await openUsers(SMALL_PHONE, ["QuickAnn", "QuickBob"]);
  const id = await playGame(ann, bob, { rated: false });
  for (const { page } of [ann, bob]) await page.goto(`${server.url}/${id}`);
  await bob.resign(id);
  await ann.page.click(".game-result-chat:not(.is-held)");
  await ann.page.waitForSelector(".is-chat-open .chat-panel input:focus");
  // The board and its clock stay visible above the sheet.
  const bottomOf = (selector) =>
    ann.page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom);
  const top = await ann.page
    .locator(".chat-panel")
    .evaluate((element) => element.getBoundingClientRect().top);
  assert.ok((await bottomOf(".game-board")) <= top + 1);
  await screenshot(ann.page, "result-chat-360");
  await ann.page.click(".chat-quick >> text=Good game");
  await ann.page.fill(".chat-panel input", "That was close");
  await ann.page.click(".chat-send");
  await ann.page.waitForSelector(".chat-panel li >> text=That was close");
  // The opponent sees their number on the card, and both are ordinary messages.
  await bob.page.waitForSelector(".game-result-chat[data-new='2']");
  const { chat } = (await bob.request(`/api/game/${id}`)).body;
  assert.deepEqual(
    chat.map(({ name, text }) => [name, text]),
    [
      ["QuickAnn", "Good game"],
      ["QuickAnn", "That was close"],
    ],
  );
  assert.equal(await ann.page.locator(".chat-ply").count(), 1, "one mention of the move");
  assert.match(await ann.page.textContent(".chat-ply"), /^Move 2…$/);
  await ann.page.click(".chat-panel .icon");
  await ann.page.waitForSelector(".chat-panel", { state: "hidden" });
  assertNoErrors(server, [ann, bob]);
});

test("a chat line before the first move has no number", async () => {
  const [ann, bob] = await openUsers({}, ["ZeroAnn", "ZeroBob"]);
  const id = await ann.startGame(bob, "hogga", { days: 3, rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.fill(".chat-panel input", "Hello");
  await ann.page.press(".chat-panel input", "Enter");
  await ann.page.waitForSelector(".chat-panel li >> text=Hello");
  assert.equal(await ann.page.textContent(".chat-panel li"), "ZeroAnn Hello");
});

test("a typed move leaves the buttons of an offer free", async () => {
  const [ann, bob] = await openUsers({ viewport: SMALL_PHONE.viewport }, ["TypeAnn", "TypeBob"]);
  const id = await playGame(ann, bob, { rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector("rect.board-cell.is-selectable");
  await ann.page.keyboard.press("m");
  await ann.page.waitForSelector(".keyboard-move input:focus");
  await bob.post(`/api/board/game/${id}/draw/yes`, {});
  await waitForStatus(ann, "offers a draw");
  const button = statusButton(ann, "Accept");
  await button.and(ann.page.locator(":not(.is-held)")).waitFor();
  await screenshot(ann.page, "typed-move-offer-360");
  // The press reaches the button: nothing lies over it.
  await button.click({ trial: true });
  assert.ok(await ann.page.locator(".keyboard-move input").isVisible());
});

test("a lost connection does not cover the title of a phone", async () => {
  const [ann, bob] = await openUsers(SMALL_PHONE, ["LostAnn", "LostBob"]);
  const id = await playGame(ann, bob, { rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await ann.page.evaluate(() => {
    const note = document.createElement("div");
    note.className = "connection-banner";
    note.textContent = "No connection. Your clock may be running.";
    document.body.append(note);
  });
  await screenshot(ann.page, "connection-lost-360");
  const faults = await ann.page.evaluate(() => {
    const note = document.querySelector(".connection-banner").getBoundingClientRect();
    const boxes = [...document.querySelectorAll(".game-title > .icon, .game-player, .game-board")];
    return boxes
      .map((element) => [element.className, element.getBoundingClientRect()])
      .filter(
        ([, box]) =>
          note.left < box.right - 1 &&
          box.left < note.right - 1 &&
          note.top < box.bottom - 2 &&
          box.top < note.bottom - 2,
      )
      .map(([name]) => name);
  });
  assert.deepEqual(faults, []);
});

test("news stays away from a running game with a clock", async () => {
  const [ann, bob, cleo] = await openUsers({ viewport: SMALL_PHONE.viewport }, [
    "NewsAnn",
    "NewsBob",
    "NewsCleo",
  ]);
  const id = await ann.startGame(bob, "hogga", { "clock.limit": 600, rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await cleo.post("/api/challenge/NewsAnn", { variant: "knightFight", days: 3 });
  await ann.page.waitForSelector(".game-title .inbox-button >> text=1");
  assert.equal(await ann.page.locator(".notice").count(), 0);
  await bob.resign(id);
  await ann.page.waitForSelector(".game-result");
  // Without room the card is hidden, and the bell keeps its number.
  await ann.page.waitForSelector(".notice", { state: "attached" });
  await ann.page.waitForSelector(".game-title .inbox-button >> text=1");
  await ann.page.waitForFunction(() => {
    const [card, result] = [".notice", ".game-result"].map((one) => document.querySelector(one));
    if (!card.checkVisibility({ visibilityProperty: true })) return true;
    const [box, resultBox] = [card, result].map((element) => element.getBoundingClientRect());
    return box.top >= resultBox.bottom || box.bottom <= resultBox.top;
  });
});

test("the clock stays in line with the name", async () => {
  const [ann, bob] = await openUsers({ viewport: { width: 1440, height: 900 } }, [
    "LineAnn",
    "LineBob",
  ]);
  const id = await ann.startGame(bob, "hogga", { "clock.limit": 600, rated: false });
  await ann.page.goto(`${server.url}/${id}`);
  await ann.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const offsets = () =>
    ann.page.$$eval(".game-layout-right .game-player", (bars) =>
      bars.map((bar) => {
        const middle = (selector) => {
          const { top, bottom } = bar.querySelector(selector).getBoundingClientRect();
          return (top + bottom) / 2;
        };
        return Math.round(Math.abs(middle(".game-clock") - middle(".variant-icon")));
      }),
    );
  assert.deepEqual(await offsets(), [0, 0]);
  for (const user of [ann, bob]) await user.play(id);
  await ann.waitForPly(2);
  await ann.page.waitForSelector(".game-player-more-time:not(.is-hidden)");
  assert.deepEqual(await offsets(), [0, 0]);
  const isCovered = await ann.page.evaluate(() => {
    const button = document.querySelector(".game-player-more-time").getBoundingClientRect();
    const clock = document
      .querySelector(".game-player:has(.game-player-more-time) .game-clock")
      .getBoundingClientRect();
    return button.top < clock.bottom - 1;
  });
  assert.equal(isCovered, false, "the button lies over the clock");
  await bob.resign(id);
  await ann.page.waitForSelector(".game-result");
  assert.deepEqual(await offsets(), [0, 0]);
});

test("labels of actions and names are not cut", async () => {
  for (const [locale, viewport] of [
    ["nl-NL", { width: 1440, height: 900 }],
    ["en-GB", { width: 640, height: 360 }],
    ["nl-NL", { width: 640, height: 360 }],
    ["sv-SE", { width: 640, height: 360 }],
  ]) {
    const ann = await User.open(browser, server, { locale, viewport }, null);
    const bob = await User.open(browser, server, {}, null);
    for (const user of [ann, bob]) await user.post("/api/guest", {});
    const id = await ann.startGame(bob, "hogga", { "clock.limit": 600, rated: false });
    await ann.page.goto(`${server.url}/${id}`);
    await ann.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    // The longest name of a guest, for both players.
    await ann.page.$$eval(".game-player-name > span:first-child", (names) =>
      names.forEach((name) => {
        name.textContent = "Hedgehog 9999";
      }),
    );
    await screenshot(ann.page, `actions-${locale}-${viewport.width}`);
    const cut = await ann.page.evaluate(() => {
      // The width of the longest word of a label, unbroken.
      const wordWidth = (element) => {
        const probe = document.createElement("span");
        probe.style.cssText = "position:absolute;white-space:nowrap;visibility:hidden";
        element.append(probe);
        const widths = element.textContent.split(/\s+/).map((word) => {
          probe.textContent = word;
          return probe.getBoundingClientRect().width;
        });
        probe.remove();
        return Math.max(...widths);
      };
      const labels = [...document.querySelectorAll(".game-actions button")].filter(
        (button) => !button.hidden,
      );
      const panel = document.querySelector(".game-actions").getBoundingClientRect();
      const names = [...document.querySelectorAll(".game-player-name > span:first-child")];
      return [
        ...labels
          .filter((button) => {
            const box = button.getBoundingClientRect();
            return box.right > panel.right + 1 || wordWidth(button) > box.width + 1;
          })
          .map((button) => button.textContent),
        ...(innerWidth > 1000
          ? names.filter((name) => name.scrollWidth > name.clientWidth + 1)
          : []
        ).map((name) => name.textContent),
      ];
    });
    assert.deepEqual(cut, [], `${locale} ${viewport.width}`);
  }
});
