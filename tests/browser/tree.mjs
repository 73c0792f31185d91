// At the analysis board: moves by clicks, and the tree that they make.
import { cellsOf } from "../../static/model/notation.js";
import { Person } from "./house.mjs";

/** Somebody at an analysis. */
export const openIn =
  ({ server, browser }) =>
  async (path, options) => {
    const person = await Person.open(browser, server, options, path);
    await person.page.waitForSelector(".bd.live rect.hit");
    return person;
  };

/** The moves of a position. */
export const legal = async (person, question) =>
  (await person.told("/api/position", question)).legal;

/** Clicks a move together, and waits until it is the one that is looked at. */
export const play = async (person, u) => {
  for (const cell of cellsOf(u)) await person.cell(cell);
  await person.page.waitForSelector(`.tree [aria-current] >> text="${u}"`);
};

/** The rows of the tree, branches among them. */
export const list = (person) =>
  person.page.$$eval(".tree li", (rows) =>
    rows.map((row) =>
      [row.className, ...[...row.querySelectorAll("button")].map((button) => button.textContent)]
        .join(" ")
        .trim(),
    ),
  );
export const current = (person) =>
  person.page.$eval(".tree [aria-current]", (button) => button.textContent);
