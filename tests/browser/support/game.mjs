// Games of two users: opening both pages, entering moves, and reading the status line beside the
// board.
import { cellsOf } from "../../../static/model/notation.js";
import { Person } from "./server.mjs";
import { CLOCK } from "./player.mjs";

export const VARIANTS = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

/**
 * Returns a function that starts a game and opens it in two pages; `script` runs there before the
 * page's scripts. It resolves to both users and the game's id.
 */
export const tableIn =
  ({ server, browser }, script) =>
  async (
    { variant = "caterpillarWar", ...terms } = {},
    options = [{}, {}],
    at = [server, server],
  ) => {
    const two = await Promise.all(
      options.map((option, n) => Person.open(browser, at[n], option, null)),
    );
    for (const person of two) await person.told("/api/guest", {});
    const id = await two[0].begin(two[1], variant, { ...CLOCK, ...terms });
    await Promise.all(
      two.map(async ({ page, server: { url } }) => {
        if (script) await page.addInitScript(script);
        await page.goto(`${url}/${id}`);
        await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
      }),
    );
    return [...two, id];
  };

/** Waits until the users' pages show a game. */
export const meet = async (id, ...persons) => {
  for (const { page } of persons) {
    await page.waitForURL(({ pathname }) => pathname === `/${id}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  }
};

/** Waits for a text in the status line beside the board. */
export const hint = ({ page }, text) => page.waitForSelector(`.game-status >> text=${text}`);

/**
 * Waits until the status line has shown a text since `deed` began, and returns the complete line.
 * For texts that disappear after 2.5 s: on a busy machine they may be gone before the next step of
 * the test.
 */
export const hintAfter = async ({ page }, text, deed) => {
  await page.evaluate(() => {
    const hint = document.querySelector(".game-status");
    window.hints = [];
    window.watching?.disconnect();
    window.watching = new MutationObserver(() => window.hints.push(hint.textContent));
    window.watching.observe(hint, { childList: true, subtree: true, characterData: true });
  });
  await deed();
  await page
    .waitForFunction((wanted) => window.hints.some((said) => said.includes(wanted)), text)
    .catch(async (error) => {
      throw new Error(
        `“${text}” was not among ${JSON.stringify(await page.evaluate(() => window.hints))}`,
        { cause: error },
      );
    });
  return page.evaluate((wanted) => window.hints.find((said) => said.includes(wanted)), text);
};

/** Returns a button of the status line. */
export const hintButton = ({ page }, text) => page.locator(`.game-status .btn:text-is("${text}")`);

/** Returns the number of moves in the move list. */
export const plies = ({ page }) => page.locator(".game-moves button").count();

/** Presses the confirming button of a move that could continue or that has no cells. */
export const settle = async ({ page }, u) => {
  const left = await page.evaluate((move) => {
    const main = document.querySelector(".game-status .btn.btn-primary");
    if (!main || document.querySelector(".game-status").textContent.includes("Sending"))
      return false;
    return !/[a-z]\d/.test(move) || main.textContent.includes(move);
  }, u);
  if (left) await page.click(".game-status .btn.btn-primary:not(.is-held)");
};

/** Enters a move by clicking its cells, and presses the button if one remains. */
export const make = async (person, u) => {
  for (const cell of cellsOf(u)) await person.cell(cell);
  await settle(person, u);
};

/** Returns the moves that consist of two clicks. */
export const plain = (legal) => legal.filter((u) => /^[a-z]\d+-[a-z]\d+$/.test(u));
