// Saves screenshots of every page in its states, in four window sizes, for review with the eye:
// `node tests/browser/capture-pages.mjs FOLDER [part of a name]`. Themes and languages take turns,
// so that the four files of a state have all of them; with the variable `ALL_THEMES`, each size has
// every theme. The build is named by `SPRONG_BINARY`. Fails if a page scrolls sideways.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, Server } from "./support/server.mjs";
import { emptyStates, gameStates } from "./support/more-states.mjs";
import { visitAllPages, waitForAnimations } from "./support/pages.mjs";
import { horizontalOverflow } from "./support/viewports.mjs";

const SIZES = { 360: 640, 390: 844, 1024: 768, 1440: 900 };
/**
 * Names of the themes in the files: setting of the switch, and color scheme of the system, which
 * high contrast follows.
 */
const THEMES = {
  light: ["light", "light"],
  dark: ["dark", "light"],
  contrast: ["contrast", "light"],
  "contrast-dark": ["contrast", "dark"],
};

const [folder, part = ""] = process.argv.slice(2);
if (!folder) throw new Error("usage: node tests/browser/capture-pages.mjs FOLDER [part of a name]");
mkdirSync(folder, { recursive: true });
const viewports = Object.fromEntries(
  Object.entries(SIZES).map(([width, height]) => [
    width,
    {
      width: Number(width),
      height,
      colorScheme: "light",
      theme: "light",
      hasTouch: Number(width) < 600,
    },
  ]),
);
const server = await Server.start();
const browser = await launchBrowser();
const tooWide = [];
let shots = 0;

/** Returns the themes of the next page. */
const nextThemes = () => {
  const themes = Object.entries(THEMES);
  if (process.env.ALL_THEMES) return themes;
  // Shifted with each state, which has one page for each theme.
  const at = shots + Math.floor(shots / themes.length);
  shots += 1;
  return [themes[at % themes.length]];
};

const capture = async (page, name, width) => {
  const themes = nextThemes();
  if (!name.includes(part)) return;
  await page.waitForFunction(() => !document.querySelector(".is-held"));
  const language = await page.evaluate(() => document.documentElement.lang);
  for (const [key, [theme, colorScheme]] of themes) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate((value) => window.sprongTheme.set(value), theme);
    await waitForAnimations(page);
    const file = `${name.replaceAll(/\W+/g, "-")}-${width}-${key}-${language}.png`;
    await page.screenshot({ path: join(folder, file) });
    if ((await horizontalOverflow(page)) > 0) tooWide.push(file);
  }
};

try {
  await visitAllPages(browser, server, viewports, capture, {
    languages: ["en", "nl", "sv"],
    more: { first: emptyStates, last: gameStates },
  });
} finally {
  await browser.close();
  await server.stop();
}
if (tooWide.length) throw new Error(`pages scroll sideways: ${tooWide.join(", ")}`);
