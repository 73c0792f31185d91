// Search for an opponent: the choice, players who meet, absent and present creators, a game against
// the computer meanwhile, cancellation, reload, reconnection, and the fit of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { cardSelector, submitChallenge } from "./support/challenges.mjs";
import { recordLayoutShifts } from "./support/layout-shift.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const LOOKING = ".find-stage >> text=Looking for an opponent";
const TERMS = { "clock.limit": 600, "clock.increment": 5, rated: true };

/** Opens users with an account, each at a path. */
const openUsers = (path, ...names) =>
  Promise.all(names.map((name) => User.open(browser, server, { name }, path)));

/** Chooses games and time controls by their chips. */
const choose = async ({ page }, { games, clocks = ["10"] }) => {
  const set = async (group, wanted) => {
    const chips = page.locator(`.find-chips >> nth=${group}`).locator("button");
    for (const value of wanted) {
      const chip = page.locator(`.find-chips [data-value="${value}"]`);
      if ((await chip.getAttribute("aria-pressed")) === "false") await chip.click();
    }
    for (const chip of await chips.all())
      if (
        (await chip.getAttribute("aria-pressed")) === "true" &&
        !wanted.includes(await chip.getAttribute("data-value"))
      )
        await chip.click();
  };
  await page.waitForSelector(".find-sheet");
  await set(0, games);
  await set(1, clocks);
};

/** Begins a search; the game may begin at once. */
const look = async (user, terms) => {
  if (!user.page.url().includes("/find")) await user.page.goto(`${server.url}/find`);
  await choose(user, terms);
  await user.page.click(".find-look");
};

/**
 * Advances the clock of the page until it shows something: an answer of the server that arrives
 * meanwhile sets the clock right.
 */
const advanceUntil = (page, ms, selector) =>
  waitUntil(`${selector} is shown`, async () => {
    await page.clock.runFor(ms);
    return page.locator(selector).first().isVisible();
  });

/** Returns the id of the game that all users have opened. */
const commonGame = async (...users) => {
  await Promise.all(users.map(({ page }) => page.waitForSelector(".board-svg.is-interactive")));
  const ids = users.map(({ page }) => new URL(page.url()).pathname.slice(1));
  assert.equal(new Set(ids).size, 1, `${ids}`);
  return ids[0];
};

/** Returns the open seeks of a user. */
const openSeeks = async (user) =>
  (await user.request("/api/challenge")).body.out.filter(({ kind }) => kind === "seek");

/** Waits until a user has this number of open seeks, and returns them. */
const waitForSeeks = async (user, count) => {
  let seeks = [];
  await waitUntil(`there are ${count} seeks`, async () => {
    seeks = await openSeeks(user);
    return seeks.length === count;
  });
  return seeks;
};

/** Leaves no challenge to the next test. */
const cancelAll = async (...users) => {
  for (const user of users) {
    await user.request("/api/find/cancel", {});
    for (const { id } of (await user.request("/api/challenge")).body.out)
      await user.request(`/api/challenge/${id}/cancel`, {});
  }
};

test("the search is redrawn only while it is shown", async () => {
  const [ann] = await openUsers(null, "TickAnn");
  const { page } = ann;
  await page.addInitScript(() => {
    window.redrawTimers = new Set();
    const { setInterval: start, clearInterval: stop } = window;
    window.setInterval = (action, ms) => {
      const timer = start(action, ms);
      if (ms === 500) window.redrawTimers.add(timer);
      return timer;
    };
    window.clearInterval = (timer) => {
      window.redrawTimers.delete(timer);
      stop(timer);
    };
  });
  const timers = () => page.evaluate(() => window.redrawTimers.size);
  await ann.visit("/find", ".find-sheet");
  assert.equal(await timers(), 0);
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  await page.locator(".find-elapsed >> text=0:01").waitFor();
  assert.equal(await timers(), 1);
  await page.click(".find-cancel");
  await page.click(".find-stage >> text=Look again");
  await page.waitForSelector(".find-sheet:not([hidden])");
  assert.equal(await timers(), 0);
  assertNoErrors(server, [ann]);
});

