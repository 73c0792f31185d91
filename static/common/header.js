// Header of every page: navigation, account, inbox, language, sound and theme. On a phone the
// navigation is a tab bar at the bottom, and its last tab opens more-menu.js with the other
// entries. Each page module calls `initHeader()` once.
import { accountWithRetry, post } from "../lib/http.js";
import { badge, inboxButton, playGameSound, showTurns } from "./navigation.js";
import { offlineNote } from "./connection-banner.js";
import { h, iconSvg, s, selectBox, toast } from "../lib/dom.js";
import { PEOPLE, SETTINGS } from "../lib/icons.js";
import { openInbox, setLeaving } from "./notifications.js";
import { userPath } from "./user-link.js";
import { setTheme, soundSetting, tabSearch } from "../lib/settings.js";
import { language, languages, t, setLanguage } from "../lib/i18n.js";

const logo = () =>
  s(
    "svg",
    { viewBox: "0 0 34 24", "aria-hidden": "true" },
    s("circle", {
      cx: 17,
      cy: 18,
      r: 4.6,
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2.4,
    }),
    s("circle", { cx: 4.5, cy: 18.5, r: 3.2, fill: "currentColor" }),
    s("path", {
      d: "M5 13C9-1 25-1 29 13",
      fill: "none",
      stroke: "var(--act)",
      "stroke-width": 2.6,
      "stroke-linecap": "round",
      "stroke-dasharray": ".1 5",
    }),
    s("circle", { cx: 29.3, cy: 18.2, r: 4, fill: "var(--act)" }),
  );

const themeButton = () => {
  const name = () => t("nav.theme", { theme: t(`theme.${sprongTheme.now()}`) });
  const button = h(
    "button",
    { class: "icon header-theme", type: "button", "aria-label": name(), title: name() },
    iconSvg("M19 14A8 8 0 1 1 10 5a6.5 6.5 0 0 0 9 9z"),
  );
  button.addEventListener("click", () => {
    setTheme(sprongTheme.next());
    button.setAttribute("aria-label", name());
    button.title = name();
    toast(name());
  });
  return button;
};

/** Returns the switch of all sounds. The sounds are loaded when they are switched on. */
const soundButton = () => {
  const button = h("button", {
    class: "icon",
    type: "button",
    "aria-label": t("setting.sound"),
    title: t("setting.sound"),
  });
  const draw = () => {
    const on = soundSetting.get();
    button.setAttribute("aria-pressed", String(on));
    button.replaceChildren(
      iconSvg(`M4 10v4h4l5 4V6L8 10z${on ? "M16 9.5a4 4 0 0 1 0 5" : "M16 10l4 4M20 10l-4 4"}`),
    );
  };
  button.addEventListener("click", () => {
    soundSetting.set(!soundSetting.get());
    draw();
    playGameSound();
  });
  addEventListener("settings", draw);
  draw();
  return button;
};

const languageChoice = () =>
  selectBox(
    {
      class: "header-language",
      "aria-label": t("nav.language"),
      onchange: (/** @type {Event & { target: HTMLSelectElement }} */ event) =>
        setLanguage(event.target.value),
    },
    languages.map((tag) => [tag, tag.toUpperCase()]),
    language,
  );

/**
 * Returns the address of a variant's rules; `from` is the game to which that page links back.
 * @param {string} variant
 * @param {string | null} [from]
 */
export const rulesPath = (variant, from) =>
  `/rules/${variant}${from ? `?game=${encodeURIComponent(from)}` : ""}`;

/** @typedef {[path: string, key: string, d: string]} NavLink */

/**
 * Main pages; on a phone they are the tabs.
 * @type {NavLink[]}
 */
