// Entry point of the page of the game nights (/events). The server renders the list in UTC; this
// module adds icons, local times and the time left, and the buttons that ask for a notification.
import { accountWithRetry, get, post, remove, variants } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { daysText, locale } from "../lib/format-time.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { initHeader } from "../common/header.js";
import { subscribe } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

const TICK_MS = 1000;

const startFormat = new Intl.DateTimeFormat(locale, {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
});

const list = document.querySelector(".events-list");

/** Asks for push messages, if they are possible and the question was not answered yet. */
const askForPush = () =>
  import("../common/push-question.js")
    .then((module) => module.askForPush(t("notify.askEvent"), (question) => list?.before(question)))
    .catch(() => {});

/**
 * Shows how long it is until a game night begins, or ends.
 * @param {HTMLElement} item
 * @param {number} now
 */
const showTimeLeft = (item, now) => {
  const [startsAt, endsAt] = [Number(item.dataset.startsAt), Number(item.dataset.endsAt)];
  const isRunning = startsAt <= now && now < endsAt;
  item.classList.toggle("is-running", isRunning);
  const text = isRunning
    ? t("events.runs", { left: daysText(endsAt - now) })
    : now < startsAt
      ? t("events.begins", { left: daysText(startsAt - now) })
      : t("events.over");
  const left = /** @type {HTMLElement} */ (item.querySelector(".events-left"));
  if (left.textContent !== text) left.textContent = text;
};

/**
 * Adds the number of interested players, and the button that asks for a notification.
 * @param {HTMLElement} item
 * @param {ListedGameNight} night
 */
const addInterest = (item, { id, interested, interestedCount }) => {
  let [isInterested, count] = [interested, interestedCount];
  const number = h("p", { class: "small soft" });
  const draw = () => {
    button.textContent = t(isInterested ? "events.stop" : "events.notify");
    number.textContent = t("events.interested", { n: count });
    number.hidden = count === 0;
  };
  const button = asyncButton("", async () => {
    await (isInterested ? remove(`/api/event/${id}/interest`) : post(`/api/event/${id}/interest`));
    isInterested = !isInterested;
    count += isInterested ? 1 : -1;
    draw();
    if (isInterested) askForPush();
  });
  const heading = item.querySelector("h2");
  heading.id = `event-${id}`;
  button.setAttribute("aria-describedby", heading.id);
  item.querySelector(".events-text").append(number);
  item.querySelector(".events-actions").prepend(button);
  draw();
};

/** @param {HTMLElement} item */
const show = (item) => {
  const { variant, startsAt } = item.dataset;
  item.querySelector(".variant-icon").append(icon(/** @type {string} */ (variant)));
  item.querySelector("time").textContent = startFormat.format(Number(startsAt));
};

const load = async () => {
  // The interest is that of the account, which a new visitor does not have yet.
  await accountWithRetry();
  for (const night of await get("/api/event")) {
    const item = list?.querySelector(`[data-id="${night.id}"]`);
    if (item) addInterest(item, night);
  }
};

initHeader("/live");
subscribe();
const empty = document.querySelector(".empty-state .variant-icon");
if (empty)
  variants().then(
    (catalog) => empty.append(icon([...catalog.keys()][0])),
    () => {},
  );
const items = [...(list?.children ?? [])];
items.forEach(show);
const tick = () => items.forEach((item) => showTimeLeft(item, Date.now()));
tick();
setInterval(tick, TICK_MS);
if (items.length) load().catch(() => {});