test("the arc moves during a search, not with reduced motion", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const name = `Arc-${reducedMotion.slice(0, 2)}`;
    const ann = await User.open(browser, server, { name, reducedMotion }, "/find");
    const { page } = ann;
    const moving = () =>
      page
        .locator(".find-arc")
        .evaluate(
          (arc) =>
            arc.getAnimations({ subtree: true }).filter(({ playState }) => playState === "running")
              .length,
        );
    await look(ann, { games: ["hogga"] });
    await page.waitForSelector(LOOKING);
    assert.equal(await moving(), reducedMotion === "reduce" ? 0 : 5, reducedMotion);
    assert.equal(await page.locator(".share-box").count(), 0, "no invitation to share");
    await page.click(".find-cancel");
    await page.waitForSelector("text=Search canceled");
    assert.equal(await moving(), 0);
    assertNoErrors(server, [ann]);
  }
});

test("two players who look for overlapping games meet", async () => {
  const [ann, bob] = await openUsers("/find", "MeetAnn", "MeetBob");
  await look(ann, { games: ["hogga", "knightFight"], clocks: ["5", "10"] });
  await ann.page.waitForSelector(".find-terms >> text=Knight Fight, Hogga · 5+3 · 10+5");
  const other = await User.open(browser, server, {}, "/lobby");
  await other.page.waitForSelector(".challenge-card >> text=Rated or casual");
  await other.page.context().close();
  await look(bob, { games: ["kopfOderKnopf", "knightFight"], clocks: ["10"] });
  const id = await commonGame(ann, bob);
  const { variant, clock } = (await bob.request(`/api/game/${id}`)).body;
  assert.deepEqual([variant.key, clock.initial], ["knightFight", 600000]);
  assert.deepEqual([await openSeeks(ann), await openSeeks(bob)], [[], []]);
  // The choice is kept.
  await ann.page.goto(`${server.url}/find`);
  await ann.page.waitForSelector(".find-sheet [data-value=hogga][aria-pressed=true]");
  await ann.page.waitForSelector(".find-sheet [data-value=caterpillarWar][aria-pressed=false]");
  assertNoErrors(server, [ann, bob]);
});

test("home and a game card lead to the choice, the old address too", async () => {
  const [ann] = await openUsers("/", "HomeAnn");
  const { page } = ann;
  const buttons = page.locator(".quick-play .btn-large");
  const seen = await buttons.evaluateAll((elements) =>
    elements
      .map((element) => [element.getBoundingClientRect().left, element.textContent])
      .sort(([a], [b]) => a - b)
      .map(([, text]) => text),
  );
  assert.deepEqual(await buttons.allTextContents(), seen, "tab order is what is seen");
  await page.click(".quick-play >> text=Find an opponent");
  await page.waitForSelector(".find-sheet");
  await page.goto(server.url);
  await page.click(".variant-list [data-key=hogga] button");
  await page.click("[data-opponent=person]");
  await page.waitForSelector(".find-sheet [data-value=hogga][aria-pressed=true]");
  assert.equal(await page.locator(".find-sheet .find-chips svg").count(), 5);
  assert.equal(
    await page.locator(".find-chips >> nth=0").locator("[aria-pressed=true]").count(),
    1,
  );
  await page.goto(`${server.url}/play`);
  await page.waitForURL(`${server.url}/find`);
  assertNoErrors(server, [ann]);
});

test("an absent creator is asked, a present one is taken meanwhile", async () => {
  const [ann, mats, joris] = await openUsers("/players", "AskAnn", "AskMats", "AskJoris");
  const { body } = await joris.request("/api/challenge", { ...TERMS, variant: "hogga" });
  await look(ann, { games: ["hogga"] });
  await ann.page.waitForSelector(".find-progress >> text=Asking AskJoris to come");
  await joris.page.waitForSelector(".notice >> text=AskAnn");
  assert.equal((await openSeeks(ann)).length, 1, "the own seek stays open");
  await mats.page.goto(`${server.url}/lobby`);
  await mats.request("/api/challenge", { ...TERMS, variant: "hogga" });
  const id = await commonGame(ann, mats);
  assert.notEqual(id, body.id);
  await joris.page.waitForSelector(".notice", { state: "detached" });
  assert.equal((await joris.request(`/api/challenge/${body.id}/show`)).body.status, "created");
  await cancelAll(joris);
  assertNoErrors(server, [ann, mats, joris]);
});

