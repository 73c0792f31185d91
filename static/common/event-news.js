// Game nights in the inbox: those that run now and in which the user is interested. The message
// `hello` has those that run or come. Used by inbox.js and notice-bar.js.
import { locale } from "../lib/format-time.js";
import { removedChallenges } from "../lib/settings.js";
import { t, variantName } from "../lib/i18n.js";

const timeFormat = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });

/** @type {GameNight[]} */
let events = [];

/** @param {GameNight} event */
const newsId = ({ id, startsAt }) => `event-${id}-${startsAt}`;

/**
 * Replaces the game nights, and returns the ids of their news.
 * @param {GameNight[]} [current]
 */
export const setEvents = (current = []) => {
  events = current;
  return events.map(newsId);
};

/**
 * Returns the sentence of the news.
 * @param {GameNight} event
 * @param {Catalog} catalog
 */
export const eventText = ({ variant, endsAt }, catalog) =>
  t("news.event", {
    game: variantName(catalog.get(variant.key) ?? variant),
    time: timeFormat.format(endsAt),
  });

/**
 * Adds the news of game nights that have begun, and removes those of game nights that are over.
 * @param {import("./inbox.js").Inbox} inbox
 */
export const updateEventNews = (inbox) => {
  const now = inbox.now();
  for (const event of events) {
    const id = newsId(event);
    const isShown = inbox.news.has(id);
    const isRunning = event.startsAt <= now && now < event.endsAt;
    if (isShown && !isRunning) inbox.remove(id);
    else if (
      isRunning &&
      !isShown &&
      location.pathname !== "/events" &&
      !removedChallenges.get().includes(id)
    )
      inbox.add(id, { kind: "event", event });
  }
};
