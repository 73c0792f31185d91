// Runs before the first paint, so that no page flashes in the wrong colours, or shows for a moment what was not asked for.
(() => {
  const themes = ["system", "light", "dark", "contrast"];
  let theme = "system";
  try {
    theme = localStorage.getItem("theme") || theme;
  } catch {
    // Without storage the system decides.
  }
  // A system that asks for more contrast gets the colours of that choice.
  const contrast = matchMedia("(prefers-contrast: more)");
  const show = () => {
    document.documentElement.dataset.theme =
      theme === "system" && contrast.matches ? "contrast" : theme;
  };
  contrast.addEventListener("change", show);
  const set = (next) => {
    theme = themes.includes(next) ? next : "system";
    show();
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // It then lasts as long as the page.
    }
    return theme;
  };
  set(theme);
  if (location.pathname === "/lobby") document.documentElement.classList.add("at-lobby");
  window.sprongTheme = {
    now: () => theme,
    set,
    next: () => set(themes[(themes.indexOf(theme) + 1) % themes.length]),
  };
})();
