// Creates the components of the page of a game that call several others back: socket, board,
// clocks, rematch, TV and chat. Called by `page.js`.
import { slotAt } from "../common/side-counts.js";
import { Board } from "../board/board.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { notFound } from "../common/error-page.js";
import { StatusLine } from "../common/status-line.js";
import { t, variantName } from "../lib/i18n.js";
import { Chat } from "./chat.js";
import { Clocks, CorrespondenceClocks } from "./clocks.js";
import { GameSocket } from "./game-socket.js";
import { Rematch } from "./rematch.js";
import { tvChannel, TvFollower } from "./tv.js";

/** @typedef {import("./page.js").GamePage} GamePage */

/**
 * Connects to the game.
 * @param {GamePage} page
 * @param {HTMLElement} main  shows an error page if the game does not exist
 */
export const createSocket = (page, main) => {
  const connection = new ConnectionBanner();
  /** @type {(state: string) => unknown} */
  const onState = (status) => {
    if (status === "unknown") return main.replaceChildren(notFound());
    page.clocks.setConnected(status === "open");
    return connection.setState(status);
  };
  return new GameSocket(`/ws/game/${page.id}`, {
    onMessage: (message) => page.session.receive(message),
    onState,
  });
};

/** @param {GamePage} page */
export const createBoard = (page) =>
  new Board(page.game.variant.key, {
    board: page.variant.board,
    label: t("game.board", { name: variantName(page.variant) }),
    flipped: page.you === "second",
    click: (cell) => page.click(cell),
    hover: (cell) => page.hover(cell),
    beforeInput: () => page.drawQueue.flush(),
    onInvalidDrop: (cell) => page.drop(cell),
    completesMove: (cell) => page.moveInput.completesWith(cell),
    onHold: () => page.prompt.showHeld(),
    slotOf: (side, at) => slotAt(page.bars.elements[side], at),
    inspection: {
      sides: page.game.sides,
      tell: (text) => page.prompt.showInspection(text),
    },
  });

/** @param {GamePage} page */
export const createClocks = ({ game, socket, you }) => {
  const Timer = game.daysPerTurn ? CorrespondenceClocks : Clocks;
  return new Timer({
    now: () => socket.now(),
    announce: StatusLine.announce,
    ownSide: you,
    names: { first: game.first.name, second: game.second.name },
  });
};

/**
 * Returns null for spectators.
 * @param {GamePage} page
 */
export const createRematch = (page) =>
  page.you &&
  new Rematch({
    id: page.id,
    you: page.you,
    game: page.game,
    variant: page.variant,
    me: page.me,
    socket: () => page.socket,
    change: (transition) => page.session.change(transition),
    changed: () => page.updateResult(),
    others: () => page.statusLine.isRemote,
  });

/**
 * Returns null for players, and outside of a TV channel.
 * @param {GamePage} page
 */
export const createTvFollower = (page) => {
  const channel = tvChannel();
  if (page.you || !channel) return null;
  return new TvFollower({
    key: channel,
    id: page.id,
    changed: () => page.statusLine.runRemote(() => page.prompt.update()),
  });
};

/** @param {GamePage} page */
export const createChat = (page) =>
  new Chat({
    player: Boolean(page.you),
    send: (text) => page.socket.command("talk", { text }),
    onUnread: (count) => page.layout.setUnread(count),
    go: (ply) => page.goTo(ply),
    isOver: () => Boolean(page.game.end),
  });
