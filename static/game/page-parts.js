// Creates the components of the page of a game that call several others back: socket, board, clocks,
// rematch, TV and chat. Called by `page.js`.
import { Board } from "../board/board.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { notFound } from "../common/error-page.js";
import { StatusLine } from "../common/status-line.js";
import { t, variantName } from "../lib/i18n.js";
import { Socket } from "../lib/socket.js";
import { Chat } from "./chat.js";
import { Clocks, CorrespondenceClocks } from "./clocks.js";
import { Rematch } from "./rematch.js";
import { tvChannel, TvFollower } from "./tv.js";

/** @typedef {import("./page.js").GamePage} GamePage */

/**
 * Connects to the game.
 * @param {GamePage} play
 * @param {HTMLElement} main  shows an error page if the game does not exist
 */
export const createSocket = (play, main) => {
  const connection = new ConnectionBanner();
  /** @type {(state: string) => unknown} */
  const onState = (status) => {
    if (status === "unknown") return main.replaceChildren(notFound());
    play.clocks.setConnected(status === "open");
    return connection.setState(status);
  };
  return new Socket(`/ws/game/${play.id}`, {
    versioned: true,
    onMessage: (message) => play.session.receive(message),
    onState,
  });
};

/** @param {GamePage} play */
export const createBoard = (play) =>
  new Board(play.game.variant.key, {
    board: play.variant.board,
    label: t("game.board", { name: variantName(play.variant) }),
    flipped: play.you === "second",
    click: (cell) => play.click(cell),
    hover: (cell) => play.hover(cell),
    beforeInput: () => play.drawQueue.flush(),
    onInvalidDrop: (cell) => play.drop(cell),
    completesMove: (cell) => play.moveInput.completesWith(cell),
    onHold: () => play.prompt.showHeld(),
    inspection: {
      sides: play.game.sides,
      tell: (text) => play.prompt.showInspection(text),
    },
  });

/** @param {GamePage} play */
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
 * @param {GamePage} play
 */
export const createRematch = (play) =>
  play.you &&
  new Rematch({
    id: play.id,
    you: play.you,
    game: play.game,
    variant: play.variant,
    me: play.me,
    socket: () => play.socket,
    changed: () => play.updateResult(),
    others: () => play.statusLine.isRemote,
  });

/**
 * Returns null for players, and outside of a TV channel.
 * @param {GamePage} play
 */
export const createTvFollower = (play) => {
  const channel = tvChannel();
  if (play.you || !channel) return null;
  return new TvFollower({
    key: channel,
    id: play.id,
    changed: () => play.statusLine.runRemote(() => play.prompt.update()),
  });
};

/** @param {GamePage} play */
export const createChat = (play) =>
  new Chat({
    player: Boolean(play.you),
    send: (text) => play.socket.command("talk", { text }),
    onUnread: (count) => play.layout.setUnread(count),
    go: (ply) => play.goTo(ply),
  });
