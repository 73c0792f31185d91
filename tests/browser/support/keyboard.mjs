// Keyboard driver for tests that use no pointer.
//
// Every step checks that the focus is neither lost nor invisible. Used by keyboard.test.mjs.
import assert from "node:assert/strict";

/** Returns whether the focus is lost, whether it is visible, and a description of its element. */
const focusOf = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const board = at.matches("svg.board-svg");
    const shown = board
      ? getComputedStyle(at.querySelector(".board-layer-focus")).display !== "none"
      : outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return {
      nowhere: at === document.body,
      shown,
      what: `${at.tagName.toLowerCase()}.${at.getAttribute("class") ?? ""} ${at.textContent.slice(0, 30)}`,
    };
  });

/** Keyboard user of a page. */
export class Hands {
  constructor({ page }) {
    this.page = page;
  }

  /** Asserts that an element has the focus and shows it. */
  async stands(after) {
    const { nowhere, shown, what } = await focusOf(this.page);
    assert.ok(!nowhere, `the focus is lost after ${after}`);
    assert.ok(shown, `the focus on ${what} is not visible after ${after}`);
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.stands(key);
    }
  }

  /** Presses a key that opens another page, where the focus is reset. */
  async leave(key) {
    const { page } = this;
    const left = page.url();
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== left);
  }

  /** Presses Tab until the element has the focus. */
  async to(selector) {
    const { page } = this;
    await page.waitForSelector(selector);
    for (let steps = 0; steps < 90; steps += 1) {
      if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector))
        return this.stands("Tab");
      await page.keyboard.press("Tab");
    }
    throw new Error(`${selector} is not reachable by Tab`);
  }

  /** Selects an option of a radio group with the arrow keys. */
  async choose(group, value) {
    const { page } = this;
    await this.to(`${group} [aria-checked=true]`);
    for (let steps = 0; steps < 12; steps += 1) {
      if ((await page.evaluate(() => document.activeElement.dataset.value)) === value) return;
      await this.press("ArrowRight");
    }
    throw new Error(`${value} is not selectable in ${group}`);
  }

  /** Selects an option of a list by its first letters. */
  async select(selector, letters, value) {
    const { page } = this;
    await this.to(selector);
    await page.keyboard.type(letters);
    await page.waitForFunction(
      ([list, wanted]) => document.querySelector(list).value === wanted,
      [selector, value],
    );
  }

  /** Types a text into the focused element. */
  type(text) {
    return this.page.keyboard.type(text);
  }

  /** Moves the board cursor to a cell with the arrow keys. */
  async cell(name) {
    const { page } = this;
    await this.to("svg.board-svg.is-interactive");
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
    throw new Error(`${name} is not reachable by arrow keys`);
  }

  /** Enters a move cell by cell with arrow keys and Enter. */
  async move(...cells) {
    for (const cell of cells) {
      await this.cell(cell);
      await this.press("Enter");
    }
  }

  /** Returns the accessible name of the cell under the board cursor. */
  hears() {
    return this.page.evaluate(() =>
      document
        .getElementById(document.activeElement.getAttribute("aria-activedescendant"))
        .getAttribute("aria-label"),
    );
  }

  /** Waits for a text in the assertive live region. */
  told(text) {
    return this.page.waitForFunction(
      (wanted) => document.querySelector("[aria-live=assertive]")?.textContent.includes(wanted),
      text,
    );
  }
}
