// Two views of the first page: all of it at /, or the lobby alone at /lobby. The way between them needs no new page.
import { say } from "./words.js";

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
  const name = /** @type {HTMLElement | null} */ (document.querySelector(atLobby() ? ".lobby-name" : ".hero h1"));
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
    document.querySelector("link[rel=canonical]")?.setAttribute("href", location.origin + location.pathname);
    mark(lobby ? LOBBY : "/");
  };
  show();
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest(`a[href='/'], a[href='${LOBBY}']`);
    const path = link?.getAttribute("href");
    if (!path || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || location.search || path === location.pathname) return;
    event.preventDefault();
    look(path);
  });
  addEventListener("popstate", show);
};
