// Moves and the move tree on the analysis board.
import { cellsOf } from "../../../static/model/notation.js";
import { Person } from "./server.mjs";

/** Returns a function that opens an analysis page for a new user. */
export const openIn =
  ({ server, browser }) =>
  async (path, options) => {
    const person = await Person.open(browser, server, options, path);
    await person.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    return person;
  };

/** Returns the legal moves of a position. */
export const legal = async (person, question) =>
  (await person.told("/api/position", question)).legal;

/** Enters a move by clicks, and waits until it is the current one. */
export const play = async (person, u) => {
  for (const cell of cellsOf(u)) await person.cell(cell);
  await person.page.waitForSelector(`.move-tree [aria-current] >> text="${u}"`);
};

/** Returns the rows of the tree, including branches. */
export const list = (person) =>
  person.page.$$eval(".move-tree li", (rows) =>
    rows.map((row) =>
      [row.className, ...[...row.querySelectorAll("button")].map((button) => button.textContent)]
        .join(" ")
        .trim(),
    ),
  );
export const current = (person) =>
  person.page.$eval(".move-tree [aria-current]", (button) => button.textContent);
