// The two views of the home page, the full page at / and the lobby alone at /lobby, with
// client-side navigation between them; and the slot of the form for a new challenge. Used by
// lobby.js.
import { h, iconSvg } from "../lib/dom.js";
import { CLOSE } from "../lib/icons.js";
import { t } from "../lib/i18n.js";

const LOBBY = "/lobby";

/** Returns whether the lobby view is shown. */
const isLobbyView = () => location.pathname === LOBBY;

let applyView = () => {};

/**
 * Navigates to a view and scrolls to its top.
 * @param {string} path
 */
const showView = (path) => {
  history.pushState(null, "", path);
  applyView();
  scrollTo(0, 0);
  // Focus on the heading lets screen readers announce the view, and sets the start of tab
  // navigation.
  const name = /** @type {HTMLElement | null} */ (
    document.querySelector(isLobbyView() ? ".lobby-title" : ".hero h1")
  );
  if (!name) return;
  name.tabIndex = -1;
  name.focus({ preventScroll: true });
};

/**
 * Shows the view of the address, now and after each navigation.
 * @param {(path: string) => void} mark  highlights the entry of the header's navigation
 */
export const watchView = (mark) => {
  applyView = () => {
    const lobby = isLobbyView();
    document.documentElement.classList.toggle("is-lobby", lobby);
    document.title = `${t(lobby ? "nav.lobby" : "head.home.title")} · Sprong`;
    document
      .querySelector("link[rel=canonical]")
      ?.setAttribute("href", location.origin + location.pathname);
    mark(lobby ? LOBBY : "/");
  };
  applyView();
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest(`a[href='/'], a[href='${LOBBY}']`);
    const path = link?.getAttribute("href");
    if (
      !path ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      location.search ||
      path === location.pathname
    )
      return;
    event.preventDefault();
    showView(path);
  });
  addEventListener("popstate", applyView);
};

/** Viewport with room for the form next to the list; on a smaller one it opens as a dialog. */
const WIDE = "(min-width: 1120px)";

/** Visible height of the form's slot at which the form is loaded. */
const VISIBLE_MIN_PX = 120;

/** Slot of the form for a new challenge: next to the list, or a dialog on small viewports. */
export class FormSlot {
  /** @type {() => Promise<HTMLElement>} */ form;
  /** @type {Promise<void> | undefined} */ loading;
  /** @type {Promise<void> | null} */ opening;

  /**
   * @param {() => Promise<HTMLElement>} form  loads the module and returns a new form
   */
  constructor(form) {
    Object.assign(this, { form, opening: null });
    this.element = h("div", { class: "card challenge-form" }, h("h2", {}, t("form.title")));
    // A visible edge does not justify the download. A key press does: tabbing reaches the form.
    this.observer = new IntersectionObserver(
      (entries) =>
        entries.some(({ isIntersecting }) => isIntersecting) && this.fill().catch(() => {}),
      { rootMargin: `0px 0px -${VISIBLE_MIN_PX}px` },
    );
    this.observer.observe(this.element);
    document.addEventListener("keydown", () => this.fill().catch(() => {}), { once: true });
  }

  /** Loads the form into its slot, once; a failed attempt can be repeated. */
  fill() {
    this.observer.disconnect();
    this.loading ??= this.form()
      .then((form) => this.element.replaceWith(form))
      .catch((failed) => {
        this.loading = undefined;
        throw failed;
      });
    return this.loading;
  }

  /** Shows the form and focuses it: the one next to the list, or a dialog on small viewports. */
  async reveal() {
    if (!matchMedia(WIDE).matches) return this.sheet();
    if (!isLobbyView()) showView(LOBBY);
    await this.fill();
    /** @type {HTMLElement} */ (
      document.querySelector(".lobby > .challenge-form [aria-checked=true]")
    ).focus({
      preventScroll: true,
    });
    return undefined;
  }

  /** Opens the form as a dialog; calls while it loads share one dialog. */
  sheet() {
    this.opening ??= this.openSheet().finally(() => {
      this.opening = null;
    });
    return this.opening;
  }

  async openSheet() {
    const form = await this.form();
    const close = h(
      "button",
      { class: "icon", type: "button", "aria-label": t("form.close") },
      iconSvg(CLOSE),
    );
    const sheet = h(
      "dialog",
      { class: "form-dialog", "aria-label": t("form.title") },
      h("div", { class: "form-dialog-head" }, close),
      form,
    );
    close.addEventListener("click", () => sheet.close());
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  }
}
