// Applies the color theme. Classic script that runs before the first paint, to avoid a flash, and
// therefore reads the setting itself; `settings.js` stores it.
(() => {
  const THEMES = ["system", "light", "dark", "contrast"];
  let theme = "system";
  // The system theme respects the preference for more contrast.
  const contrast = matchMedia("(prefers-contrast: more)");
  const show = () => {
    document.documentElement.dataset.theme =
      theme === "system" && contrast.matches ? "contrast" : theme;
  };
  contrast.addEventListener("change", show);
  /** @param {string | null} next */
  const set = (next) => {
    theme = next && THEMES.includes(next) ? next : "system";
    show();
  };
  let stored = null;
  try {
    stored = localStorage.getItem("theme");
  } catch {
    // Without storage, the theme follows the system.
  }
  set(stored);
  if (location.pathname === "/lobby") document.documentElement.classList.add("is-lobby");
  window.sprongTheme = {
    themes: THEMES,
    now: () => theme,
    next: () => THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length],
    set,
  };
})();
