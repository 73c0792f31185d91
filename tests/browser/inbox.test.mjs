// Inbox: the bell with its number, the sheet, and the card over a page, which never appears while a
// clock of the user runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { CLOCK, Player } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, horizontalOverflow, screenshot, screenshotAll } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const VARIANTS = ["hogga", "caterpillarWar", "knightFight"];

/** Creates three challenges of a player to another; returns their ids. */
const challengeThrice = async (player, name) => {
  const ids = [];
  for (const variant of VARIANTS)
    ids.push((await player.post(`/api/challenge/${name}`, { variant, days: 3 })).id);
  return ids;
};

/** Waits for the number on the visible bell; "" is none. */
const waitForCount = ({ page }, text) =>
  page.waitForFunction((expected) => {
    const counts = [...document.querySelectorAll(".inbox-button")]
      .filter((button) => button.checkVisibility())
      .map((button) => button.querySelector(".turn-count"));
    return counts.length === 1 && (counts[0].hidden ? "" : counts[0].textContent) === expected;
  }, text);

const openInbox = async ({ page }) => {
  await page.locator(".inbox-button:visible").click();
  await page.waitForSelector("dialog[open] .inbox");
};

/** Records, in the page, the texts that screen readers announce for news. */
const recordAnnouncements = () => {
  window.announcements = [];
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records)
      if (target.matches?.(".notices > [role=status]"))
        window.announcements.push(...[...addedNodes].map(({ textContent }) => textContent));
  }).observe(document, { childList: true, subtree: true });
};

/** Parts of a game that news never cover. */
const GAME_PARTS =
  ".game-board, .game-player, .game-moves, .game-status, .game-actions, .game-result";

/** Returns the visible elements that a visible card covers. */
const coveredParts = (page, parts = GAME_PARTS) =>
  page.evaluate((selectors) => {
    const bar = document.querySelector(".notices > [role=region] .notice");
    if (!bar?.checkVisibility({ visibilityProperty: true })) return [];
    const card = bar.getBoundingClientRect();
    return [...document.querySelectorAll(selectors)]
      .filter((element) => element.checkVisibility() && !element.closest(".notice, .dialog"))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        return (
          (box.top < innerHeight / 2 || element.matches("nav, [class]")) &&
          box.left < card.right &&
          card.left < box.right &&
          box.top < card.bottom &&
          card.top < box.bottom
        );
      })
      .map((element) => element.className || element.textContent);
  }, parts);

test("news change only the bell while a clock runs", async () => {
  const [anke, mats] = [
    await Player.create(server, "Anke"),
    await User.open(browser, server, { name: "Mats", ...PHONE }, null),
  ];
  const id = await mats.startGame(anke, "hogga", CLOCK);
  await mats.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
  const { page } = mats;
  const boxes = () =>
    Promise.all(
      [".game-board", ".game-status", ".game-title-button", ".game-actions"].map((selector) =>
        page.locator(selector).boundingBox(),
      ),
    );
  const before = await boxes();
  await waitForCount(mats, "");
  await challengeThrice(anke, "Mats");
  await waitForCount(mats, "3");
  assert.equal(await page.locator(".notice").count(), 0, "a card covers a running clock");
  assert.deepEqual(await boxes(), before, "the layout has moved");
  assert.equal(
    await page.locator(".game-title .inbox-button").getAttribute("aria-label"),
    "Notifications: 3",
  );
  await screenshot(page, "inbox-running-clock-phone-light");
  await openInbox(mats);
  assert.equal(await page.locator("dialog .notice").count(), 3);
  await page.keyboard.press("Escape");
  await anke.abort(id);
  await page.waitForSelector(".game-result");
  await waitForCount(mats, "3");
  assert.deepEqual(await coveredParts(page), [], "the card covers the result");
  await mats.visit("/rules", ".notice >> text=1 of 3");
  assertNoErrors(server, [mats]);
});

