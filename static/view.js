// Two views of the first page: all of it, or the lobby alone, which has an address of its own.
import { say } from "./words.js";

const LOBBY = "#lobby";

/** Whether the lobby alone is looked at, or somebody is about to be challenged. */
export const atLobby = () => location.hash === LOBBY || new URLSearchParams(location.search).has("to");

/**
 * Shows what the address asks for, now and whenever it changes.
 * @param {(path: string) => void} mark  tells the bar at the top which place this is
 */
export const watchView = (mark) => {
  const show = () => {
    const lobby = atLobby();
    document.documentElement.classList.toggle("at-lobby", lobby);
    document.title = `${say(lobby ? "nav.lobby" : "home.title")} · Sprong`;
    mark(lobby ? `/${LOBBY}` : "/");
  };
  show();
  addEventListener("hashchange", () => {
    show();
    scrollTo(0, 0);
  });
  // The way back from the lobby needs no new page.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[href='/']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || location.search || location.hash !== LOBBY) return;
    event.preventDefault();
    history.pushState(null, "", "/");
    show();
    scrollTo(0, 0);
  });
  addEventListener("popstate", show);
};
