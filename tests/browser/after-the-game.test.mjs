// After a game: the question about sound, the search for another opponent, and the way back after
// signing up. Before one: invitations from the challenge form and challenges from a profile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languagesToFit } from "./support/all-cases.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { PASSWORD } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { SMALL_PHONE, horizontalOverflow, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const BOARD = ".board-svg.is-interactive rect.board-cell";

const openUser = (name, options = {}) => User.open(browser, server, { name, ...options }, null);

/** Opens a game in progress, and waits until its socket has received a message. */
const visitGame = async (user, id) => {
  // A page that goes to the new game by itself opens a socket that the visit closes again.
  let latest = null;
  let isConnected = false;
  const observe = (socket) => {
    if (!socket.url().includes(id)) return;
    latest = socket;
    isConnected = false;
    // A listener that is added later misses the first message.
    socket.once("framereceived", () => (isConnected ||= socket === latest));
  };
  user.page.on("websocket", observe);
  await user.visit(`/${id}`, BOARD);
  await waitUntil("the game has sent a message", () => isConnected);
  user.page.off("websocket", observe);
};

/** Starts a game of two moves, opens it for the first user, and has the other one resign. */
const finishGame = async (first, second, terms = {}) => {
  const id = await first.startGame(second, "hogga", { "clock.limit": 10800, ...terms });
  for (const user of [first, second]) await user.play(id);
  await visitGame(first, id);
  await second.resign(id);
  await first.page.waitForSelector(".game-result");
  return id;
};

const storedSound = ({ page }) => page.evaluate(() => localStorage.getItem("sound"));

for (const [answer, value] of [
  ["Yes", "yes"],
  ["No", "no"],
])
  test(`sound is asked for once, and ${answer} is kept`, async () => {
    const [ann, bob] = await Promise.all([
      openUser(`Sound${answer}Ann`, SMALL_PHONE),
      openUser(`Sound${answer}Bob`),
    ]);
    const { page } = ann;
    const id = await ann.startGame(bob, "hogga", { "clock.limit": 10800 });
    for (const user of [ann, bob]) await user.play(id);
    await visitGame(ann, id);
    assert.equal(await page.locator(".sound-question").count(), 0, "not during a game");
    await bob.resign(id);
    const question = page.locator(".sound-question");
    await question.waitFor();
    await screenshot(page, `sound-question-${answer}`);
    // It covers nothing that is read: board, result, names and clocks stay free.
    const box = await question.boundingBox();
    for (const selector of [".game-board", ".game-result", ".game-player.is-top"]) {
      const other = await page.locator(selector).boundingBox();
      assert.ok(
        box.y >= other.y + other.height - 1 || box.y + box.height <= other.y + 1,
        `${selector} is covered`,
      );
    }
    // It is not asked again: without an answer, the sounds stay off.
    assert.equal(await storedSound(ann), "no");
    await question.getByRole("button", { name: answer, exact: true }).click();
    await question.waitFor({ state: "detached" });
    assert.equal(await storedSound(ann), value);
    await finishGame(ann, bob);
    await page.waitForLoadState("networkidle");
    assert.equal(await question.count(), 0, "never again");
    assertNoErrors(server, [ann, bob]);
  });

/** Windows of the question about sound: phones upright and turned, and a tablet. */
const SOUND_WINDOWS = [
  [390, 844],
  [360, 640],
  [844, 390],
  [640, 360],
  [1024, 768],
];

/** Returns what the question about sound covers, and what of it is cut. */
const soundQuestionFaults = ({ page }) =>
  page.evaluate(() => {
    const question = document.querySelector(".sound-question");
    const box = question.getBoundingClientRect();
    const covered = [".game-board", ".game-player", ".game-result", ".game-panel"]
      .flatMap((selector) => [...document.querySelectorAll(selector)])
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const other = element.getBoundingClientRect();
        return (
          Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
          Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1
        );
      });
    const cut = [...question.children].filter((child) => {
      const { left, right, top, bottom } = child.getBoundingClientRect();
      return (
        left < box.left ||
        right > box.right ||
        top < box.top - 1 ||
        bottom > box.bottom + 1 ||
        child.scrollWidth > child.clientWidth + 1
      );
    });
    return [
      ...covered.map(({ className }) => `${className} is covered`),
      ...cut.map(({ textContent }) => `${textContent} is cut`),
    ];
  });

for (const [, locale] of languagesToFit)
  test(`the question about sound covers no name or clock: ${locale}`, async () => {
    const tag = locale.slice(0, 2);
    const [ann, bob] = await Promise.all([
      openUser(`Clock${tag}Ann`, { ...SMALL_PHONE, locale }),
      openUser(`Clock${tag}Bob`),
    ]);
    await ann.visit("/icon.svg", "svg");
    for (const terms of [{}, { "clock.limit": 600 }, { "clock.limit": 10800 }, { days: 3 }]) {
      await ann.page.evaluate(() => localStorage.removeItem("sound"));
      const id = await ann.startGame(bob, "hogga", terms);
      for (const user of [ann, bob]) await user.play(id);
      await visitGame(ann, id);
      await bob.resign(id);
      await ann.page.waitForSelector(".sound-question");
      const faults = {};
      for (const [width, height] of SOUND_WINDOWS) {
        await ann.page.setViewportSize({ width, height });
        await screenshot(ann.page, `sound-question-${tag}-${width}`);
        const found = await soundQuestionFaults(ann);
        if (found.length) faults[`${width} × ${height}`] = found;
      }
      assert.deepEqual(faults, {}, JSON.stringify(terms));
      await ann.page.goto("about:blank");
      await ann.visit("/icon.svg", "svg");
    }
    assertNoErrors(server, [ann, bob]);
  });