test("one card shows several pieces of news in turn", async () => {
  const [sanna, joris] = [
    await Player.create(server, "Sanna"),
    await User.open(browser, server, { name: "Joris" }, null),
  ];
  const { page } = joris;
  await page.addInitScript(recordAnnouncements);
  await joris.visit("/rules", ".rules-index");
  const ids = await challengeThrice(sanna, "Joris");
  await page.waitForSelector(".notice >> text=1 of 3");
  await waitForCount(joris, "3");
  assert.equal(await page.locator(".notice").count(), 1, "one card");
  const names = [];
  for (const position of ["2 of 3", "3 of 3", "1 of 3"]) {
    await page.click(".notice-pager");
    await page.waitForSelector(`.notice >> text=${position}`);
    names.push(await page.locator(".notice").getAttribute("aria-label"));
  }
  assert.equal(new Set(names).size, 3, names.join());
  await screenshotAll(page, "inbox-card");
  const announcements = await page.evaluate(() => window.announcements);
  assert.deepEqual(announcements.toSorted(), names.toSorted(), "each is announced once");
  // News leave by themselves when they end.
  await sanna.post(`/api/challenge/${ids[0]}/cancel`, {});
  await waitForCount(joris, "2");
  await page.waitForSelector(".notice >> text=of 2");
  // A closed card leaves its challenge in the inbox, also on the next page.
  await page.click(".notice-close");
  await page.click(".notice-close");
  await page.waitForSelector(".notice", { state: "detached" });
  await joris.visit("/players", ".leaderboard-variants");
  await waitForCount(joris, "2");
  assert.equal(await page.locator(".notice").count(), 0);
  await openInbox(joris);
  await page.locator(".inbox [aria-label=Dismiss]").first().click();
  await waitForCount(joris, "1");
  await page.locator(".inbox .btn:text-is('Decline')").click();
  await page.waitForSelector(".inbox >> text=Nothing new");
  await waitForCount(joris, "");
  const statuses = ids.map(async (id) => (await sanna.get(`/api/challenge/${id}/show`)).status);
  assert.deepEqual((await Promise.all(statuses)).toSorted(), ["canceled", "created", "declined"]);
  assertNoErrors(server, [joris]);
});

