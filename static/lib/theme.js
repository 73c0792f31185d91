// Applies the color theme. Classic script that runs before the first paint, to avoid a flash.
(() => {
  const themes = ["system", "light", "dark", "contrast"];
  let theme = "system";
  try {
    theme = localStorage.getItem("theme") || theme;
  } catch {
    // Without storage, the theme follows the system.
  }
  // The system theme respects the preference for more contrast.
  const contrast = matchMedia("(prefers-contrast: more)");
  const show = () => {
    document.documentElement.dataset.theme =
      theme === "system" && contrast.matches ? "contrast" : theme;
  };
  contrast.addEventListener("change", show);
  /** @param {string} next */
  const set = (next) => {
    theme = themes.includes(next) ? next : "system";
    show();
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Without storage, the theme lasts as long as the page.
    }
    return theme;
  };
  set(theme);
  if (location.pathname === "/lobby") document.documentElement.classList.add("is-lobby");
  window.sprongTheme = {
    now: () => theme,
    set,
    next: () => set(themes[(themes.indexOf(theme) + 1) % themes.length]),
  };
})();
