// Offer of a rematch as the server determines it, and its transitions: the part `rematch` of the
// state of a game. Pure, as `state.js`, which calls it. The terms of a rematch, which the server
// sends before any offer, are a property of the game.
import { otherSide } from "../model/notation.js";

/** @typedef {import("./state.js").GameState} GameState */
/** @typedef {import("./state.js").Effect} Effect */

/**
 * Reason why the latest offer has ended, or why the server has refused the player's answer. `key`
 * is the opponent's reason to decline.
 * @typedef {{ type: "expired" | "left" | "otherGame" }
 *   | { type: "declined", key: DeclineReason | undefined }
 *   | { type: "refused", refusal: Refusal }} RematchOutcome
 */

/**
 * Offer of a rematch. `by` is the side of an open offer; `offeredBy` and `id` are the side and the
 * challenge of the latest one, `requested` its options. `challenge`, if known, contains the
 * eligibility of the player. `cid` is the player's latest command about a rematch.
 * @typedef {object} RematchOffer
 * @property {Side | null} by
 * @property {Side | null} offeredBy
 * @property {string | null} id
 * @property {Challenge | null} challenge
 * @property {{ sides?: RematchSides, board?: RematchBoard }} requested
 * @property {RematchOutcome | null} outcome
 * @property {string | null} cid
 */

/** @typedef {{ offer: RematchOffer, effects: Effect[] }} RematchTransition */

/** @type {Readonly<RematchOffer>} */
export const NO_OFFER = Object.freeze({
  by: null,
  offeredBy: null,
  id: null,
  challenge: null,
  requested: {},
  outcome: null,
  cid: null,
});

/**
 * Ends the open offer. Without an outcome, the previous one remains, such as a refusal.
 * @param {RematchOffer} offer
 * @param {RematchOutcome | null} outcome
 * @returns {RematchTransition}
 */
const endOffer = (offer, outcome) => ({
  offer: { ...offer, by: null, challenge: null, requested: {}, outcome: outcome ?? offer.outcome },
  effects: [],
});

/**
 * Returns the outcome of an offer that was not accepted; null if the player knows it, as the
 * player has declined or withdrawn the offer.
 * @param {RematchOffer} offer
 * @param {Side | null} you
 * @param {string} status
 * @param {DeclineReason} [key]
 * @returns {RematchOutcome | null}
 */
const outcomeOf = ({ offeredBy }, you, status, key) => {
  if (status === "expired") return { type: "expired" };
  return status === "declined" && offeredBy === you ? { type: "declined", key } : null;
};

/**
 * Handles an offer, or its end.
 * @param {RematchOffer} offer
 * @param {Side | null} you
 * @param {Frames["rematch"]} message
 * @returns {RematchTransition}
 */
export const onRematch = (offer, you, { by, id, sides, board, status, cause }) => {
  if (by) {
    const challenge = offer.challenge?.id === id ? offer.challenge : null;
    const requested = { sides, board };
    const changes = { by, offeredBy: by, id: id ?? offer.id, challenge, requested, outcome: null };
    return { offer: { ...offer, ...changes }, effects: [] };
  }
  if (cause) {
    const isOwn = cause.side === you;
    return endOffer(offer, { type: isOwn ? "expired" : cause.reason });
  }
  return endOffer(offer, offer.by && outcomeOf(offer, you, status ?? ""));
};

/**
 * Sets the challenge of an offer. The outcome of a previous offer ends.
 * @param {RematchOffer} offer
 * @param {Side} you
 * @param {Challenge} challenge
 * @returns {RematchTransition}
 */
const onChallenge = (offer, you, challenge) => {
  const by = challenge.direction === "in" ? otherSide(you) : you;
  const isKnown = challenge.id === offer.id;
  const { requested, outcome } = isKnown ? offer : NO_OFFER;
  return {
    offer: { ...offer, by, offeredBy: by, id: challenge.id, challenge, requested, outcome },
    effects: [],
  };
};

/**
 * Handles the end of the challenge of an offer, which comes before or after that of the offer.
 * @param {RematchOffer} offer
 * @param {Side} you
 * @param {Pick<ChallengeGone, "status" | "reasonKey">} gone
 * @returns {RematchTransition}
 */
const onChallengeGone = (offer, you, { status, reasonKey }) =>
  status === "accepted"
    ? { offer, effects: [] }
    : endOffer(offer, outcomeOf(offer, you, status, reasonKey ?? undefined));

/**
 * Returns the transition of a game's state with a transition of its rematch.
 * @param {GameState} state
 * @param {RematchTransition} transition
 * @returns {import("./state.js").Transition}
 */
export const withRematch = (state, { offer, effects }) => ({
  state: offer === state.rematch ? state : { ...state, rematch: offer },
  effects,
});

/**
 * Returns a handler of the messages of a type, of which only some concern the rematch of a player.
 * For the others, and for all of a spectator, it returns null.
 * @template D
 * @param {(offer: RematchOffer, you: Side, data: D, id: string) => RematchTransition | null} handle
 * @returns {(state: GameState, data: D) => import("./state.js").Transition | null}
 */
const forPlayer = (handle) => (state, data) => {
  const { id, you } = state.game;
  const transition = you && handle(state.rematch, you, data, id);
  return transition && withRematch(state, transition);
};

/** Handles the challenge of an offer. */
export const onOfferChallenge = forPlayer(
  (offer, you, /** @type {Challenge} */ challenge, gameId) =>
    challenge.rematchOf === gameId ? onChallenge(offer, you, challenge) : null,
);

/** Handles the end of the challenge of the latest offer. */
export const onOfferGone = forPlayer((offer, you, /** @type {ChallengeGone} */ gone) =>
  gone.id === offer.id ? onChallengeGone(offer, you, gone) : null,
);

/** Handles the start of the game of the latest offer. */
export const onOfferStart = forPlayer((offer, you, /** @type {Frames["start"]} */ start) =>
  offer.id && [start.challenge, start.id].includes(offer.id)
    ? { offer, effects: [{ type: "rematchStarted", id: start.id }] }
    : null,
);

/** Handles the refusal of the player's latest command about a rematch. */
export const onOfferRefused = forPlayer((offer, you, /** @type {Refusal} */ refusal) =>
  offer.cid && refusal.cid === offer.cid
    ? { offer: { ...offer, outcome: { type: "refused", refusal } }, effects: [] }
    : null,
);

/**
 * Handles the player's command about a rematch: the previous outcome ends.
 * @param {GameState} state
 * @param {string} cid
 */
export const answerRematch = (state, cid) =>
  withRematch(state, { offer: { ...state.rematch, cid, outcome: null }, effects: [] });

/**
 * Handles the challenge of an offer that was made before the page was opened or while it was
 * disconnected, as a request returned it.
 * @param {GameState} state
 * @param {Challenge} challenge
 */
export const onOpenOffer = (state, challenge) =>
  withRematch(state, onChallenge(state.rematch, /** @type {Side} */ (state.game.you), challenge));

/**
 * Handles the status of the challenge of an offer, as a request returned it. The response is
 * ignored if the offer has changed since.
 * @param {GameState} state
 * @param {string} id
 * @param {string} status
 */
export const onOfferStatus = (state, id, status) => {
  const { rematch, game } = state;
  if (id !== rematch.id || !rematch.by) return withRematch(state, { offer: rematch, effects: [] });
  if (status === "accepted")
    return withRematch(state, { offer: rematch, effects: [{ type: "rematchStarted", id }] });
  return withRematch(state, endOffer(rematch, outcomeOf(rematch, game.you, status)));
};
