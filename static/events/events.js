// Entry point of the page of the game nights (/events). The server renders the list in UTC; this
// module adds icons, local times and the time left, and the buttons that ask for a notification. It
// loads the data of the list, again when a weekly game night ends: the server then moves it.
import { accountWithRetry, get, post, remove, variants } from "../lib/http.js";
import { asyncButton, showError } from "../lib/form.js";
import { daysText, locale } from "../lib/format-time.js";
import { h, setText } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { initHeader } from "../common/header.js";
import { createNotices, openUserSocket } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

const TICK_MS = 1000;

/** Delay before the data are loaded again: after a failure, or until a game night is moved. */
const RELOAD_DELAY_MS = 5000;

/** Time within which a weekly game night that has ended is moved, unless it was removed. */
const MOVE_TIMEOUT_MS = 60000;

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

/** Game night of the list. */
class Item {
  /** @type {HTMLElement} */ element;
  /** @type {number} */ id;
  /** @type {number} */ startsAt;
  /** @type {number} */ endsAt;
  /** Data of the server, once they are loaded.
   * @type {ListedGameNight | undefined} */
  night;
  /** Whether the server lists it no more. */
  isGone = false;

  /** @param {HTMLElement} element */
  constructor(element) {
    const { id, variant, startsAt, endsAt } = element.dataset;
    Object.assign(this, { element, id: Number(id) });
    element.querySelector(".variant-icon").append(icon(/** @type {string} */ (variant)));
    this.setTimes(Number(startsAt), Number(endsAt));
    this.count = h("p", { class: "small soft", hidden: true });
    this.button = asyncButton("", () => this.changeInterest());
  }

  /**
   * @param {number} startsAt
   * @param {number} endsAt
   */
  setTimes(startsAt, endsAt) {
    Object.assign(this, { startsAt, endsAt });
    this.element.querySelector("time").textContent = startFormat.format(startsAt);
  }

  /**
   * Shows how long it is until the game night begins, or ends.
   * @param {number} time
   */
  tick(time) {
    const isRunning = this.startsAt <= time && time < this.endsAt;
    this.element.classList.toggle("is-running", isRunning);
    const text = isRunning
      ? t("events.runs", { left: daysText(this.endsAt - time) })
      : time < this.startsAt
        ? t("events.begins", { left: daysText(this.startsAt - time) })
        : t("events.over");
    const left = /** @type {HTMLElement} */ (this.element.querySelector(".events-left"));
    setText(left, text);
  }

  /**
   * Shows the data of the server. The first ones add the number of interested players, and the
   * button that asks for a notification.
   * @param {ListedGameNight} night
   */
  show(night) {
    if (!this.night) this.addInterest();
    this.night = night;
    this.setTimes(night.startsAt, night.endsAt);
    this.drawInterest(night);
  }

  addInterest() {
    const heading = this.element.querySelector("h2");
    heading.id = `event-${this.id}`;
    this.button.setAttribute("aria-describedby", heading.id);
    this.element.querySelector(".events-text").append(this.count);
    this.element.querySelector(".events-actions").prepend(this.button);
  }

  /** @param {ListedGameNight} night */
  drawInterest({ interested, interestedCount }) {
    this.button.textContent = t(interested ? "events.stop" : "events.notify");
    this.count.textContent = t("events.interested", { n: interestedCount });
    this.count.hidden = interestedCount === 0;
  }

  async changeInterest() {
    const night = /** @type {ListedGameNight} */ (this.night);
    const path = `/api/event/${this.id}/interest`;
    await (night.interested ? remove(path) : post(path));
    night.interested = !night.interested;
    night.interestedCount += night.interested ? 1 : -1;
    this.drawInterest(night);
    if (night.interested) askForPush();
  }

  /**
   * Returns whether the data are missing, or those of a weekly game night that the server moves.
   * @param {number} time
   */
  needsData(time) {
    return !this.isGone && (!this.night || (this.night.weekly && this.endsAt <= time));
  }

  /**
   * Handles that the server does not list the game night.
   * @param {number} time
   */
  onMissing(time) {
    this.isGone = time < this.endsAt || this.endsAt + MOVE_TIMEOUT_MS < time;
  }
}

/** @type {ReturnType<typeof openUserSocket> | undefined} */
let socket;
const now = () => socket?.now() ?? Date.now();
const news = createNotices({ now });

const items = [...(list?.children ?? [])].map((element) => new Item(element));
let nextLoadAt = 0;

const load = async () => {
  // The interest is that of the account, which a new visitor does not have yet.
  await accountWithRetry();
  /** @type {Map<number, ListedGameNight>} */
  const nights = new Map((await get("/api/event")).map((night) => [night.id, night]));
  for (const item of items) {
    const night = nights.get(item.id);
    if (night) item.show(night);
    else item.onMissing(now());
  }
};

/** Loads the data. After a failure that may pass, and while they are needed, it is repeated. */
const reload = async () => {
  nextLoadAt = Infinity;
  try {
    await load();
  } catch (refused) {
    if (!refused.isTransient) return showError(refused);
  }
  nextLoadAt = now() + RELOAD_DELAY_MS;
};

const tick = () => {
  const time = now();
  items.forEach((item) => item.tick(time));
  if (time >= nextLoadAt && items.some((item) => item.needsData(time))) reload();
};

initHeader("/live");
document.body.append(news.element);
accountWithRetry()
  .then(() => {
    socket = openUserSocket((frame) => news.handle(frame));
  })
  .catch(() => {});
const empty = document.querySelector(".empty-state .variant-icon");
if (empty)
  variants().then(
    (catalog) => empty.append(icon([...catalog.keys()][0])),
    () => {},
  );
tick();
setInterval(tick, TICK_MS);
