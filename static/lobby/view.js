// The first page as it is looked at: all of it at /, or the lobby alone at /lobby, between which no new page is needed; and the place
// of the form for a new challenge.
import { h, line } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const LOBBY = "/lobby";

/** Whether the lobby alone is looked at. */
export const atLobby = () => location.pathname === LOBBY;

let show = () => {};

/**
 * Looks at the view with that address, from its top.
 * @param {string} path
 */
export const look = (path) => {
  history.pushState(null, "", path);
  show();
  scrollTo(0, 0);
  // Who listens hears where they are now, and the keyboard goes on from there.
  const name = /** @type {HTMLElement | null} */ (
    document.querySelector(atLobby() ? ".lobby-name" : ".hero h1")
  );
  if (!name) return;
  name.tabIndex = -1;
  name.focus({ preventScroll: true });
};

/**
 * Shows what the address asks for, now and whenever it changes.
 * @param {(path: string) => void} mark  tells the bar at the top which place this is
 */
export const watchView = (mark) => {
  show = () => {
    const lobby = atLobby();
    document.documentElement.classList.toggle("at-lobby", lobby);
    document.title = `${say(lobby ? "nav.lobby" : "head.home.title")} · Sprong`;
    document
      .querySelector("link[rel=canonical]")
      ?.setAttribute("href", location.origin + location.pathname);
    mark(lobby ? LOBBY : "/");
  };
  show();
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
    look(path);
  });
  addEventListener("popstate", show);
};

/** Where the form stands beside the list; where it does not, it is opened. */
const BESIDE = "(min-width: 1120px)";

/** So far the place of the form must have come in sight before it is loaded. */
const EDGE_PX = 120;

/** The form for a new challenge: its place beside the list of the lobby, and where there is no room for it a sheet. */
export class FormPlace {
  /** @type {() => Promise<HTMLElement>} */ form;
  /** @type {Promise<void> | undefined} */ filled;
  /** @type {Promise<void> | null} */ opening;

  /**
   * `form()` loads it.
   * @param {() => Promise<HTMLElement>} form
   */
  constructor(form) {
    Object.assign(this, { form, opening: null });
    this.element = h("div", { class: "card new" }, h("h2", {}, say("form.title")));
    // Who sees no more of the form than its edge need not load it; keys go through all of the page.
    this.near = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.fill().catch(() => {}),
      { rootMargin: `0px 0px -${EDGE_PX}px` },
    );
    this.near.observe(this.element);
    document.addEventListener("keydown", () => this.fill().catch(() => {}), { once: true });
  }

  /** Puts the form into its place, loaded the first time it is wanted. */
  fill() {
    this.near.disconnect();
    this.filled ??= this.form()
      .then((form) => this.element.replaceWith(form))
      .catch((failed) => {
        this.filled = undefined;
        throw failed;
      });
    return this.filled;
  }

  /** Brings the form: the one beside the list, or where there is no room for it a sheet. */
  async bring() {
    if (!matchMedia(BESIDE).matches) return this.sheet();
    if (!atLobby()) look(LOBBY);
    await this.fill();
    /** @type {HTMLElement} */ (document.querySelector(".lobby > .new [aria-checked=true]")).focus({
      preventScroll: true,
    });
    return undefined;
  }

  /** Opens the form over the page; once, however often it is asked for until it is there. */
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
      { class: "icon", type: "button", "aria-label": say("form.close") },
      line("M6 6l12 12M18 6L6 18"),
    );
    const sheet = h(
      "dialog",
      { class: "sheet", "aria-label": say("form.title") },
      h("div", { class: "sheet-head" }, h("span", {}), close),
      form,
    );
    close.addEventListener("click", () => sheet.close());
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  }
}