test("the computer is offered, and the player is asked", async () => {
  const [ann, mats] = await openUsers("/find", "AsideAnn", "AsideMats");
  const { page } = ann;
  await page.clock.install();
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  assert.equal(await page.locator(".find-offer:visible").count(), 0);
  await advanceUntil(page, 16000, ".find-progress >> text=Nobody yet");
  await page.click("text=Play the computer meanwhile");
  await page.click(".dialog [type=submit]");
  await page.waitForSelector(".board-svg.is-interactive");
  await page.waitForSelector(".search-strip >> text=Still looking");
  assert.equal((await openSeeks(ann)).length, 1, "the search goes on");
  await look(mats, { games: ["hogga"] });
  await page.waitForSelector(".search-strip.is-here >> text=AsideMats is here. Start?");
  await page.click(".search-strip >> text=Finish this first");
  await page.waitForSelector(".search-strip:not(.is-here) >> text=Still looking");
  assert.equal((await openSeeks(ann)).length, 1, "the search is kept");
  // The page of the search takes the waiting player at once.
  await page.goto(`${server.url}/find`);
  await commonGame(ann, mats);
  assertNoErrors(server, [ann, mats]);
});

test("a found opponent starts from the strip", async () => {
  const [ann, mats] = await openUsers("/find", "StripAnn", "StripMats");
  const { page } = ann;
  await page.clock.install();
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  await advanceUntil(page, 16000, "text=Play the computer meanwhile");
  await page.click("text=Play the computer meanwhile");
  await page.click(".dialog [type=submit]");
  await page.waitForSelector(".search-strip >> text=Still looking");
  await look(mats, { games: ["hogga"] });
  await page.click(".search-strip.is-here .btn-primary");
  await mats.page.waitForURL((url) => url.pathname.length === 9);
  await page.waitForURL(mats.page.url());
  await commonGame(ann, mats);
  assert.equal(await page.locator(".search-strip").count(), 0);
  assertNoErrors(server, [ann, mats]);
});

test("a search is canceled from its page and from the strip", async () => {
  const [ann] = await openUsers("/find", "StopAnn");
  const { page } = ann;
  await page.clock.install();
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  await page.click(".find-cancel");
  await page.waitForSelector("text=Search canceled");
  await waitForSeeks(ann, 0);
  await page.click("text=Look again");
  await page.click(".find-look");
  await page.waitForSelector(LOOKING);
  await advanceUntil(page, 16000, "text=Play the computer meanwhile");
  await page.click("text=Play the computer meanwhile");
  await page.click(".dialog [type=submit]");
  await page.click(".search-strip >> text=Cancel");
  await page.waitForSelector(".search-strip", { state: "detached" });
  await waitForSeeks(ann, 0);
  await page.reload();
  await page.waitForSelector(".board-svg.is-interactive");
  assert.equal(await page.locator(".search-strip").count(), 0);
  assertNoErrors(server, [ann]);
});

test("a reload and a lost connection keep the search", async () => {
  const [ann, mats] = await openUsers("/find", "StayAnn", "StayMats");
  const { page } = ann;
  await look(ann, { games: ["hogga"] });
  const [{ id }] = await waitForSeeks(ann, 1);
  await page.reload();
  await page.waitForSelector(LOOKING);
  assert.deepEqual(
    (await openSeeks(ann)).map((seek) => seek.id),
    [id],
  );
  await page.context().setOffline(true);
  await page.waitForSelector(".find-progress >> text=Reconnecting");
  await page.context().setOffline(false);
  await page.waitForSelector(".find-progress >> text=We ask everyone who is here");
  await look(mats, { games: ["hogga"] });
  await commonGame(ann, mats);
});

