// At a game with the computer.
import { Person } from "./house.mjs";

/** Begins games with the computer in that house; answers who is there, and the id. */
export const againstIn =
  ({ server, browser }) =>
  async (terms, options = {}, at = server) => {
    const person = await Person.open(browser, at, options, null);
    if (!options.name) await person.told("/api/guest", {});
    const { id } = await person.told("/api/challenge/ai", {
      level: 1,
      variant: "caterpillarWar",
      color: "first",
      ...terms,
    });
    await person.visit(`/${id}`, ".bd.live rect.hit");
    return [person, id];
  };

/** Waits until it is the player's turn; says whether the game goes on. */
export const mine = async ({ page }) => {
  await page.waitForFunction(
    () =>
      document.querySelector(".result") ||
      document.querySelector("rect.hit.own") ||
      document.querySelector(".hint .btn.main"),
  );
  return (await page.$(".result")) === null;
};