test("a card covers neither headings nor navigation", async () => {
  const [finn, lotte] = [
    await Player.create(server, "Finn"),
    await User.open(browser, server, { name: "Lotte" }, null),
  ];
  const { page } = lotte;
  const terms = { days: 3, rated: false };
  const game = await lotte.startGame(finn, "hogga", terms);
  const finished = await lotte.startGame(finn, "caterpillarWar", terms);
  for (const user of [lotte, finn]) await user.play(finished);
  await finn.resign(finished);
  await challengeThrice(finn, "Lotte");
  const pages = {
    "/": ".variant-card-board svg",
    "/lobby": ".challenge-card",
    [`/${finished}/analysis`]: ".board-svg.is-interactive",
    [`/${game}`]: ".board-svg.is-interactive",
  };
  for (const [path, ready] of Object.entries(pages)) {
    await lotte.visit(path, ready);
    await page.waitForSelector(".notice", { state: "attached" });
    for (const [width, height] of [
      [1440, 900],
      [1024, 768],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      // The next tick fits the card.
      const hasRoom = path !== `/${game}` || width > 1100;
      await page.waitForSelector(".notice", { state: hasRoom ? "visible" : "hidden" });
      await screenshot(page, `news-${path.split("/").at(-1) || "home"}-${width}`);
      const headings = "h1:not(.visually-hidden), h2";
      const kept = `.site-header, .site-header nav, ${headings}, .game-info, .chat-panel form`;
      const parts = path === `/${game}` ? `${kept}, ${GAME_PARTS}` : kept;
      assert.deepEqual(await coveredParts(page, parts), [], `${path} at ${width}`);
    }
    assert.equal(await page.locator(".notice .btn-primary").count(), 0, "a second primary button");
  }
  assertNoErrors(server, [lotte]);
});

test("a card covers no part of a game without a clock", async () => {
  const [pim, wout] = [
    await Player.create(server, "Pim-with-a-long-name"),
    await User.open(browser, server, { name: "Wout", ...PHONE }, null),
  ];
  const { page } = wout;
  const game = await wout.startGame(pim, "hogga", { days: 3, rated: false });
  const finished = await wout.startGame(pim, "hogga", { days: 3, rated: false });
  for (const user of [wout, pim]) await user.play(finished);
  await pim.resign(finished);
  await challengeThrice(pim, "Wout");
  const { id } = await wout.post("/api/challenge", { variant: "hogga", "clock.limit": 300 });
  const sizes = [
    [390, 844],
    [360, 640],
    [844, 390],
    [1024, 768],
  ];
  for (const [path, turns] of [
    [`/${game}`, 1],
    [`/${finished}`, 1],
  ])
    for (const [width, height] of sizes) {
      const size = `${path} at ${width} × ${height}`;
      await page.setViewportSize({ width, height });
      await wout.visit(path, ".board-svg.is-interactive rect.board-cell");
      await waitForCount(wout, String(3 + turns));
      await page.waitForSelector(".notice.is-without-room", { state: "hidden" });
      assert.deepEqual(await coveredParts(page), [], size);
      // A ready check ends soon: it takes one line over the title.
      await pim.post(`/api/challenge/${id}/accept`, {});
      const line = page.locator(".notices > [role=region] .notice");
      await line.getByText("Pim-with-a-long-name is here. Start?").waitFor();
      assert.deepEqual(await coveredParts(page), [], `${size}, ready check`);
      const text = await line.locator("p").evaluate((p) => p.scrollHeight - p.clientHeight);
      // Glyphs may exceed their line.
      assert.ok(text <= 2, `${size}: the text is cut by ${text}`);
      await screenshot(page, `news-ready-check-${width}`);
      await line.getByText("Not now").click();
      await page.waitForSelector(".notice.is-line", { state: "detached" });
    }
  // A window that grows has room.
  await page.setViewportSize({ width: 1440, height: 900 });
  await wout.visit(`/${game}`, ".notice >> text=1 of 3");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForSelector(".notice", { state: "hidden" });
  assertNoErrors(server, [wout]);
});

test("the inbox is usable by keyboard", async () => {
  const [tove, elin] = [
    await Player.create(server, "Tove"),
    await User.open(browser, server, { name: "Elin" }, null),
  ];
  const { page } = elin;
  const game = await elin.startGame(tove, "hogga", { days: 3, rated: false });
  const challenge = await tove.post("/api/challenge/Elin", { variant: "hogga", days: 2 });
  await elin.visit("/rules", ".rules-index");
  await waitForCount(elin, "2");
  await page.focus(".inbox-button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".inbox >> text=Your turn (1)");
  assert.equal(await page.locator(".inbox-game").getAttribute("href"), `/${game}`);
  assert.match(await page.locator(".inbox-game").innerText(), /Tove · Hogga\s+\d+ d/);
  await screenshotAll(page, "inbox-sheet");
  await page.evaluate(() => window.sprongTheme.set("contrast"));
  await screenshot(page, "inbox-sheet-desktop-contrast");
  await page.evaluate(() => window.sprongTheme.set("system"));
  for (const width of [360, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await horizontalOverflow(page), 0, `${width}`);
    await screenshot(page, `inbox-sheet-${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const focusText = () => page.evaluate(() => document.activeElement.textContent.trim());
  const reached = [];
  while (!reached.includes("Decline")) {
    await page.keyboard.press("Tab");
    reached.push(await focusText());
    assert.ok(reached.length < 12, reached.join());
  }
  assert.ok(reached.includes("Accept"), reached.join());
  await page.keyboard.press("Enter");
  await waitForCount(elin, "1");
  assert.equal((await tove.get(`/api/challenge/${challenge.id}/show`)).status, "declined");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.ok(
    await page.evaluate(() => document.activeElement.matches(".inbox-button")),
    "the focus returns to the bell",
  );
  // The number falls when the opponent is to move.
  await elin.play(game);
  await waitForCount(elin, "");
  assertNoErrors(server, [elin]);
});

test("games against the computer that one has left wait for nobody", async () => {
  const left = await User.open(browser, server, {}, null);
  await left.post("/api/guest", {});
  for (const days of [undefined, 3])
    await left.post("/api/challenge/ai", { level: 1, variant: "hogga", color: "first", days });
  await left.visit("/", ".my-games li >> nth=1");
  await waitForCount(left, "");
  assert.equal(await left.page.locator("nav .turn-count").first().isHidden(), true);
  assert.equal(await left.page.locator(".my-games li").count(), 2, "the player finds the games");
  assert.equal(await left.page.locator(".my-games .is-bot").count(), 2);
  await openInbox(left);
  await left.page.waitForSelector(".inbox >> text=Nothing new");
  assertNoErrors(server, [left]);
});

test("a game that one has left is counted on no page", async () => {
  const ownServer = await Server.start("--unattended-after-ms", "100");
  try {
    const guest = await User.open(browser, ownServer, { name: "Fay" }, null);
    const eve = await User.open(browser, ownServer);
    const attended = await guest.post("/api/challenge/ai", {
      level: 2,
      variant: "hogga",
      color: "first",
    });
    await guest.visit(`/${attended.id}`, ".board-svg.is-interactive rect.board-cell");
    const count = eve.page.locator(".variant-list").getByText("1 in progress");
    await count.waitFor();
    await guest.page.goto("about:blank");
    for (let game = 0; game < 2; game += 1)
      await guest.post("/api/challenge/ai", { level: 2, variant: "hogga", color: "first" });
    await waitUntil("no game is listed", async () => {
      const { games } = await guest.get("/api/lobby");
      return games.length === 0;
    });
    const { page } = eve;
    await count.waitFor({ state: "detached" });
    assert.doesNotMatch(await page.innerText("main"), /\d in progress/);
    assert.equal((await guest.get("/api/games/live")).total, 0);
    await eve.visit("/watch", ".watch-page .watch-empty:not([hidden])");
    assert.equal(new URL(page.url()).pathname, "/live");
    assert.equal(await page.locator(".tv-channels li").count(), 0);
    assertNoErrors(ownServer, [eve]);
    await page.context().close();
  } finally {
    await ownServer.stop();
  }
});

test("each guest who asks for a casual game has a notice", async () => {
  const [anke, one, two] = [
    await User.open(browser, server, { name: "AskedAnke", ...PHONE }, null),
    await User.open(browser, server, {}, "/rules"),
    await User.open(browser, server, {}, "/rules"),
  ];
  const { page } = anke;
  await anke.visit("/rules", ".rules-index");
  const fields = { variant: "hogga", rated: true, days: 3, listed: false };
  const { id } = await anke.post("/api/challenge", fields);
  const ask = (guest) => guest.post(`/api/challenge/${id}/casual`, {});
  const card = page.locator(".notices > [role=region] .notice");
  await ask(one);
  await card.locator("text=has no account. Play casual instead?").waitFor();
  const header = await page.locator(".site-header").boundingBox();
  const { y } = await card.boundingBox();
  assert.ok(y >= header.y + header.height, "the card covers the header");
  await screenshot(page, "casual-notice-phone");
  await waitForCount(anke, "1");
  await card.locator(".notice-close").click();
  await card.waitFor({ state: "detached" });
  // A dismissed notice hides no other guest.
  await ask(two);
  await card.waitFor();
  await waitForCount(anke, "2");
  await openInbox(anke);
  assert.equal(await page.locator("dialog .notice").count(), 2);
  await page.keyboard.press("Escape");
  await card.locator(".btn >> nth=1").click();
  await waitForCount(anke, "1");
  await anke.post(`/api/challenge/${id}/cancel`, {});
  await waitForCount(anke, "");
  assertNoErrors(server, [anke, one, two]);
});

test("a notice of a casual game ends with its challenge", async () => {
  const [anke, guest] = [
    await User.open(browser, server, { name: "EndedAnke" }, null),
    await User.open(browser, server, {}, "/rules"),
  ];
  const { page } = anke;
  // The module of the notice arrives after the end of the challenge.
  let release;
  const released = new Promise((done) => (release = done));
  let requested;
  const isRequested = new Promise((done) => (requested = done));
  await page.route("**/casual-notice*", async (route) => {
    requested();
    await released;
    await route.continue();
  });
  await anke.visit("/rules", ".rules-index");
  const fields = { variant: "hogga", rated: true, days: 3, listed: false };
  const { id } = await anke.post("/api/challenge", fields);
  await guest.post(`/api/challenge/${id}/casual`, {});
  await isRequested;
  await anke.post(`/api/challenge/${id}/cancel`, {});
  const loaded = page.waitForResponse(/casual-notice/);
  release();
  await (await loaded).finished();
  // The next piece of news is shown after those of the module.
  const other = await Player.create(server, "EndedOther");
  await other.post("/api/challenge/EndedAnke", { variant: "hogga", days: 3 });
  await page.waitForSelector(".notice >> text=EndedOther challenges you");
  await waitForCount(anke, "1");
  assertNoErrors(server, [anke, guest]);
});

test("only the creator learns that a challenge was declined", async () => {
  const [anke, mats] = [
    await User.open(browser, server, { name: "DeclineAnke" }, null),
    await User.open(browser, server, { name: "DeclineMats" }, null),
  ];
  await anke.visit("/rules", ".rules-index");
  await mats.visit("/rules", ".rules-index");
  await anke.post("/api/challenge/DeclineMats", { variant: "hogga", days: 3 });
  await mats.page.locator('.notice .btn:text-is("Decline")').click();
  await anke.page.waitForSelector(".toast >> text=Your challenge was declined.");
  await waitForCount(mats, "");
  assert.equal(await mats.page.locator(".toast").count(), 0);
  assertNoErrors(server, [anke, mats]);
});

test("a challenge is news on the pages that list it, too", async () => {
  const ann = await User.open(browser, server, { ...PHONE, name: "ListedAnn" }, null);
  const bob = await Player.create(server, "ListedBob");
  const { page } = ann;
  for (const path of ["/", "/lobby"]) {
    await ann.visit(path, ".lobby");
    const { id } = await bob.post("/api/challenge/ListedAnn", { variant: "hogga", days: 3 });
    await page.waitForSelector(".notice >> text=ListedBob");
    await page.waitForSelector(".inbox-button .turn-count >> text=1");
    await bob.post(`/api/challenge/${id}/cancel`, {});
    await page.waitForSelector(".notice", { state: "detached" });
  }
  assertNoErrors(server, [ann]);
});
