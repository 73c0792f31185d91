// Keyboard driver for tests that use no pointer.
//
// Every step checks that the focus is neither lost nor invisible. Used by keyboard.test.mjs.
import assert from "node:assert/strict";

/** Returns whether the focus is lost and visible, and a description of its element. */
const focusState = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const board = element.matches("svg.board-svg");
    const isVisible = board
      ? getComputedStyle(element.querySelector(".board-layer-focus")).display !== "none"
      : outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    return {
      isLost: element === document.body,
      isVisible,
      description: `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} ${element.textContent.slice(0, 30)}`,
    };
  });

/** Keyboard user of a page. */
export class KeyboardUser {
  constructor({ page }) {
    this.page = page;
  }

  /** Asserts that an element has the focus and shows it. */
  async assertFocusVisible(after) {
    const { isLost, isVisible, description } = await focusState(this.page);
    assert.ok(!isLost, `the focus is lost after ${after}`);
    assert.ok(isVisible, `the focus on ${description} is not visible after ${after}`);
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.assertFocusVisible(key);
    }
  }

  /** Presses a key that opens another page, where the focus is reset. */
  async pressAndNavigate(key) {
    const { page } = this;
    const previous = page.url();
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== previous);
  }

  /** Presses Tab until the element has the focus. */
  async tabTo(selector) {
    const { page } = this;
    await page.waitForSelector(selector);
    for (let steps = 0; steps < 90; steps += 1) {
      if (await page.evaluate((target) => document.activeElement.matches(target), selector))
        return this.assertFocusVisible("Tab");
      await page.keyboard.press("Tab");
    }
    throw new Error(`${selector} is not reachable by Tab`);
  }

  /** Selects an option of a radio group with the arrow keys. */
  async selectRadio(group, value) {
    const { page } = this;
    await this.tabTo(`${group} [aria-checked=true]`);
    for (let steps = 0; steps < 12; steps += 1) {
      if ((await page.evaluate(() => document.activeElement.dataset.value)) === value) return;
      await this.press("ArrowRight");
    }
    throw new Error(`${value} is not selectable in ${group}`);
  }

  /** Selects an option of a list by its first letters. */
  async selectOption(selector, letters, value) {
    const { page } = this;
    await this.tabTo(selector);
    await page.keyboard.type(letters);
    await page.waitForFunction(
      ([list, expected]) => document.querySelector(list).value === expected,
      [selector, value],
    );
  }

  /** Types a text into the focused element. */
  type(text) {
    return this.page.keyboard.type(text);
  }

  /** Moves the board cursor to a cell with the arrow keys, around places without cells. */
  async moveCursorTo(name) {
    const { page } = this;
    await this.tabTo("svg.board-svg.is-interactive");
    let last = null;
    for (let steps = 0; steps < 40; steps += 1) {
      const { at, keys } = await page.evaluate((target) => {
        const position = (id) => [
          document.getElementById(id).x.baseVal.value,
          document.getElementById(id).y.baseVal.value,
        ];
        const here = document.activeElement.getAttribute("aria-activedescendant");
        const [[x, y], [targetX, targetY]] = [position(here), position(`cell-${target}`)];
        const across = x !== targetX && (x < targetX ? "ArrowRight" : "ArrowLeft");
        const along = y !== targetY && (y < targetY ? "ArrowDown" : "ArrowUp");
        return { at: here, keys: [across, along].filter(Boolean) };
      }, name);
      if (!keys.length) return;
      // At an edge the cursor stays on its cell.
      const isStuck = last?.at === at && last.key === keys[0];
      const key = isStuck && keys.length > 1 ? keys[1] : keys[0];
      last = { at, key };
      await this.press(key);
    }
    throw new Error(`${name} is not reachable by arrow keys`);
  }

  /** Enters a move cell by cell with arrow keys and Enter. */
  async enterMove(...cells) {
    for (const cell of cells) {
      await this.moveCursorTo(cell);
      await this.press("Enter");
    }
  }

  /** Returns the accessible name of the cell under the board cursor. */
  cellLabel() {
    return this.page.evaluate(() =>
      document
        .getElementById(document.activeElement.getAttribute("aria-activedescendant"))
        .getAttribute("aria-label"),
    );
  }

  /** Waits for a text in the assertive live region. */
  waitForAnnouncement(text) {
    return this.page.waitForFunction(
      (expected) => document.querySelector("[aria-live=assertive]")?.textContent.includes(expected),
      text,
    );
  }
}
