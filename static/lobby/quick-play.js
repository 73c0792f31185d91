// Quick play: opens the search for an opponent, starts a game against the computer, or creates a
// challenge link for a friend. Used by lobby.js and by the variant cards.
import { asyncButton } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** @typedef {"person" | "computer" | "friend"} PlayMode */

/** Actions of quick play. */
export class QuickPlay {
  /** @type {Catalog} */ catalog;
  /** @type {() => Readonly<Account>} */ me;
  /** @type {() => Challenge[]} */ open;
  /** @type {(id: string) => unknown} */ go;

  /**
   * `me()` returns the viewer's account, `open()` the open challenges; `go(id)` opens a game or a
   * challenge.
   * @param {Catalog} catalog
   * @param {{
   *   me: () => Readonly<Account>,
   *   open: () => Challenge[],
   *   go: (id: string) => unknown,
   * }} options
   */
  constructor(catalog, { me, open, go }) {
    Object.assign(this, { catalog, me, open, go });
  }

  /**
   * Opens the page that looks for an opponent.
   * @param {string} [key]
   */
  async person(key) {
    location.assign(`/find?variant=${key}`);
  }

  /**
   * Opens the dialog that creates a challenge by link.
   * @param {string} [key]
   */
  async friend(key) {
    const { openInviteDialog } = await import("../common/invite-dialog.js");
    openInviteDialog(this.catalog, this.me(), { key, go: this.go });
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
    button("btn btn-large", "quick.computer", ({ quick }) => quick.computer()),
    h("a", { class: "btn btn-primary btn-large", href: "/find" }, t("quick.person")),
    button("btn btn-quiet quick-create", "lobby.new", ({ place }) => place.reveal()),
    button("btn btn-quiet", "quick.friend", ({ quick }) => quick.friend()),
  );
};