const MAIN_LINKS = [
  ["/", "nav.play", "M4 11l8-7 8 7M6 9.5V20h12V9.5"],
  ["/lobby", "nav.lobby", "M5 6h14M5 12h14M5 18h9"],
  [
    "/live",
    "live.nav",
    "M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  ],
  [
    "/rules",
    "rules.title",
    "M6 4h10a2 2 0 0 1 2 2v14H8a2 2 0 0 1-2-2zM6 17.5A2 2 0 0 1 8 16h10M10 8h4",
  ],
];
/**
 * Further pages; on a phone they are in the menu of the fifth tab.
 * @type {NavLink[]}
 */
const MORE_LINKS = [
  ["/players", "nav.players", PEOPLE],
  ["/analysis", "analysis.title", "M4 20V4M4 20h16M7 15l4-5 3 3 5-7"],
];
/** @type {NavLink} */
const SETTINGS_LINK = ["/settings", "setting.title", SETTINGS];
/** @type {NavLink} */
const ACCOUNT_LINK = [
  "/account",
  "nav.account",
  "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c0-4.5 3.3-7 7.5-7s7.5 2.5 7.5 7",
];

/** Pages without a link in the header that belong to the further ones. */
const OTHER_PAGES = ["/about", "/api", "/pass-and-play"];

/**
 * Returns a function that draws a link with that class.
 * @param {string} [className]
 * @returns {(link: NavLink) => HTMLElement}
 */
const navLink =
  (className) =>
  ([path, key, d]) =>
    h(
      "a",
      { href: path, class: className },
      iconSvg(d),
      h("span", {}, t(key)),
      path === "/" && badge,
    );

/** Pages that work offline. */
const OFFLINE_PAGES = ["/analysis", "/rules", "/pass-and-play"];

/**
 * Opens the menu of a phone; its module is loaded on first use.
 * @param {Account | null} account
 */
const openMenu = async (account) => {
  try {
    const { openMoreMenu: openMore } = await import("./more-menu.js");
    openMore([...MORE_LINKS, ACCOUNT_LINK, SETTINGS_LINK], account, logOut);
  } catch {
    toast(t("error.network"));
  }
};

/**
 * Returns the tab that opens the menu.
 * @param {() => Account | null} getAccount
 */
const moreTab = (getAccount) =>
  h(
    "button",
    {
      class: "header-more",
      type: "button",
      "aria-haspopup": "dialog",
      onclick: () => openMenu(getAccount()),
    },
    iconSvg("M5 12h.01M12 12h.01M19 12h.01"),
    h("span", {}, t("nav.more")),
  );

/** Shows that the search for an opponent of this tab goes on. */
const showSearchStrip = () =>
  import("./search-strip.js").then(
    (module) => module.showSearchStrip(),
    () => {},
  );

/**
 * Fills the header and marks the link to the path `here`. Returns a function that marks another
 * link.
 * @param {string | null} currentPath
 */
export const initHeader = (currentPath) => {
  /** @type {Account | null} */
  let account = null;
  const userArea = h(
    "div",
    { class: "header-user" },
    OFFLINE_PAGES.includes(/** @type {string} */ (currentPath)) && offlineNote(),
    inboxButton(openInbox),
    languageChoice(),
    soundButton(),
    themeButton(),
    h(
      "a",
      {
        class: "icon desktop-only",
        href: SETTINGS_LINK[0],
        title: t(SETTINGS_LINK[1]),
        "aria-label": t(SETTINGS_LINK[1]),
      },
      iconSvg(SETTINGS_LINK[2]),
    ),
  );
  const nav = h(
    "nav",
    { "aria-label": t("nav.main") },
    ...MAIN_LINKS.map(navLink()),
    ...MORE_LINKS.map(navLink("desktop-only")),
    moreTab(() => account),
  );
  const mark = (/** @type {string | null} */ path) => {
    for (const link of nav.querySelectorAll("a")) {
      if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    nav
      .querySelector(".header-more")
      .classList.toggle(
        "is-current",
        [...MORE_LINKS, ACCOUNT_LINK, SETTINGS_LINK].some(([other]) => other === path) ||
          OTHER_PAGES.includes(/** @type {string} */ (path)),
      );
  };
  mark(currentPath);
  const brand = h("a", { class: "header-brand", href: "/" }, logo(), "Sprong");
  document.querySelector("header.site-header").replaceChildren(brand, nav, userArea);
  // The target of the skip link must be focusable. The address is the state of some pages, so the
  // link does not change its fragment.
  const main = document.querySelector("main");
  main.tabIndex = -1;
  const skip = (/** @type {Event} */ event) => {
    event.preventDefault();
    main.focus();
  };
  document.body.prepend(
    h("a", { class: "btn skip-link", href: "#main", onclick: skip }, t("nav.skip")),
  );
  accountWithRetry()
    .then((user) => {
      account = user;
      showTurns(user.turns);
      // Prepended, so that the other controls do not move.
      userArea.prepend(
        h(
          "a",
          {
            href: userPath(user),
            title: user.username,
            class: user.guest ? "header-self is-guest" : "header-self",
          },
          h("b", {}, user.username),
        ),
        ...(user.guest
          ? [
              h("a", { class: "btn btn-quiet desktop-only", href: "/login#login" }, t("nav.login")),
              h("a", { class: "btn btn-quiet", href: "/login" }, t("nav.signup")),
            ]
          : [logout()]),
      );
    })
    .catch((refused) => toast(refused.message));
  if (tabSearch.get().terms && location.pathname !== "/find") showSearchStrip();
  return mark;
};

const logout = () =>
  h(
    "button",
    {
      class: "icon desktop-only",
      type: "button",
      title: t("nav.logout"),
      "aria-label": t("nav.logout"),
      onclick: logOut,
    },
    iconSvg("M10 4H5v16h5M14 8l4 4-4 4M18 12H9"),
  );

/** Ends the session and loads the first page as a new guest. */
const logOut = async () => {
  setLeaving();
  try {
    await post("/api/logout");
    location.assign("/");
  } catch (refused) {
    setLeaving(false);
    toast(refused.message);
  }
};
