// Moves and the move tree on the analysis board.
import { cellsOf } from "../../../static/model/notation.js";
import { User } from "./server.mjs";

/** Returns a function that opens an analysis page for a new user. */
export const analysisOpener =
  ({ server, browser }) =>
  async (path, options) => {
    const user = await User.open(browser, server, options, path);
    await user.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    return user;
  };

/** Returns the legal moves of a position. */
export const legalMoves = async (user, position) =>
  (await user.post("/api/position", position)).legal;

/** Enters a move by clicks, and waits until it is the current one. */
export const playMove = async (user, u) => {
  for (const cell of cellsOf(u)) await user.clickCell(cell);
  await user.page.waitForSelector(`.move-tree [aria-current] >> text="${u}"`);
};

/** Returns the rows of the tree, including branches. */
export const treeRows = (user) =>
  user.page.$$eval(".move-tree li", (rows) =>
    rows.map((row) =>
      [row.className, ...[...row.querySelectorAll("button")].map((button) => button.textContent)]
        .join(" ")
        .trim(),
    ),
  );
export const currentMove = (user) =>
  user.page.$eval(".move-tree [aria-current]", (button) => button.textContent);
