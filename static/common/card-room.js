// Room for the card of the inbox on the page of a game, of which it must cover no part. Without
// room, the bell alone has the number of news. News that end within seconds get one line over the
// title instead. Called by inbox.js after each change and with every tick: room depends on the
// window and on the result of the game.

/** Parts of a game that stay visible. */
const PARTS = [
  ".site-header",
  ".game-player",
  ".game-board",
  ".game-moves",
  ".game-status",
  ".game-actions",
  ".game-result",
].join();

/** @param {HTMLElement} bar */
const coversGame = (bar) => {
  const card = bar.getBoundingClientRect();
  return [...document.querySelectorAll(PARTS)].some((part) => {
    const { left, right, top, bottom, width } = part.getBoundingClientRect();
    return (
      width > 0 && left < card.right && card.left < right && top < card.bottom && card.top < bottom
    );
  });
};

/**
 * Hides a card that covers a part of the game, or reduces it to a line if it cannot wait.
 * @param {HTMLElement} bar
 * @param {boolean} canWait
 */
export const fitCard = (bar, canWait) => {
  bar.classList.remove("is-without-room", "is-line");
  if (!document.body.classList.contains("game-page") || !coversGame(bar)) return;
  bar.classList.add(canWait ? "is-without-room" : "is-line");
};
