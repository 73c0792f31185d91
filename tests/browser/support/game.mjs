// Games of two users: opening both pages, entering moves, and reading the status line beside the
// board.
import { cellsOf } from "../../../static/model/notation.js";
import { User } from "./server.mjs";
import { CLOCK } from "./player.mjs";

export const VARIANTS = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

/**
 * Returns a function that starts a game and opens it in two pages; `script` runs there before the
 * page's scripts. It resolves to both users and the game's id.
 */
export const gameStarter =
  ({ server, browser }, script) =>
  async (
    { variant = "caterpillarWar", ...terms } = {},
    options = [{}, {}],
    servers = [server, server],
  ) => {
    const users = await Promise.all(
      options.map((option, index) => User.open(browser, servers[index], option, null)),
    );
    for (const user of users) await user.post("/api/guest", {});
    const id = await users[0].startGame(users[1], variant, { ...CLOCK, ...terms });
    await Promise.all(
      users.map(async ({ page, server: { url } }) => {
        if (script) await page.addInitScript(script);
        await page.goto(`${url}/${id}`);
        await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
      }),
    );
    return [...users, id];
  };

/** Waits until the users' pages show a game. */
export const waitForGame = async (id, ...users) => {
  for (const { page } of users) {
    await page.waitForURL(({ pathname }) => pathname === `/${id}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  }
};

/**
 * Ends a move of clicked cells that may begin a longer one, and waits until the page lists it as
 * number `ply`. After the last move of a game, the button "Play anyway" may stand in the same
 * place.
 */
export const endMove = async ({ page }, ply, press = "click") => {
  const played = page.locator(`.game-moves button[data-ply="${ply}"]`);
  const button = page.locator(`.game-status .btn:text-matches("^Play .*[0-9]$")`);
  await played.or(button).first().waitFor({ state: "attached" });
  if ((await played.count()) === 0) await button[press]();
  await played.waitFor({ state: "attached" });
};

/** Waits for a text in the status line beside the board. */
export const waitForStatus = ({ page }, text) =>
  page.waitForSelector(`.game-status >> text=${text}`);

/**
 * Waits until the status line has shown a text since `action` began, and returns the complete line.
 * For texts that disappear after 2.5 s: on a busy machine they may be gone before the next step of
 * the test.
 */
export const statusAfter = async ({ page }, text, action) => {
  await page.evaluate(() => {
    const statusLine = document.querySelector(".game-status");
    window.statusTexts = [];
    window.statusObserver?.disconnect();
    window.statusObserver = new MutationObserver(() =>
      window.statusTexts.push(statusLine.textContent),
    );
    window.statusObserver.observe(statusLine, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  await action();
  await page
    .waitForFunction((expected) => window.statusTexts.some((line) => line.includes(expected)), text)
    .catch(async (error) => {
      throw new Error(
        `“${text}” was not among ${JSON.stringify(await page.evaluate(() => window.statusTexts))}`,
        { cause: error },
      );
    });
  return page.evaluate(
    (expected) => window.statusTexts.find((line) => line.includes(expected)),
    text,
  );
};

/** Returns a button of the status line. */
export const statusButton = ({ page }, text) =>
  page.locator(`.game-status .btn:text-is("${text}")`);

/** Returns the number of moves in the move list. */
export const countPlies = ({ page }) => page.locator(".game-moves button").count();

/** Presses the confirming button of a move that could continue or that has no cells. */
export const confirmMove = async ({ page }, u) => {
  const isPending = await page.evaluate((move) => {
    const button = document.querySelector(".game-status .btn.btn-primary");
    if (!button || document.querySelector(".game-status").textContent.includes("Sending"))
      return false;
    return !/[a-z]\d/.test(move) || button.textContent.includes(move);
  }, u);
  if (isPending) await page.click(".game-status .btn.btn-primary:not(.is-held)");
};

/** Enters a move by clicking its cells, and presses the button if one remains. */
export const makeMove = async (user, u) => {
  for (const cell of cellsOf(u)) await user.clickCell(cell);
  await confirmMove(user, u);
};

/** Returns the moves that consist of two clicks. */
export const twoCellMoves = (legal) => legal.filter((u) => /^[a-z]\d+-[a-z]\d+$/.test(u));