test("a new opponent is searched with the same game and clock", async () => {
  for (const [locale, terms, clock] of [
    ["en-GB", { "clock.limit": 300, "clock.increment": 3 }, "5+3"],
    ["nl-NL", { "clock.limit": 900, "clock.increment": 10 }, "10+5"],
    ["sv-SE", { days: 3 }, "3"],
  ]) {
    const tag = locale.slice(0, 2);
    const [ann, bob] = await Promise.all([
      openUser(`Next${tag}Ann`, { ...SMALL_PHONE, locale }),
      openUser(`Next${tag}Bob`),
    ]);
    const { page } = ann;
    const id = await ann.startGame(bob, "hogga", terms);
    for (const user of [ann, bob]) await user.play(id);
    await visitGame(ann, id);
    await bob.resign(id);
    await page.locator('.game-result a[href="/find?variant=hogga"]:not(.is-held)').click();
    await page.waitForSelector(".find-stage:not([hidden]) .find-terms");
    const shown = await page.textContent(".find-terms");
    assert.ok(shown.startsWith("Hogga") && shown.includes(clock), shown);
    let seeks = [];
    await waitUntil("the search is listed", async () => {
      seeks = (await ann.request("/api/challenge")).body.out.filter(({ kind }) => kind === "seek");
      return seeks.length === 1;
    });
    assert.equal(seeks[0].variant.key, "hogga");
    assertNoErrors(server, [ann, bob]);
  }
});

test("the challenge form leads to an invitation by link", async () => {
  const ann = await openUser("FormAnn");
  const { page } = ann;
  await ann.visit("/lobby", ".lobby");
  await ann.scrollToChallengeForm();
  await page.locator("form.challenge-form [data-value=hogga]").first().click();
  await page.click("form.challenge-form >> text=Invite a friend by link");
  await page.waitForSelector(".invite-form [data-value=hogga][aria-checked=true]");
  await page.click(".invite-form [type=submit]");
  await page.waitForSelector(".challenge-page .share-link");
  assertNoErrors(server, [ann]);
});

test("a link from the challenge form lets guests in for a week", async () => {
  const ann = await openUser("WeekAnn");
  const { page } = ann;
  await ann.visit("/lobby", ".lobby");
  await ann.scrollToChallengeForm();
  const rated = page.locator("form.challenge-form .challenge-form-rated [role=switch]");
  assert.equal(await rated.getAttribute("aria-checked"), "true");
  await page.locator("form.challenge-form [data-value=link]").click();
  assert.equal(await rated.getAttribute("aria-checked"), "false");
  await page.click("form.challenge-form [type=submit]");
  await page.waitForURL(/\/\w{8}$/);
  const {
    rated: isRated,
    expiresAt,
    createdAt,
  } = (await ann.request("/api/challenge")).body.out[0];
  assert.equal(isRated, false);
  assert.equal(Math.round((expiresAt - createdAt) / 3600e3), 7 * 24);
  assertNoErrors(server, [ann]);
});

test("a profile opens the dialog of a challenge to the player", async () => {
  const [ann, bob] = [await openUser("ProfileAnn", SMALL_PHONE), await openUser("ProfileBob")];
  const { page } = ann;
  await ann.visit("/@/ProfileBob", ".player-head .btn");
  await page.click(".player-head >> text=Challenge");
  await page.waitForSelector("dialog >> text=Challenge ProfileBob");
  assert.equal(await horizontalOverflow(page), 0);
  await screenshot(page, "profile-challenge-360");
  await page.locator(".invite-form [data-value=knightFight]").click();
  await page.click(".invite-form [type=submit]");
  await page.waitForURL(/\/\w{8}$/);
  const [challenge] = (await bob.request("/api/challenge")).body.in;
  assert.equal(challenge.challenger.name, "ProfileAnn");
  assert.deepEqual([challenge.variant.key, challenge.rated], ["knightFight", false]);
  // A refusal is shown in the dialog.
  await bob.request("/api/rel/block/ProfileAnn", {});
  await ann.visit("/@/ProfileBob", ".player-head .btn");
  await page.click(".player-head >> text=Challenge");
  await page.click(".invite-form [type=submit]");
  await page.waitForSelector(".invite-form .form-error:not(:empty)");
  assertNoErrors(server, [ann, bob], /status of 4\d\d/);
});

test("signing up returns to the page from any page", async () => {
  for (const [path, ready, name] of [
    ["/learn/hogga", ".learn .board-svg rect", "BackLearn"],
    ["/pass-and-play/hogga", ".pass-form", "BackPass"],
    ["/rules/knightFight", ".rules-actions", "BackRules"],
  ]) {
    const guest = await User.open(browser, server, {}, null);
    const { page } = guest;
    await guest.visit(path, ready);
    await page.locator("header >> text=Sign up").click();
    await page.fill("[name=username]", name);
    await page.fill("[name=password]", PASSWORD);
    await page.click("main [type=submit]");
    await guest.keepWords();
    await page.waitForURL(`${server.url}${path}`);
    await page.locator(`header >> text=${name}`).waitFor();
    assertNoErrors(server, [guest]);
  }
});
