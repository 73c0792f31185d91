// Requests of the page that looks for an opponent. Those about the search are sent one after
// another, so that the server executes them in the order of the player's clicks. Those that fail
// for a moment (no connection, too many requests) are repeated as long as the page needs them.
// Created by find.js.
import { answerReady } from "../common/challenge-card.js";
import { cancelSearch, leaveOpen, startSearch } from "../common/opponent-search.js";
import { toast } from "../lib/dom.js";
import { get } from "../lib/http.js";
import {
  begin,
  isAwaiting,
  leave,
  onCancelFailed,
  onFailed,
  onLeaveFailed,
  onLeftOpen,
  onPosted,
  onRefused,
  openGame,
} from "./state.js";

/** Delay before a request is repeated that has failed for a moment. */
const RETRY_S = 3;
const CONFIRM_RETRY_S = 1;

/** @typedef {import("../lib/http.js").ApiError} ApiError */

/**
 * Waits for a number of seconds, or as long as the server demands.
 * @param {ApiError} failed
 * @param {number} seconds
 */
const pause = ({ wait }, seconds) =>
  new Promise((done) => setTimeout(done, 1000 * Math.max(wait, seconds)));

/**
 * Returns the id of a game with a clock against a person in which the viewer plays, if there is
 * one.
 * @returns {Promise<string | undefined>}
 */
const fetchLiveGame = async () => {
  const { nowPlaying } = /** @type {{ nowPlaying: OwnGame[] }} */ (
    await get("/api/account/playing")
  );
  const isLive = (/** @type {OwnGame} */ { opponent, timeControl }) =>
    timeControl.type === "clock" && opponent.ai === undefined;
  return nowPlaying.find(isLive)?.gameId;
};

/** Requests of the page. */
export class SearchRequests {
  /** @type {import("./find.js").FindPage} */ page;
  /** @type {Promise<unknown>} */ sent;

  /** @param {import("./find.js").FindPage} page */
  constructor(page) {
    Object.assign(this, { page, sent: Promise.resolve() });
  }

  /**
   * Sends a request after the earlier ones.
   * @template T
   * @param {() => Promise<T>} request
   * @returns {Promise<T>}
   */
  send(request) {
    const sent = this.sent.then(request);
    this.sent = sent.catch(() => {});
    return sent;
  }

  /**
   * Requests a search. One that the player has begun before is requested until the server answers.
   * @param {{ terms: import("./state.js").SearchTerms, request: number, isAgain: boolean }} effect
   */
  async post({ terms, request, isAgain }) {
    const { page } = this;
    try {
      const search = await this.send(() => startSearch(terms, page.me.guest));
      page.change((state) => onPosted(state, search, request));
    } catch (refused) {
      if (isAgain && refused.isTransient) await this.repeat(refused, request);
      else this.refuse(refused, request);
    }
  }

  /**
   * Shows a refusal with the choice of terms.
   * @param {ApiError} refused
   * @param {number} request
   */
  refuse(refused, request) {
    this.page.change((state) => onRefused(state, request));
    this.page.sheet.showError(refused.message);
  }

  /**
   * Begins the search anew after a failure, unless the player does something else meanwhile.
   * @param {ApiError} failed
   * @param {number} request
   */
  async repeat(failed, request) {
    this.page.change((state) => onFailed(state, request));
    await pause(failed, RETRY_S);
    if (isAwaiting(this.page.state, request)) await this.restart(request);
  }

  /**
   * Opens the game that has begun while the connection was down, or begins the search anew.
   * @param {number} request number of the last request before
   */
  async restart(request) {
    const { page } = this;
    try {
      const game = await fetchLiveGame();
      if (!isAwaiting(page.state, request)) return;
      page.change((state) =>
        game ? openGame(state, game) : begin(state, page.terms(), state.since ?? page.now(), true),
      );
    } catch (failed) {
      if (failed.isTransient) await this.repeat(failed, request);
      else this.refuse(failed, request);
    }
  }

  /**
   * Cancels the search; shows it again if that fails.
   * @param {Search | null} search
   */
  async cancel(search) {
    try {
      await this.send(cancelSearch);
    } catch (refused) {
      toast(refused.message);
      this.page.change((state) => onCancelFailed(state, search));
    }
  }

  /**
   * Confirms a ready check of the search.
   * @param {string} check
   * @param {number} until end of the ready check
   */
  async confirm(check, until) {
    const { page } = this;
    try {
      const { id } = await answerReady(check, "yes");
      page.change((state) => openGame(state, id));
    } catch (refused) {
      // Otherwise the other player has left, or the search has found another game.
      if (!refused.isTransient) return;
      await pause(refused, CONFIRM_RETRY_S);
      if (page.state.stage === "looking" && page.now() < until) await this.confirm(check, until);
    }
  }

  /** Replaces the search by a challenge in the lobby, unless it finds a game at that moment. */
  async leaveOpen() {
    const { page } = this;
    const terms = page.terms();
    page.change(leave);
    try {
      await this.send(cancelSearch);
      const game = await fetchLiveGame();
      if (game) page.change((state) => openGame(state, game));
      if (!page.state.isLeaving) return;
      await leaveOpen(terms, page.me.guest, page.now());
      page.change(onLeftOpen);
    } catch (refused) {
      page.change(onLeaveFailed);
      throw refused;
    }
  }
}
