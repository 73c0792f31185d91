// Choice of a game in all forms: the tiles have names, and the options are whole sentences.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const NAMES = {
  "en-GB": ["Caterpillar War", "Knight Fight", "Hogga", "Kopf oder Knopf", "Wie niet weg is"],
  "nl-NL": ["Rupsenoorlog", "Paardengevecht", "Hogga", "Kop of Knoop", "Wie niet weg is"],
  "sv-SE": ["Larvkriget", "Springarkampen", "Hogga", "Kopf oder Knopf", "Wie niet weg is"],
};

/**
 * Options of each variant in each language: label and values, which together are a sentence.
 * @type {Record<string, Record<string, Record<string, string[]>>>}
 */
const OPTIONS = {
  "en-GB": {
    caterpillarWar: { "Single stones": ["step only", "step and capture", "don't move"] },
    knightFight: { Doubles: ["may wipe another", "must wipe another"] },
    hogga: { "Reaching home first": ["ends the game", "scores points"] },
    kopfOderKnopf: { "A win takes": ["ten buttons", "eight buttons"] },
    wieNietWegIs: { "Mixed lines": ["may be jumped", "may not be jumped"] },
  },
  "nl-NL": {
    caterpillarWar: { "Losse stenen": ["stappen, slaan niet", "slaan ook", "stappen niet"] },
    knightFight: {
      "Op een dubbel getal": ["mag je er nog een wissen", "moet je er nog een wissen"],
    },
    hogga: { "Wie het eerst thuis is": ["wint meteen", "scoort punten"] },
    kopfOderKnopf: { "Winst met": ["tien knopen", "acht knopen"] },
    wieNietWegIs: { "Over gemengde rijen": ["mag je springen", "mag je niet springen"] },
  },
  "sv-SE": {
    caterpillarWar: { "Enskilda stenar": ["tar bara steg", "slår också", "står still"] },
    knightFight: { "På ett dubbeltal": ["får du sudda ett till", "måste du sudda ett till"] },
    hogga: { "Först hemma": ["vinner genast", "får poäng"] },
    kopfOderKnopf: { "Vinst med": ["tio knappar", "åtta knappar"] },
    wieNietWegIs: { "Blandade rader": ["får hoppas över", "får inte hoppas över"] },
  },
};
const LOCALES = Object.keys(OPTIONS);

const openDialog = async (page) => {
  await page.click(".quick-play .btn.btn-large:not(.btn-primary)");
  await page.waitForSelector("dialog .game-choice");
};

const openForm = async (page, isPhone) => {
  if (isPhone)
    await page.click(
      "[aria-label='New challenge'], [aria-label='Nieuwe uitdaging'], [aria-label='Ny utmaning']",
    );
};

const FORMS = {
  "the dialog of the computer": { path: "/", scope: "dialog", open: openDialog },
  "the form of a challenge": { path: "/lobby", scope: "form.challenge-form", open: openForm },
  "the form of pass and play": { path: "/pass-and-play", scope: "main form" },
};

/** Returns the names of the tiles that are visible and not cut. */
const visibleNames = (page, scope) =>
  page.$$eval(`${scope} .game-choice button > span:last-child`, (names) =>
    names
      .filter((name) => name.checkVisibility() && name.scrollWidth <= name.clientWidth + 1)
      .map((name) => name.innerText),
  );

const shownOptions = (page, scope) =>
  page.$$eval(`${scope} label.field:has(select:not([name=days]))`, (fields) =>
    Object.fromEntries(
      fields.map((field) => [
        field.firstChild.textContent,
        [...field.querySelectorAll("option")].map((option) => option.text),
      ]),
    ),
  );

for (const [name, { path, scope, open }] of Object.entries(FORMS))
  for (const options of [PHONE, {}])
    test(`${name} names games and options${options === PHONE ? " on a phone" : ""}`, async () => {
      for (const locale of LOCALES) {
        const user = await User.open(browser, server, { ...options, locale }, path);
        const { page } = user;
        await open?.(page, options === PHONE);
        await page.waitForSelector(`${scope} .game-choice`);
        assert.deepEqual(await visibleNames(page, scope), NAMES[locale]);
        for (const [variant, sentences] of Object.entries(OPTIONS[locale])) {
          await page.click(`${scope} .game-choice [data-value=${variant}]`);
          assert.deepEqual(await shownOptions(page, scope), sentences, `${variant}, ${locale}`);
        }
        assertNoErrors(server, [user]);
        await page.context().close();
      }
    });