test("a long search can become a challenge for a day", async () => {
  const [ann] = await openUsers("/find", "LateAnn");
  const { page } = ann;
  await page.clock.install();
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  /**
   * Clicks a button as soon as it is shown: the next answer of the server corrects the clock of the
   * page, and hides it again.
   */
  const clickAfterTwoMinutes = async (text) => {
    await page.evaluate((label) => {
      const target = document.querySelector(".find-page");
      window.hasClicked = false;
      const observer = new MutationObserver(() => {
        const button = [...target.querySelectorAll("button")].find(
          (one) => one.textContent.includes(label) && one.checkVisibility(),
        );
        if (!button) return;
        observer.disconnect();
        window.hasClicked = true;
        button.click();
      });
      observer.observe(target, { subtree: true, childList: true, attributes: true });
    }, text);
    await waitUntil(`${text} is clicked`, async () => {
      await page.clock.fastForward(121000);
      return page.evaluate(() => window.hasClicked);
    });
  };
  await clickAfterTwoMinutes("Try 3 days a move");
  await page.waitForSelector(".find-terms >> text=3 days a move");
  await page.waitForSelector("text=Try 3 days a move", { state: "hidden" });
  await clickAfterTwoMinutes("Leave it open for a day");
  await page.waitForSelector("text=Your challenge is in the lobby");
  await waitForSeeks(ann, 0);
  const { out } = (await ann.request("/api/challenge")).body;
  assert.deepEqual(
    out.map(({ kind, timeControl }) => [kind, timeControl.daysPerTurn]),
    [["list", 3]],
  );
  await cancelAll(ann);
  assertNoErrors(server, [ann]);
});

test("the page fits every width and nothing shifts", async () => {
  for (const [width, height] of [
    [360, 640],
    [390, 844],
    [1024, 768],
    [1440, 900],
  ])
    for (const colorScheme of ["light", "dark"]) {
      const name = `Fit${width}${colorScheme}`;
      const options = { viewport: { width, height }, colorScheme, name };
      const user = await User.open(browser, server, options, null);
      const { page } = user;
      await page.addInitScript(recordLayoutShifts);
      await page.clock.install();
      await page.goto(`${server.url}/find`);
      await page.waitForSelector(".find-sheet");
      await page.screenshot({ path: `tests/browser/shots/find-sheet-${width}-${colorScheme}.png` });
      await look(user, { games: ["wieNietWegIs"], clocks: ["5"] });
      await page.waitForSelector(LOOKING);
      await page.evaluate(() => window.shifts.splice(0));
      await advanceUntil(page, 121000, "text=Leave it open for a day");
      assert.deepEqual(await page.evaluate(() => window.shifts), [], name);
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0, name);
      const small = await page.$$eval(".find-page :is(button, a)", (elements) =>
        elements
          .filter((element) => element.checkVisibility())
          .filter((element) => element.getBoundingClientRect().height < 44)
          .map(({ textContent }) => textContent),
      );
      assert.deepEqual(small, [], name);
      await page.screenshot({ path: `tests/browser/shots/find-stage-${width}-${colorScheme}.png` });
      // A page that connects anew begins its search again.
      await page.goto("about:blank");
      await cancelAll(user);
      await page.context().close();
    }
});

test("news do not cover the heading", async () => {
  const ann = await User.open(browser, server, { ...PHONE, name: "NewsAnn" }, "/find");
  const [bob] = await openUsers("/players", "NewsBob");
  await bob.post("/api/challenge/NewsAnn", { variant: "hogga", days: 3 });
  const { page } = ann;
  const heading = async (selector) => {
    const news = await page.locator(".notice").boundingBox();
    const { y } = await page.locator(selector).boundingBox();
    assert.ok(news.y + news.height <= y, `${selector} is covered`);
  };
  await page.waitForSelector(".notice");
  await heading(".find-sheet h1");
  await look(ann, { games: ["hogga"] });
  await page.waitForSelector(LOOKING);
  await heading(".find-stage h1");
  await screenshot(page, "find-news-phone");
  await cancelAll(ann, bob);
  assertNoErrors(server, [ann, bob]);
});

