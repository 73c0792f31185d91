// Two at a board: how they come to it, and what is asked and said there.
import { cellsOf } from "../../static/model/notation.js";
import { Person } from "./house.mjs";
import { CLOCK } from "./player.mjs";

export const VARIANTS = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

/** Begins games of two in that house, each at their page; the script runs there before anything else. */
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
        await page.waitForSelector(".bd.live rect.hit");
      }),
    );
    return [...two, id];
  };

/** They have come to the game of that id. */
export const meet = async (id, ...persons) => {
  for (const { page } of persons) {
    await page.waitForURL(({ pathname }) => pathname === `/${id}`);
    await page.waitForSelector(".bd.live rect.hit");
  }
};

/** Waits until that is said beside the board. */
export const hint = ({ page }, text) => page.waitForSelector(`.hint >> text=${text}`);

/**
 * Waits until the hint has shown that text since `deed` began. For what stands there for 2.5 s only: on a busy machine
 * that may have passed before the next step of the test. Returns the whole text with which it stood there.
 */
export const hintAfter = async ({ page }, text, deed) => {
  await page.evaluate(() => {
    const hint = document.querySelector(".hint");
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

/** A button beside the board. */
export const hintButton = ({ page }, text) => page.locator(`.hint .btn:text-is("${text}")`);

/** How many moves stand in the list. */
export const plies = ({ page }) => page.locator(".moves button").count();

/** Presses the button of a move that could go on after its last cell, or that has none. */
export const settle = async ({ page }, u) => {
  const left = await page.evaluate((move) => {
    const main = document.querySelector(".hint .btn.main");
    if (!main || document.querySelector(".hint").textContent.includes("Sending")) return false;
    return !/[a-z]\d/.test(move) || main.textContent.includes(move);
  }, u);
  if (left) await page.click(".hint .btn.main:not(.settling)");
};

/** Makes a move by the clicks that its notation names, and the button if one is left to press. */
export const make = async (person, u) => {
  for (const cell of cellsOf(u)) await person.cell(cell);
  await settle(person, u);
};

/** Moves that two clicks make. */
export const plain = (legal) => legal.filter((u) => /^[a-z]\d+-[a-z]\d+$/.test(u));
