// Chat sheet of a game on phones: it leaves the board visible, names the move of each line, and
// sends by a tap.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { gameStarter, VARIANTS } from "./support/game.mjs";
import { languages } from "../client/support/languages.mjs";
import { PHONE, SMALL_PHONE } from "./support/viewports.mjs";

const shared = await startServerAndBrowser();
const startGame = gameStarter(shared);

const open = async ({ page }) => {
  await page.tap(".chat-button");
  await page.waitForSelector(".is-chat-open .chat-panel input:focus");
};

/** Types a text and sends it by a tap on the button. */
const say = async ({ page }, text) => {
  await page.fill(".chat-panel input", text);
  await page.tap(".chat-send");
  await page.waitForSelector(`.chat-panel li:last-child >> text=${text}`);
  assert.equal(await page.inputValue(".chat-panel input"), "");
};

/**
 * Returns the share of the board that the sheet leaves visible, whether it leaves both clocks
 * visible, and the sizes of its lines and of the button.
 */
const measure = ({ page }) =>
  page.evaluate(() => {
    const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
    const [board, sheet, list] = [".game-board", ".chat-panel", ".chat-panel ol"].map(boxOf);
    const clocks = [".is-top", ".is-bottom"].map((bar) => boxOf(`${bar} .game-clock`));
    const send = boxOf(".chat-send");
    const overlap = (box) => {
      const width = Math.min(box.right, sheet.right) - Math.max(box.left, sheet.left);
      const height = Math.min(box.bottom, sheet.bottom) - Math.max(box.top, sheet.top);
      return Math.max(width, 0) * Math.max(height, 0);
    };
    return {
      boardShare: 1 - overlap(board) / (board.width * board.height),
      areClocksVisible: clocks.every((clock) => overlap(clock) === 0),
      listHeight: list.height,
      send: { width: send.width, height: send.height, isInView: send.bottom <= innerHeight },
    };
  });

for (const phone of [PHONE, SMALL_PHONE]) {
  const { width, height } = phone.viewport;
  test(`chat sheet at ${width} × ${height} sends by tap`, async () => {
    const [ann, bob, id] = await startGame({}, [phone, phone]);
    const { page } = ann;
    await open(ann);
    await say(ann, "Hello");
    assert.equal(await page.locator(".chat-ply").count(), 0, "a number before the first move");
    await ann.play(id, "h5-g5");
    await ann.waitForPly(1);
    await say(ann, "Here we go");
    assert.equal(await page.textContent(".chat-ply"), "Move 1.");
    await page.getByRole("button", { name: "Sent at move 1: go to it" }).waitFor();
    await bob.page.waitForSelector(".chat-panel li >> text=Here we go", { state: "attached" });
    await page.tap(".chat-panel .icon");
    await page.waitForSelector(".chat-panel", { state: "hidden" });
    assertNoPageErrors([ann, bob]);
  });

  test(`chat sheet at ${width} × ${height} leaves the board seen`, async () => {
    for (const variant of VARIANTS) {
      const [ann, bob] = await startGame({ variant }, [phone, {}]);
      await open(ann);
      await say(ann, "Hello");
      const { boardShare, areClocksVisible, listHeight, send } = await measure(ann);
      assert.ok(boardShare > 0.95, `${variant}: ${boardShare} of the board is visible`);
      assert.ok(areClocksVisible, `${variant}: a clock is covered`);
      assert.ok(listHeight >= 24, `${variant}: ${listHeight} px of the lines are visible`);
      assert.ok(send.isInView && Math.min(send.width, send.height) >= 43.5, variant);
      for (const { page } of [ann, bob]) await page.context().close();
    }
  });

  test(`chat sheet at ${width} × ${height} follows a turn of the phone`, async () => {
    const [ann] = await startGame({}, [phone, {}]);
    await open(ann);
    await ann.page.setViewportSize({ width: height, height: width });
    await waitUntil("the sheet is beside the board", async () => {
      const { boardShare, areClocksVisible, send } = await measure(ann);
      return boardShare > 0.95 && areClocksVisible && send.isInView;
    });
    const { listHeight } = await measure(ann);
    assert.ok(listHeight >= 24, `${listHeight} px of the lines are visible`);
  });
}

test("chat sheet beside the board leaves both clocks seen", async () => {
  const [ann] = await startGame({}, [{ viewport: { width: 1024, height: 768 } }, {}]);
  await ann.page.click(".chat-button");
  await ann.page.waitForSelector(".is-chat-open .chat-panel input:focus");
  const { boardShare, areClocksVisible, listHeight, send } = await measure(ann);
  assert.ok(boardShare === 1 && areClocksVisible && send.isInView);
  assert.ok(listHeight > 100, `${listHeight} px of the lines are visible`);
});

test("a player turns the chat off and on", async () => {
  const [ann, bob] = await startGame({}, [PHONE, PHONE]);
  const { page } = ann;
  const openSettings = async () => {
    await page.tap(".game-title .icon[title=Settings]");
    await page.waitForSelector("dialog .switch");
  };
  await openSettings();
  await page.tap("dialog .switch >> text=Chat");
  await page.keyboard.press("Escape");
  await open(bob);
  await say(bob, "Hello there");
  await page.waitForSelector(".chat-panel li >> text=Hello there", { state: "attached" });
  assert.equal(await page.locator(".chat-button.is-unread").count(), 0, "an unread line");
  await page.tap(".chat-button");
  await page.waitForSelector(".chat-off >> text=Chat is off");
  assert.equal(await page.locator(".chat-panel li:visible").count(), 0);
  // The setting holds in the next games.
  await page.reload();
  await page.waitForSelector(".chat-panel.is-off", { state: "attached" });
  await page.tap(".chat-button");
  await page.tap("text=Turn chat on");
  await page.waitForSelector(".chat-panel li >> text=Hello there");
  await page.waitForSelector(".chat-panel input:focus");
  assertNoPageErrors([ann, bob]);
});

test("the placeholder fits in every language", async () => {
  const [ann] = await startGame({}, [{ viewport: { width: 1100, height: 700 } }, {}]);
  const texts = Object.values(languages).map(({ more }) => more["game.say"]);
  const cut = await ann.page.$eval(
    ".chat-panel input",
    (input, placeholders) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input);
      const context = document.createElement("canvas").getContext("2d");
      context.font = font;
      const width = input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return placeholders.filter((text) => context.measureText(text).width > width);
    },
    texts,
  );
  assert.deepEqual(cut, []);
});