test("acceptable challenges are first, with presence and age", async () => {
  const [ann, present, absent] = await openUsers("/players", "RankAnn", "RankHere", "RankAway");
  const away = await absent.request("/api/challenge", { ...TERMS, variant: "knightFight" });
  const guest = await User.open(browser, server, {}, "/players");
  const casual = { ...TERMS, rated: false, variant: "hogga" };
  const acceptable = await absent.request("/api/challenge", casual);
  const newest = await submitChallenge(present, {});
  await guest.page.goto(`${server.url}/lobby`);
  await guest.page.waitForSelector(cardSelector(newest));
  const order = await guest.page.$$eval(".challenge-card", (cards) =>
    cards.map(({ dataset }) => dataset.id),
  );
  assert.deepEqual(order, [acceptable.body.id, newest, away.body.id]);
  await guest.page.waitForSelector(
    `${cardSelector(newest)} .challenge-card-reason a[href="/login"] >> text=Sign up`,
  );
  // The commitment to the shuffle is on the page of the challenge.
  assert.doesNotMatch(
    await guest.page.innerText(cardSelector(away.body.id)),
    /[0-9a-f]{8}/,
    "no commitment",
  );
  const challengePage = await guest.page.context().newPage();
  await challengePage.goto(`${server.url}/${away.body.id}`);
  await challengePage.locator(".challenge-page .fair-start summary").waitFor();
  assert.doesNotMatch(await challengePage.innerText(".challenge-page"), /[0-9a-f]{64}/, "closed");
  await challengePage.click(".challenge-page .fair-start summary");
  await challengePage.locator(".fair-start-value >> text=/^[0-9a-f]{64}$/").waitFor();
  await challengePage.close();
  await ann.page.goto(`${server.url}/lobby`);
  await ann.page.waitForSelector(
    `${cardSelector(away.body.id)} >> text=RankAway is away. We'll ask them when you accept.`,
  );
  await ann.page.waitForSelector(`${cardSelector(newest)} .online-dot`);
  assert.match(await ann.page.textContent(`${cardSelector(newest)} time`), /min/);
  // The creator leaves, and the card says so without a reload.
  await present.page.goto("about:blank");
  await ann.page.waitForSelector(`${cardSelector(newest)} >> text=RankHere is away`);
  await ann.page.click(".lobby-filters >> text=Days");
  await ann.page.waitForSelector(".challenge-list-empty:not([hidden])");
  await ann.page.click(".lobby-filters >> text=Live");
  await ann.page.waitForSelector(cardSelector(newest));
  await present.page.goto(`${server.url}/lobby`);
  await cancelAll(absent, present);
  assertNoErrors(server, [ann, present, absent, guest]);
});

test("the short form posts above the fold", async () => {
  const [ann] = await openUsers("/lobby", "FormAnn");
  const { page } = ann;
  await page.setViewportSize({ width: 1440, height: 900 });
  const form = page.locator(".lobby form.challenge-form");
  await form.waitFor();
  const { bottom } = await form
    .locator("[type=submit]")
    .evaluate((button) => button.getBoundingClientRect().toJSON());
  assert.ok(bottom <= 900, `the button ends at ${bottom}`);
  assert.deepEqual(
    await form.locator(".game-choice button > span:last-child").allInnerTexts(),
    ["Caterpillar War", "Knight Fight", "Hogga", "Kopf oder Knopf", "Wie niet weg is"],
    "tiles have names",
  );
  await form.locator("[data-value=fixed]").click();
  await form.locator("text=Your rating may move by 200 in one game").waitFor();
  await form.locator("summary").click();
  await form.locator("text=Allow new players and guests").waitFor();
  await form.locator(".segmented [data-value=named]").click();
  for (const text of ["Who may accept", "Allow new players and guests"])
    await form.locator(`text=${text}`).waitFor({ state: "hidden" });
  await page.screenshot({ path: "tests/browser/shots/form-1440.png" });
  await form.locator(".segmented [data-value=list]").click();
  await form.locator("[data-value=days]").click();
  await form.locator("[type=submit]").click();
  await page.waitForSelector(".toast >> text=It appears under Your games");
  await cancelAll(ann);
  assertNoErrors(server, [ann]);
});
