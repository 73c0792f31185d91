// Hands on a keyboard: what the tests do that use nothing else.
import assert from "node:assert/strict";

/** Where the keyboard is, and whether that is to be seen. */
const focusOf = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const board = at.matches("svg.bd");
    const shown = board
      ? getComputedStyle(at.querySelector(".focus")).display !== "none"
      : outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return {
      nowhere: at === document.body,
      shown,
      what: `${at.tagName.toLowerCase()}.${at.getAttribute("class") ?? ""} ${at.textContent.slice(0, 30)}`,
    };
  });

/** Somebody at a page of whom nothing but keys is used. */
export class Hands {
  constructor({ page }) {
    this.page = page;
  }

  /** The keyboard is somewhere, and its place is to be seen. */
  async stands(after) {
    const { nowhere, shown, what } = await focusOf(this.page);
    assert.ok(!nowhere, `the focus is lost after ${after}`);
    assert.ok(shown, `the focus on ${what} is not to be seen after ${after}`);
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.stands(key);
    }
  }

  /** Presses what leads to another page, where the focus begins anew. */
  async leave(key) {
    const { page } = this;
    const left = page.url();
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== left);
  }

  /** Tabs on until it stands on that. */
  async to(selector) {
    const { page } = this;
    await page.waitForSelector(selector);
    for (let steps = 0; steps < 90; steps += 1) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector))
        return this.stands("Tab");
      await page.keyboard.press("Tab");
    }
    throw new Error(`${selector} cannot be come to by Tab`);
  }

  /** Chooses one of a row by the arrows. */
  async choose(group, value) {
    const { page } = this;
    await this.to(`${group} [aria-checked=true]`);
    for (let steps = 0; steps < 12; steps += 1) {
      if ((await page.evaluate(() => document.activeElement.dataset.value)) === value) return;
      await this.press("ArrowRight");
    }
    throw new Error(`${value} cannot be chosen in ${group}`);
  }

  /** Chooses an option of a list by its first letters. */
  async select(selector, letters, value) {
    const { page } = this;
    await this.to(selector);
    await page.keyboard.type(letters);
    await page.waitForFunction(
      ([list, wanted]) => document.querySelector(list).value === wanted,
      [selector, value],
    );
  }

  /** Writes where the focus is. */
  type(text) {
    return this.page.keyboard.type(text);
  }

  /** Goes to a cell of the board by the arrows. */
  async cell(name) {
    const { page } = this;
    await this.to("svg.bd.live");
    for (let steps = 0; steps < 40; steps += 1) {
      const key = await page.evaluate((goal) => {
        const place = (id) => [
          document.getElementById(id).x.baseVal.value,
          document.getElementById(id).y.baseVal.value,
        ];
        const [[x, y], [goalX, goalY]] = [
          place(document.activeElement.getAttribute("aria-activedescendant")),
          place(`cell-${goal}`),
        ];
        if (x !== goalX) return x < goalX ? "ArrowRight" : "ArrowLeft";
        return y === goalY ? null : y < goalY ? "ArrowDown" : "ArrowUp";
      }, name);
      if (!key) return;
      await this.press(key);
    }
    throw new Error(`${name} cannot be come to`);
  }

  /** Makes a move on the board. */
  async move(...cells) {
    for (const cell of cells) {
      await this.cell(cell);
      await this.press("Enter");
    }
  }

  /** What is told of the cell that the keyboard is on. */
  hears() {
    return this.page.evaluate(() =>
      document
        .getElementById(document.activeElement.getAttribute("aria-activedescendant"))
        .getAttribute("aria-label"),
    );
  }

  /** Waits until that is said at once to those who listen. */
  told(text) {
    return this.page.waitForFunction(
      (wanted) => document.querySelector("[aria-live=assertive]")?.textContent.includes(wanted),
      text,
    );
  }
}
