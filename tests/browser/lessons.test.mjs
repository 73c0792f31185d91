// Lessons: whole lessons by taps, wrong and refused moves, demonstrations, progress, keyboard only,
// offline, and the layout on small screens.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languagesToFit } from "./support/all-cases.mjs";
import { languages, lessons } from "../client/support/languages.mjs";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { KeyboardUser } from "./support/keyboard.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { assertNoErrors, assertNoPageErrors } from "./support/no-errors.mjs";
import { OFFLINE_ERRORS, goOffline, openWithServiceWorker } from "./support/service-worker.mjs";
import { PHONE, SMALL_PHONE, horizontalOverflow, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const { more } = languages.en;
const wordsOf = (variant) => languages.en.lessons[variant].tasks;

/** User of a lesson on a touch screen. */
class Learner {
  static async open(variant, options = PHONE) {
    const learner = new Learner();
    learner.variant = variant;
    learner.user = await User.open(browser, server, options, null);
    learner.page = learner.user.page;
    await learner.visit();
    return learner;
  }

  async visit() {
    await this.user.visit(`/learn/${this.variant}`, ".learn rect.board-cell.is-selectable");
    return this;
  }

  status() {
    return this.page.textContent(".learn .game-status p");
  }

  async tap(...cells) {
    for (const cell of cells) {
      const [x, y] = await this.user.cellCenter(cell);
      await this.page.touchscreen.tap(x, y);
      // On small cells, the last tap of a move only shows it.
      if (await this.page.locator(".learn .board-held").count())
        await this.page.touchscreen.tap(x, y);
    }
  }

  press(action) {
    return this.page.locator(`.learn [data-action="${action}"]`).click();
  }

  waitForStatus(text) {
    return this.page.waitForFunction(
      (expected) => document.querySelector(".learn .game-status p").textContent.includes(expected),
      text,
    );
  }

  /** Waits until the goal of a step is shown and the board takes clicks. */
  async waitForStep(task, step = 0) {
    const { goal } = wordsOf(this.variant)[task].steps[step];
    await this.page.waitForFunction(
      (text) => document.querySelector(".learn-goal")?.textContent === text,
      goal,
    );
    await this.page.waitForSelector(".learn rect.board-cell.is-selectable");
  }

  async openTask(task) {
    for (let at = 0; at < task; at += 1) {
      await this.waitForStep(at);
      await this.press("skip");
    }
    await this.waitForStep(task);
  }

  /** Taps what each step of a task asks for, and waits for the explanation. */
  async solve(task) {
    const { steps } = lessons[this.variant][task];
    for (const [at, { goal, solution }] of steps.entries()) {
      await this.waitForStep(task, at);
      await this.tap(...(goal.refused ?? cellsOf(solution)));
      if (goal.refused && at + 1 < steps.length) await this.press("next");
    }
    await this.waitForStatus(wordsOf(this.variant)[task].steps.at(-1).done);
  }

  boardBox() {
    return this.page.locator(".learn .game-board").boundingBox();
  }
}

for (const [variant, tasks] of Object.entries(lessons))
  test(`the lesson of ${variant} is played to its end by taps`, async () => {
    const learner = await Learner.open(variant);
    const { page, user } = learner;
    const box = await learner.boardBox();
    for (const task of tasks.keys()) {
      await learner.solve(task);
      assert.deepEqual(await learner.boardBox(), box, "the board does not move");
      assert.ok(await page.locator(".learn-dots button").nth(task).getAttribute("class"));
      await learner.press("next");
    }
    await page.locator("h1", { hasText: more["learn.finished"] }).waitFor();
    assert.deepEqual(await learner.boardBox(), box);
    assert.equal(await page.locator(".learn-dots .is-done").count(), tasks.length);
    await screenshot(page, `lesson-${variant}-end`);
    await page.click(`.learn-buttons >> text=${more["learn.level"]}`);
    await page.waitForURL(/\/\w{8}$/);
    await page.waitForSelector(".game-player .is-bot");
    assertNoErrors(server, [user]);
  });

test("a task that is done stays until Next is tapped", async () => {
  const learner = await Learner.open("wieNietWegIs", { ...PHONE, reducedMotion: "no-preference" });
  const { page } = learner;
  await page.clock.install();
  await learner.solve(0);
  await page.clock.fastForward(60_000);
  // A button that appears in its place would be hit instead.
  const { goal, done } = wordsOf("wieNietWegIs")[0].steps.at(-1);
  assert.equal(await page.textContent(".learn-goal"), goal);
  await learner.waitForStatus(done);
  // A double tap on Next presses nothing else.
  const next = await page.locator('.learn [data-action="next"]').boundingBox();
  await learner.press("next");
  await learner.waitForStep(1);
  for (const action of ["skip", "show"]) {
    const { x, width } = await page.locator(`.learn [data-action="${action}"]`).boundingBox();
    assert.ok(x + width <= next.x || next.x + next.width <= x, `${action} is in the place of Next`);
  }
  assertNoErrors(server, [learner.user]);
});

test("a tap on the board after a wrong move begins the step again", async () => {
  const learner = await Learner.open("caterpillarWar", PHONE);
  const { page } = learner;
  await learner.waitForStep(0);
  await learner.tap("f4", "g5");
  await learner.waitForStatus("Try again: f4, then e5");
  await page.locator(".learn .board-svg").tap();
  await learner.waitForStep(0);
  await learner.tap("f4", "e5");
  await learner.waitForStep(0, 1);
  assertNoErrors(server, [learner.user]);
});

test("a wrong move is refuted on the board and tried again", async () => {
  const learner = await Learner.open("caterpillarWar");
  const { page } = learner;
  await learner.openTask(3);
  const pieces = () => page.locator(".learn .board-layer-pieces").innerHTML();
  const before = await pieces();
  const [{ wrong }] = wordsOf("caterpillarWar")[3].steps;
  await learner.tap("c3", "c4", "d4");
  await learner.waitForStatus(wrong[0]);
  assert.notEqual(await pieces(), before);
  assert.equal(await page.locator(".learn rect.board-cell.is-selectable").count(), 0);
  await screenshot(page, "lesson-refuted");
  await learner.press("again");
  await learner.waitForStep(3);
  assert.equal(await pieces(), before);
  // A move without its own explanation has the general one of the task.
  await learner.tap("c2", "b2");
  await learner.waitForStatus(wordsOf("caterpillarWar")[3].steps[0].but);
  await learner.press("again");
  await learner.solve(3);
  assertNoErrors(server, [learner.user]);
});

test("a refused tap says why and loses nothing", async () => {
  const learner = await Learner.open("caterpillarWar");
  await learner.tap("f4");
  await learner.page.waitForSelector(".learn .board-selection");
  const prompt = await learner.status();
  await learner.tap("f7");
  await waitUntil("the reason is shown", async () => (await learner.status()) !== prompt);
  assert.equal(await learner.page.locator(".learn .board-selection").count(), 1);
  await learner.tap("e5");
  await learner.waitForStep(0, 1);
  assertNoErrors(server, [learner.user]);
});

test("a refusal that a step asks for is shown in one place", async () => {
  for (const [variant, task] of [
    ["knightFight", 2],
    ["hogga", 4],
    ["wieNietWegIs", 3],
  ]) {
    const learner = await Learner.open(variant);
    await learner.openTask(task);
    await learner.tap(...lessons[variant][task].steps[0].goal.refused);
    const { done } = wordsOf(variant)[task].steps[0];
    await learner.waitForStatus(done);
    assert.equal(await learner.page.locator(".learn-dots .is-done").count(), 0);
    await learner.press("next");
    await learner.waitForStep(task, 1);
    const goal = await learner.page.textContent(".learn-goal");
    assert.ok(!/not allowed|may not|could leap/i.test(goal), goal);
    assert.notEqual(await learner.page.textContent(".learn-foot .game-status"), done);
    assertNoErrors(server, [learner.user]);
  }
});

test("Show me plays the solution, Skip leaves the task open", async () => {
  const learner = await Learner.open("caterpillarWar");
  const { page } = learner;
  await learner.openTask(1);
  await learner.press("show");
  const [{ done }] = wordsOf("caterpillarWar")[1].steps;
  for (const text of ["Tail: tap b3.", "Tower: tap d3.", "End: tap f3."])
    await learner.waitForStatus(text);
  await learner.waitForStatus(done);
  assert.equal(await page.locator(".learn-dots .is-done").count(), 0);
  await learner.press("again");
  await learner.waitForStep(1);
  await learner.press("skip");
  await learner.waitForStep(2);
  assert.equal(await page.locator(".learn-dots .is-done").count(), 0);
  assertNoErrors(server, [learner.user]);
});

test("Show me says something in steps without an explanation", async () => {
  const learner = await Learner.open("kopfOderKnopf");
  assert.equal(wordsOf("kopfOderKnopf")[2].steps[0].done, undefined);
  await learner.openTask(2);
  await learner.press("show");
  await learner.waitForStatus("That is the move.");
  assertNoErrors(server, [learner.user]);
});

test("a reload keeps the progress, the dots open other tasks", async () => {
  const learner = await Learner.open("hogga");
  const { page } = learner;
  const dots = page.locator(".learn-dots");
  assert.equal(await dots.evaluate((nav) => getComputedStyle(nav).visibility), "hidden");
  for (const task of [0, 1]) {
    await learner.solve(task);
    await learner.press("next");
  }
  await learner.visit();
  await learner.waitForStep(2);
  assert.equal(await dots.locator(".is-done").count(), 2);
  assert.equal(await dots.evaluate((nav) => getComputedStyle(nav).visibility), "visible");
  await dots.locator("button").nth(4).click();
  await learner.waitForStep(4);
  assert.equal(await dots.locator("[aria-current=step]").count(), 1);
  await dots.locator("button").first().click();
  await learner.waitForStep(0);
  assertNoErrors(server, [learner.user]);
});

test("a lesson is done with the keyboard only", async () => {
  const user = await User.open(browser, server, { reducedMotion: "no-preference" }, null);
  const variant = "caterpillarWar";
  await user.visit(`/learn/${variant}`, ".learn rect.board-cell.is-selectable");
  const keyboard = new KeyboardUser(user);
  const learner = Object.assign(new Learner(), { variant, user, page: user.page });
  for (const [task, { steps }] of lessons[variant].entries()) {
    for (const [at, { goal, solution }] of steps.entries()) {
      await learner.waitForStep(task, at);
      await keyboard.enterMove(...(goal.refused ?? cellsOf(solution)));
      if (!goal.refused || at + 1 === steps.length) continue;
      await user.page.waitForSelector('.learn [data-action="next"]:focus');
      await keyboard.press("Enter");
    }
    await learner.waitForStatus(wordsOf(variant)[task].steps.at(-1).done);
    await user.page.waitForSelector('.learn [data-action="next"]:focus');
    await keyboard.press("Enter");
  }
  await user.page.waitForSelector(".learn-buttons .btn-primary:focus");
  await keyboard.tabTo(".learn-dots button:nth-child(3)");
  await keyboard.press("Enter");
  await learner.waitForStep(2);
  // An answer leads to its main button, Again back to the board.
  await keyboard.enterMove("b3", "b4");
  await user.page.waitForSelector('.learn [data-action="again"]:focus');
  await keyboard.press("Enter");
  await learner.waitForStep(2);
  await user.page.waitForSelector(".learn .board-svg:focus");
  await keyboard.enterMove("b3");
  await user.page.keyboard.press("Escape");
  assert.equal(await user.page.locator(".learn .board-selection").count(), 0);
  assertNoErrors(server, [user]);
});

test("a lesson works offline after a first visit", async () => {
  const user = await openWithServiceWorker(browser, server, PHONE);
  await goOffline(user);
  const learner = Object.assign(new Learner(), { variant: "kopfOderKnopf", user, page: user.page });
  await learner.visit();
  for (const task of lessons.kopfOderKnopf.keys()) {
    await learner.solve(task);
    await learner.press("next");
  }
  await user.page.locator("h1", { hasText: more["learn.finished"] }).waitFor();
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("lessons fit small phones without scrolling or shifts", async () => {
  for (const [name, options] of Object.entries({ phone: PHONE, small: SMALL_PHONE }))
    for (const [variant, tasks] of Object.entries(lessons)) {
      const user = await User.open(browser, server, options, null);
      await user.page.addInitScript(recordLayoutShifts);
      const learner = Object.assign(new Learner(), { variant, user, page: user.page });
      await learner.visit();
      for (const task of tasks.keys()) {
        await learner.waitForStep(task);
        const { height, foot, status } = await user.page.evaluate(() => ({
          height: innerHeight,
          foot: document.querySelector(".learn-dots").getBoundingClientRect().bottom,
          status: [".game-status p", ".learn-goal"].map((selector) => {
            const element = document.querySelector(`.learn ${selector}`);
            return element.scrollHeight - element.clientHeight;
          }),
        }));
        assert.ok(foot <= height, `${variant} ${task} on a ${name} phone: ${foot} of ${height}`);
        assert.deepEqual(status, [0, 0], `${variant} ${task}: cut text`);
        if (task < 2) await screenshot(user.page, `lesson-${variant}-${task}-${name}`);
        await learner.press("skip");
      }
      await user.page.locator("h1", { hasText: more["learn.finished"] }).waitFor();
      assert.equal(await horizontalOverflow(user.page), 0);
      // Input hides the status line at the end; nothing may shift by itself.
      const shifts = (await takeLayoutShifts(user.page)).filter(
        ({ hadRecentInput }) => !hadRecentInput,
      );
      assert.ok(totalShift(shifts) < 0.02, `${variant} ${name}: ${JSON.stringify(shifts)}`);
      await user.page.context().close();
    }
});

test("explanations are not cut on a small phone in any language", async () => {
  for (const [, locale] of languagesToFit) {
    const user = await User.open(browser, server, { ...SMALL_PHONE, locale }, null);
    await user.visit("/learn/hogga", ".learn rect.board-cell.is-selectable");
    const translations = languages[locale.slice(0, 2)];
    const texts = Object.entries(lessons).flatMap(([variant, tasks]) =>
      tasks.flatMap(({ steps }, task) =>
        steps.map(({ goal }, at) => ({
          ...translations.lessons[variant].tasks[task].steps[at],
          praise: goal.refused ? "{text}" : translations.more["learn.yes"],
        })),
      ),
    );
    const cut = await user.page.evaluate((steps) => {
      const goal = document.querySelector(".learn-goal");
      const status = document.querySelector(".learn .game-status p b");
      const box = status.closest(".game-status");
      const height = goal.getBoundingClientRect().height;
      return steps.flatMap(({ goal: text, done, but, wrong = [], praise }) => {
        // The first sentence of a lesson is bold.
        const [aim] = /^(Aim|Doel|Mål):[^.]+\./.exec(text) ?? [""];
        goal.replaceChildren(
          Object.assign(document.createElement("b"), { textContent: aim }),
          text.slice(aim.length),
        );
        const long = goal.getBoundingClientRect().height > height ? [text] : [];
        const explanations = [done && praise.replace("{text}", done), but, ...wrong]
          .filter(Boolean)
          .filter((each) => {
            status.textContent = each;
            return status.getBoundingClientRect().height > box.clientHeight - 8;
          });
        return [...long, ...explanations];
      });
    }, texts);
    assert.deepEqual(cut, [], locale);
  }
});

test("no effect of a move is told before the first tap", async () => {
  const learner = await Learner.open("kopfOderKnopf");
  await learner.openTask(4);
  assert.match(
    await learner.page.textContent(".learn-score"),
    /^Taken so far: Red \d+ · Blue \d+ \(10 win\)$/,
  );
  await learner.waitForStatus("Blue has 3 together");
  assert.doesNotMatch(await learner.status(), /Takes/);
  await learner.tap("e4");
  await learner.waitForStatus("Takes Blue's e4.");
  assertNoErrors(server, [learner.user]);
});

test("coordinates are readable on a small phone", async () => {
  const user = await User.open(browser, server, SMALL_PHONE, null);
  const { page } = user;
  for (const variant of Object.keys(lessons)) {
    await user.visit(`/learn/${variant}`, ".learn rect.board-cell.is-selectable");
    // The size follows that of the board.
    await page.waitForFunction(() => document.querySelector(".learn .board-svg").style.cssText);
    const { sizes, outside } = await page.$$eval(
      ".learn .board-svg .board-coordinates text",
      (texts) => {
        const svg = texts[0].ownerSVGElement;
        const board = svg.getBoundingClientRect();
        const unit = board.width / svg.viewBox.baseVal.width;
        return {
          sizes: texts.map((text) => parseFloat(getComputedStyle(text).fontSize) * unit),
          outside: texts
            .filter((text) => {
              const { left, right } = text.getBoundingClientRect();
              return left < board.left - 1 || right > board.right + 1;
            })
            .map(({ textContent }) => textContent),
        };
      },
    );
    assert.ok(Math.min(...sizes) >= 11, `${variant}: ${Math.min(...sizes)} px`);
    assert.deepEqual(outside, [], variant);
  }
  assertNoErrors(server, [user]);
});

test("the score follows the moves of a lesson", async () => {
  const learner = await Learner.open("knightFight", SMALL_PHONE);
  const score = (text) =>
    learner.page.waitForFunction(
      (expected) => document.querySelector(".learn-score").textContent === expected,
      text,
    );
  await score("White: 0 points · Black: 0 points");
  await learner.solve(0);
  await score("White: 96 points · Black: 0 points");
  await learner.press("next");
  await score("White: 120 points · Black: 131 points");
  for (const [, locale] of languagesToFit) {
    const user = await User.open(browser, server, { ...SMALL_PHONE, locale }, null);
    await user.visit("/learn/knightFight", ".learn rect.board-cell.is-selectable");
    const titles = languages[locale.slice(0, 2)].lessons.knightFight.tasks.map(
      ({ title }) => title,
    );
    const long = await user.page.evaluate((all) => {
      const heading = document.querySelector(".learn h1");
      const [, where] = heading.textContent.split(" · ");
      const { height } = document.querySelector(".learn-title").getBoundingClientRect();
      return all.filter((title) => {
        heading.textContent = `${title} · ${where}`;
        return document.querySelector(".learn-title").getBoundingClientRect().height > height;
      });
    }, titles);
    assert.deepEqual(long, [], locale);
  }
  assertNoErrors(server, [learner.user]);
});

test("lessons define the words of a game where they first occur", () => {
  const definitions = {
    caterpillarWar: {
      en: [/caterpillar/i, /a line of your stones/],
      nl: [/rups/i, /een rij van je stenen/],
      sv: [/larv/i, /en linje av dina stenar/],
    },
    hogga: { en: [/Hogga/, /pointed cap/], nl: [/Hogga/, /puntmuts/], sv: [/Hogg/, /spetsig/] },
  };
  for (const [variant, byLanguage] of Object.entries(definitions))
    for (const [language, [word, definition]] of Object.entries(byLanguage)) {
      const texts = languages[language].lessons[variant].tasks.flatMap(({ steps }) =>
        steps.flatMap(({ goal, done, but, wrong = [] }) => [goal, done, but, ...wrong]),
      );
      assert.match(
        texts.find((text) => text && word.test(text)),
        definition,
        `${variant}, ${language}`,
      );
    }
});

test("an unknown lesson has the page for missing addresses", async () => {
  const user = await User.open(browser, server, {}, null);
  const response = await user.page.goto(`${server.url}/learn/chess`);
  assert.equal(response.status(), 404);
  await user.page.locator("h1", { hasText: "Page not found" }).waitFor();
  await user.page.goto(`${server.url}/learn`);
  await user.page.waitForURL(`${server.url}/rules`);
});

test("lessons look alike in all themes and windows", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  for (const [width, height] of [
    [390, 844],
    [1024, 768],
    [1440, 900],
  ]) {
    await page.setViewportSize({ width, height });
    await user.visit("/learn/knightFight", ".learn rect.board-cell.is-selectable");
    for (const theme of ["light", "dark", "contrast"]) {
      await page.evaluate((value) => window.sprongTheme.set(value), theme);
      assert.ok((await horizontalOverflow(page)) <= 0, `${width} ${theme}`);
      const { bottom } = await page.evaluate(() =>
        document.querySelector(".learn").getBoundingClientRect().toJSON(),
      );
      assert.ok(bottom <= height, `${width}: ${bottom}`);
      await screenshot(page, `lesson-${width}-${theme}`);
    }
  }
  assertNoErrors(server, [user]);
});
