// Runs before the first paint, so that no page flashes in the wrong colours.
(() => {
  const themes = ["system", "light", "dark", "contrast"];
  let theme = "system";
  try {
    theme = localStorage.getItem("theme") || theme;
  } catch {
    // Without storage the system decides.
  }
  const set = (next) => {
    theme = themes.includes(next) ? next : "system";
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // It then lasts as long as the page.
    }
    return theme;
  };
  set(theme);
  window.sprongTheme = { now: () => theme, next: () => set(themes[(themes.indexOf(theme) + 1) % themes.length]) };
})();
