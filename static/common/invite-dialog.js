// Dialog that creates a challenge by link, or one for a named player: the game, or the choice among
// all, and the clock. It is casual by default. One by link is open for seven days, and any visitor
// with the link can accept. Loaded on first use by quick play, the challenge form and profiles.
import { post } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { form } from "../lib/form.js";
import { choiceGroup, h, toggle } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { loginPath } from "../lib/next-path.js";
import "../lib/i18n-more.js";
import { hasPhrase, t, variantName } from "../lib/i18n.js";
import { userHandle } from "./user-link.js";

/** Value of the choice that leaves the game to the acceptor. */
const ANY = "any";

/**
 * Fields of the request for each clock, by the name of the choice.
 * @type {Record<string, Record<string, number>>}
 */
const CLOCKS = { days: { days: 3 }, live: { "clock.limit": 600, "clock.increment": 5 } };

/**
 * Returns an error handler with the sentences about a named player, then rethrows the error.
 * @param {User | undefined} to
 * @returns {(refused: { reason?: string, message: string }) => never}
 */
const namedRefusal = (to) => (error) => {
  const key = `named.${error.reason}`;
  if (to && hasPhrase(key)) error.message = t(key);
  throw error;
};

/** Form for a new invitation. */
class InviteForm {
  /** @type {boolean} */ isGuest;

  /**
   * `key` is the preselected game, `to` the named player.
   * @param {Catalog} catalog
   * @param {{ guest?: boolean }} me
   * @param {string | undefined} key
   * @param {User | undefined} to
   */
  constructor(catalog, { guest }, key, to) {
    this.catalog = catalog;
    this.to = to;
    this.isGuest = Boolean(guest);
    this.game = key ?? ANY;
    // Friends with a phone rarely have ten minutes at the same time.
    this.clock = matchMedia("(pointer: coarse)").matches ? "days" : "live";
    this.isRated = false;
  }

  games() {
    const tile = (/** @type {Node} */ picture, /** @type {string} */ name) =>
      h("span", {}, picture, h("span", {}, name));
    const choices = [
      ...[...this.catalog.values()].map((variant) => [
        variant.key,
        tile(icon(variant.key), variantName(variant)),
      ]),
      [ANY, tile(h("b", { "aria-hidden": "true" }, "?"), t("invite.any"))],
    ];
    return h(
      "fieldset",
      {},
      h("legend", {}, t("invite.which")),
      choiceGroup("invite-games", t("invite.which"), choices, this.game, (game) => {
        this.game = game;
      }),
    );
  }

  clocks() {
    const choices = [
      ["days", t("invite.days")],
      ["live", t("invite.live")],
    ];
    return h(
      "fieldset",
      {},
      h("legend", {}, t("form.time")),
      choiceGroup("segmented num", t("form.time"), choices, this.clock, (clock) => {
        this.clock = clock;
      }),
    );
  }

  more() {
    const rated = toggle(
      t("form.rated"),
      false,
      (isRated) => {
        this.isRated = isRated;
      },
      this.isGuest ? t("form.signup") : this.to ? undefined : t("invite.ratedWhy"),
    );
    if (this.isGuest) rated.setAttribute("aria-disabled", "true");
    return h(
      "details",
      { class: "invite-more" },
      h("summary", {}, t("nav.more")),
      rated,
      this.isGuest && h("a", { href: loginPath("signup") }, t("login.signup")),
    );
  }

  /** Returns the body of the request. The server sets the lifetime. */
  fields() {
    const games =
      this.game === ANY ? { variants: [...this.catalog.keys()].join(",") } : { variant: this.game };
    return {
      ...games,
      ...CLOCKS[this.clock],
      rated: this.isRated,
      provisional: /** @type {const} */ ("allow"),
      ...(!this.to && { listed: false }),
    };
  }

  /**
   * Returns the API path.
   * @returns {"/api/challenge" | `/api/challenge/${string}`}
   */
  path() {
    return this.to ? `/api/challenge/${userHandle(this.to)}` : "/api/challenge";
  }
}

/**
 * Opens the dialog. `go(id)` opens the page of the new challenge. With `to`, the challenge is for
 * that player.
 * @param {Catalog} catalog
 * @param {{ guest?: boolean }} me
 * @param {{ key?: string, to?: User, go: (id: string) => unknown }} options
 */
export const openInviteDialog = async (catalog, me, { key, to, go }) => {
  await loadStyleSheet("challenge");
  const title = to ? t("invite.challenge", { name: to.username }) : t("quick.friend");
  const dialog = openDialog(title, (close) => {
    const invitation = new InviteForm(catalog, me, key, to);
    const send = async () => {
      const { id } = await post(invitation.path(), invitation.fields()).catch(namedRefusal(to));
      close();
      go(id);
    };
    const element = form(
      [invitation.games(), invitation.clocks(), invitation.more()],
      t(to ? "form.send" : "invite.make"),
      send,
      "btn btn-primary btn-large",
    );
    element.classList.add("challenge-form", "invite-form");
    return element;
  });
  dialog.querySelector("[type=submit]").focus({ preventScroll: true });
};
