// Home page of players: their games, who is online, games in progress, then the games to choose
// from, with the levels of the computer that the player has beaten. Loaded by lobby.js for
// accounts, and for guests with games in progress.
import { fetchBeatenLevels, achievedMark } from "../common/beaten-levels.js";
import { recoveryReminder } from "../common/recovery-reminder.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { People } from "./people.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Maximum wait for data that the page can be shown without. */
const WAIT_MS = 1500;

const levels = fetchBeatenLevels();

/**
 * Adds to each card the highest level of the computer that the player has beaten.
 * @param {HTMLElement} list  list of the cards
 * @param {import("../common/beaten-levels.js").BeatenLevels} beaten
 */
const markCards = (list, beaten) => {
  for (const card of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    const level = beaten[card.dataset.key ?? ""]?.at(-1);
    if (level)
      card
        .querySelector(".variant-card-name")
        ?.append(
          h(
            "span",
            { class: "variant-card-level num" },
            achievedMark(),
            t("level.youBeat", { n: level }),
          ),
        );
  }
};

/**
 * Returns the section in place of the player's games while there are none.
 * @param {HTMLElement} ownGames
 */
const noGames = (ownGames) => {
  const section = h(
    "section",
    { class: "card no-games" },
    h("h2", {}, t("own.title")),
    h("p", {}, t("own.none")),
  );
  const show = () => {
    section.hidden = !ownGames.hidden;
  };
  new MutationObserver(show).observe(ownGames, { attributeFilter: ["hidden"] });
  show();
  return section;
};

/**
 * Arranges the sections of the page in the order of this page. Without a response in time, it is
 * shown without the levels.
 * @param {import("./lobby.js").Lobby} lobby
 * @param {HTMLElement[]} sections  title, own games, games to choose from, games in progress, lobby
 */
export const arrange = async (lobby, sections) => {
  const people = new People(lobby.state.me);
  /** @type {Promise<void>} */
  const timeout = new Promise((done) => setTimeout(done, WAIT_MS));
  const style = loadStyleSheet("home");
  const marks = levels.then((beaten) => () => markCards(lobby.variantCards.element, beaten));
  const mark = await Promise.race([
    Promise.all([marks, people.refresh(), style]).then(([draw]) => draw),
    timeout,
  ]);
  mark?.();
  const [title, ownGames, games, live, list] = sections.splice(0);
  const reminder = lobby.state.me.guest ? null : recoveryReminder();
  const first = reminder ? [title, reminder] : [title];
  sections.push(...first, ownGames, noGames(ownGames), people.element, live, games, list);
};
