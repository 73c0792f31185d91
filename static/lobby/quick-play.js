// Quick play: pairs the viewer with any available opponent, starts a game against the computer, or
// creates a challenge link for a friend. Quick pairing accepts a fitting open challenge, returns to
// the viewer's own open challenge, or creates one. Used by lobby.js and by the variant cards.
import { post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { h, toast } from "../lib/dom.js";
import { isChoice, isOwn } from "../common/challenge-text.js";
import { t } from "../lib/i18n.js";

/** Time controls (seconds+increment) and lifetime of a challenge that quick play creates. */
const CLOCKS = "300+3,600+5";
const LIFETIME_MS = 3600000;

/** @param {ClockChoice} choice */
const isClock = ({ timeControl }) => timeControl.type === "clock";

/** @typedef {"person" | "computer" | "friend"} PlayMode */

/** @typedef {import("./challenge-actions.js").OfferChoice} OfferChoice */

/** Actions of quick play. */
export class QuickPlay {
  /** @type {Catalog} */ catalog;
  /** @type {() => Readonly<Account>} */ me;
  /** @type {() => Challenge[]} */ open;
  /** @type {(challenge: Challenge, choice: OfferChoice) => Promise<unknown>} */ accept;
  /** @type {() => number} */ now;
  /** @type {(id: string) => unknown} */ go;

  /**
   * `me()` returns the viewer's account, `open()` the open challenges; `accept(challenge, choice)`
   * accepts one; `now()` returns the server time in epoch milliseconds; `go(id)` opens a game or a
   * challenge.
   * @param {Catalog} catalog
   * @param {{
   *   me: () => Readonly<Account>,
   *   open: () => Challenge[],
   *   accept: (challenge: Challenge, choice: OfferChoice) => Promise<unknown>,
   *   now: () => number,
   *   go: (id: string) => unknown,
   * }} options
   */
  constructor(catalog, { me, open, accept, now, go }) {
    Object.assign(this, { catalog, me, open, accept, now, go });
  }

  /**
   * Returns the open challenges with a clock for a variant, or for any variant.
   * @param {string} [key]
   */
  offers(key) {
    return this.open().filter(
      ({ choices }) =>
        choices.clocks.some(isClock) &&
        (!key || choices.variants.some(({ variant }) => variant.key === key)),
    );
  }

  /**
   * Pairs the viewer: accepts a fitting challenge, else opens or creates the viewer's own.
   * @param {string} [key]
   */
  async person(key) {
    const offers = this.offers(key);
    const match = offers.find(
      ({ eligible, readyBy, kind }) => eligible && !readyBy && kind !== "open",
    );
    if (match) return this.accept(match, this.choice(match, key));
    const own = offers.find((challenge) => isOwn(challenge) && challenge.kind !== "open");
    if (own) return this.go(own.id);
    return this.createChallenge(key);
  }

  /**
   * Chooses a game and a clock from a challenge that offers several.
   * @param {Challenge} challenge
   * @param {string} [key]  variant that the viewer asked for
   * @returns {OfferChoice}
   */
  choice(challenge, key) {
    if (!isChoice(challenge)) return {};
    const { variants, clocks } = challenge.choices;
    const variant =
      key ?? variants.find(({ eligible }) => eligible)?.variant.key ?? variants[0].variant.key;
    return { variant, clock: /** @type {ClockChoice} */ (clocks.find(isClock)).key };
  }

  /**
   * Creates an unlisted challenge and opens its page, which shows the link.
   * @param {string} [key]
   */
  friend(key) {
    return this.createChallenge(key, { listed: false });
  }

  /**
   * Creates a challenge for a variant, or for any variant, and opens its page.
   * @param {string | undefined} key
   * @param {object} [fields]  additional request fields
   */
  async createChallenge(key, fields = {}) {
    const games = key ? { variant: key } : { variants: [...this.catalog.keys()].join(",") };
    try {
      const { id } = await post("/api/challenge", {
        ...games,
        ...fields,
        clocks: CLOCKS,
        rated: !this.me().guest,
        provisional: "allow",
        expiresAt: Math.round(this.now()) + LIFETIME_MS,
      });
      this.go(id);
    } catch (refused) {
      toast(refused.message);
    }
  }

  /**
   * Opens the dialog for a game against the computer.
   * @param {string} [key]
   */
  async computer(key) {
    const { openAiDialog: playComputer } = await import("../common/ai-dialog.js");
    playComputer(this.catalog, this.go, { variant: key });
  }

  /**
   * Opens a dialog that asks for the opponent of a game.
   * @param {Variant} variant
   */
  async openOpponentDialog(variant) {
    const { openOpponentDialog } = await import("./opponent-dialog.js");
    openOpponentDialog(this, variant);
  }
}

/**
 * Returns the buttons of the introduction. They appear before the lobby has loaded; a click waits
 * for it.
 * @typedef {{ quick: QuickPlay, place: import("./view.js").FormSlot }} QuickPage
 * @param {Promise<QuickPage>} pendingPage  the home page
 */
export const quickButtons = (pendingPage) => {
  /** @type {(className: string, key: string, act: (page: QuickPage) => unknown) => HTMLElement} */
  const button = (className, key, act) =>
    asyncButton(t(key), async () => act(await pendingPage), className);
  return h(
    "div",
    { class: "quick-play" },
    button("btn btn-primary btn-large", "quick.person", ({ quick }) => quick.person()),
    button("btn btn-large", "quick.computer", ({ quick }) => quick.computer()),
    button("btn btn-quiet quick-create", "lobby.new", ({ place }) => place.reveal()),
    button("btn btn-quiet", "quick.friend", ({ quick }) => quick.friend()),
  );
};
