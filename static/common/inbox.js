// Inbox of a page: challenges, rematches, ready checks, game nights (event-news.js) and games that
// have started. Each piece of news is counted on the bell and listed in its sheet (inbox-sheet.js).
// One card over the page shows them one after another, but never while a clock of the user may run.
// Loaded by notifications.js with the first news, which calls the handler of each message.
import { post, variants } from "../lib/http.js";
import { isBusy, playGameSound, flashTitle, goToGame, showNewsCount } from "./navigation.js";
import { h, toast } from "../lib/dom.js";
import { READY_CHECK_GRACE_MS, refusalText } from "./challenge-text.js";
import { openInboxSheet } from "./inbox-sheet.js";
import { fitCard } from "./card-room.js";
import { setEvents, updateEventNews } from "./event-news.js";
import { cardSetting } from "./news-settings.js";
import { noticeBar, noticeText, showCountdown } from "./notice-bar.js";
import { dismissedChallenges, removedChallenges } from "../lib/settings.js";
import { showOrKeep, showWaiting } from "./waiting-texts.js";
import { showWarnings } from "./warnings.js";
import { hasPhrase, t } from "../lib/i18n.js";
import "../lib/i18n-more.js";

const TICK_MS = 500;

/** Time for which the text of an announcement stays in the document. */
const ANNOUNCEMENT_MS = 5000;

/** Attributes of a region of which screen readers announce the additions. */
const HIDDEN = { class: "visually-hidden", "aria-atomic": "false" };

/** Order of the news on the card: those that end within seconds come first. */
const KINDS_FIRST = ["begun", "ring"];

/** @typedef {import("./notice-bar.js").Notice} Notice */
/** @typedef {import("./notice-bar.js").NoticeAction} NoticeAction */

/** News of a page. */
export class Inbox {
  /** @type {() => number} */ now;
  /** @type {() => boolean} */ busy;
  /** @type {(challenge: Challenge) => boolean} */ skips;
  /** @type {Map<string, Notice>} */ news;
  /** @type {Set<string>} */ announced;
  /** @type {Catalog} */ catalog;
  /** @type {{ id: string, notice: Notice, key: string, bar: HTMLElement } | null} */ card = null;
  /** @type {import("./inbox-sheet.js").InboxSheet | null} */ sheet = null;
  /** @type {boolean | undefined} */ isRinging;
  /** Module of the casual requests, once one has come.
   * @type {Promise<typeof import("./casual-notice.js") | null> | undefined} */
  casualNotices;

  /**
   * `element` receives the card and the texts for screen readers.
   * @param {Required<import("./notifications.js").NoticeOptions>} options
   * @param {HTMLElement} element
   */
  constructor(options, element) {
    Object.assign(this, options, { news: new Map(), announced: new Set() });
    this.catalog = new Map();
    this.status = h("div", { ...HIDDEN, role: "status" });
    this.alert = h("div", { ...HIDDEN, role: "alert" });
    this.cards = h("div", { role: "region", "aria-label": t("news.title") });
    element.append(this.status, this.alert, this.cards);
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Handles a change of the games in which it is the user's turn. */
  onTurns() {
    this.sheet?.reload();
  }

  /** Handles the loss of the user's seat in a challenge. */
  onSeatLost() {
    this.tell(t("news.seatLost"));
  }

  /**
   * Synchronizes the news with the open challenges and ready checks: those that are missing ended
   * while the connection was closed.
   * @param {Frames["hello"]} state
   */
  onHello({ rings, challenges, warnings, events }) {
    if (warnings) showWarnings(this.busy);
    const open = new Set([
      ...rings.map(({ challenge }) => challenge.id),
      ...challenges.map(({ id }) => id),
      ...setEvents(events),
    ]);
    for (const [key, { kind, challenge }] of this.news)
      if (kind !== "begun" && kind !== "asked" && !open.has(challenge?.id ?? key)) this.remove(key);
    challenges.forEach((challenge) => this.onChallenge(challenge));
    rings.forEach((ring) => this.onRing(ring));
  }

  /** @param {Challenge} challenge */
  onChallenge(challenge) {
    const { id, kind, direction, status } = challenge;
    if (challenge.casualRequests) this.casualNotices ??= this.loadCasualNotices();
    this.showCasualRequests(challenge);
    if (
      direction !== "in" ||
      !["direct", "rematch"].includes(kind) ||
      ["ring", "asked"].includes(/** @type {string} */ (this.news.get(id)?.kind))
    )
      return;
    if (status !== "created") this.remove(id);
    else if (
      !removedChallenges.get().includes(id) &&
      !this.skips(challenge) &&
      location.pathname !== `/${id}`
    )
      this.add(id, { kind: "challenge", challenge, by: challenge.challenger });
  }

  /** Loads the notices of casual requests. After a failure, the next request loads them. */
  loadCasualNotices() {
    return import("./casual-notice.js").catch(() => {
      this.casualNotices = undefined;
      return null;
    });
  }

  /**
   * Shows the requests of a challenge for a casual game, after the earlier states of the challenge.
   * @param {Pick<Challenge, "id"> & Partial<Challenge>} challenge
   */
  showCasualRequests(challenge) {
    this.casualNotices?.then((module) => module?.showCasualRequests(this, challenge));
  }

  /** @param {string} text */
  tell(text) {
    showOrKeep(text, this.busy());
  }

  /** @param {ChallengeGone} gone */
  onChallengeGone({ id, status, reasonKey, direction }) {
    // A game may have the id of its challenge: the notice of a game that has started stays.
    if (this.news.get(id)?.kind !== "begun") this.remove(id);
    this.showCasualRequests({ id });
    // The player who has declined needs no message.
    if (status !== "declined" || direction !== "out") return;
    const reason = hasPhrase(`decline.${reasonKey}`) ? ` ${t(`decline.${reasonKey}`)}` : "";
    this.tell(`${t("news.declined")}${reason}`);
  }

  /** @param {Ring} ring */
  onRing({ challenge, by, readyBy, ...bound }) {
    if (!this.news.has(challenge.id)) playGameSound();
    this.add(challenge.id, { kind: "ring", challenge, by, readyBy, bound });
  }

  /** @param {Frames["ringGone"]} gone */
  onRingGone({ id, reason }) {
    const kind = this.news.get(id)?.kind;
    if (kind === "begun") return;
    this.remove(id);
    if (!kind || reason === "ready") return;
    const key =
      kind === "asked" && ["declined", "late"].includes(reason)
        ? "absent"
        : ["late", "withdrawn"].includes(reason)
          ? reason
          : "nogame";
    this.tell(t(`news.${key}`));
  }

  /** @param {Frames["start"]} start */
  onStart({ id, challenge }) {
    const {
      kind,
      by,
      challenge: opened,
    } = /** @type {Partial<Notice>} */ (this.news.get(challenge ?? id) ?? {});
    this.remove(challenge ?? id);
    if (location.pathname === `/${id}`) return;
    // A user who plays or types is notified of the new game and stays on the page.
    if (isBusy() || (this.busy() && kind !== "ring" && kind !== "asked"))
      this.add(id, { kind: "begun", challenge: opened, by, game: id });
    else goToGame(id, playGameSound);
  }

  /**
   * Adds a notice, or replaces the one with that id.
   * @param {string} id
   * @param {Notice} notice
   */
  async add(id, notice) {
    this.news.set(id, notice);
    if (this.catalog.size === 0) this.catalog = await variants().catch(() => new Map());
    if (this.news.get(id) !== notice) return;
    const key = `${id} ${notice.kind}`;
    const isKnown = notice.kind === "challenge" && dismissedChallenges.get().includes(id);
    if (!isKnown && !this.announced.has(key)) {
      this.announced.add(key);
      const region = notice.kind === "ring" ? this.alert : this.status;
      // News may arrive together: each is an addition of its own.
      const text = h("p", {}, noticeText(notice, this.catalog));
      region.append(text);
      setTimeout(() => text.remove(), ANNOUNCEMENT_MS);
    }
    this.draw();
  }

  /** @param {string} id */
  remove(id) {
    if (this.news.delete(id)) this.draw();
  }

  /** Returns the ids of the news that the card shows, one after another. */
  cardIds() {
    if (this.busy()) return [];
    const dismissed = dismissedChallenges.get();
    const shown = [...this.news].filter(
      ([id, { kind }]) => kind === "ring" || (cardSetting.get() && !dismissed.includes(id)),
    );
    shown.sort(([a], [b]) => this.urgency(b) - this.urgency(a));
    return shown.map(([id]) => id);
  }

  /**
   * Returns 0 for news that can wait, and more for those that the card shows first.
   * @param {string} id
   */
  urgency(id) {
    return KINDS_FIRST.indexOf(this.news.get(id)?.kind ?? "") + 1;
  }

  /** Updates the number on the bell, the sheet and the card. */
  draw() {
    showNewsCount(this.news.size);
    this.sheet?.draw();
    this.tick();
  }

  /**
   * Shows the card of one piece of news. It stays until it is closed, its news end, or
   * more urgent ones arrive.
   */
  drawCard() {
    const ids = this.cardIds();
    const current = this.card?.id ?? "";
    const stays = ids.includes(current) && this.urgency(current) >= this.urgency(ids[0]);
    this.showCard(ids, stays ? current : ids[0]);
  }

  /**
   * Shows the card of a piece of news if it fits on the page.
   * @param {string[]} ids
   * @param {string | undefined} id
   */
  showCard(ids, id) {
    this.replaceCard(ids, id);
    if (this.card) fitCard(this.card.bar, this.urgency(this.card.id) === 0);
  }

  /**
   * @param {string[]} ids
   * @param {string | undefined} id
   */
  replaceCard(ids, id) {
    const notice = id && this.news.get(id);
    if (!id || !notice) {
      this.cards.replaceChildren();
      this.card = null;
      return;
    }
    const position = { at: ids.indexOf(id) + 1, n: ids.length };
    const key = `${position.at} ${position.n}`;
    if (this.card?.notice === notice && this.card.key === key) return;
    const next = () => this.showCard(ids, ids[position.at % ids.length]);
    const pager =
      ids.length > 1 &&
      h(
        "button",
        { class: "notice-pager num", type: "button", onclick: next },
        h("span", { "aria-hidden": "true" }, `${t("inbox.count", position)} ›`),
        h("span", { class: "visually-hidden" }, t("inbox.next", position)),
      );
    const hadFocus = this.cards.contains(document.activeElement);
    const actions = this.actions(id, notice, () => this.closeCard(id));
    const bar = noticeBar(notice, this.catalog, actions, pager);
    this.cards.replaceChildren(bar);
    this.card = { id, notice, key, bar };
    if (hadFocus) bar.querySelector(".notice-pager, .btn")?.focus();
    if (notice.readyBy) showCountdown(bar, notice.readyBy - this.now());
  }

  /**
   * Closes the card of a notice, which stays in the inbox.
   * @param {string} id
   */
  closeCard(id) {
    dismissedChallenges.set([...dismissedChallenges.get(), id]);
    this.drawCard();
  }

  /**
   * Removes a notice from the inbox of this tab.
   * @param {string} id
   */
  dismiss(id) {
    removedChallenges.set([...removedChallenges.get(), id]);
    this.remove(id);
  }

  /**
   * Updates the card, the countdowns and the flashing title; removes ready checks that are over.
   */
  tick() {
    for (const [id, { readyBy }] of this.news)
      if (readyBy && this.now() > readyBy + READY_CHECK_GRACE_MS) this.remove(id);
    updateEventNews(this);
    if (!this.busy()) showWaiting();
    this.drawCard();
    const { notice, bar } = this.card ?? {};
    if (notice?.readyBy)
      showCountdown(/** @type {HTMLElement} */ (bar), notice.readyBy - this.now());
    this.sheet?.tick();
    const isRinging = [...this.news.values()].some(({ kind }) => kind === "ring");
    if (isRinging !== Boolean(this.isRinging)) flashTitle(isRinging ? t("news.ring") : null);
    this.isRinging = isRinging;
  }

  /**
   * Returns the actions of the buttons of a bar; `dismiss` closes it.
   * @param {string} id
   * @param {Notice} notice
   * @param {() => unknown} dismiss
   * @returns {Record<NoticeAction, () => Promise<unknown>>}
   */
  actions(id, notice, dismiss) {
    const { challenge, by, game } = notice;
    const path = /** @type {const} */ (`/api/challenge/${challenge?.id}`);
    /** @param {() => Promise<unknown>} request */
    const send = (request) => async () => {
      try {
        await request();
      } catch (refused) {
        // The end of a ready check says so; the refusal concerns the other player.
        const isOver = notice.kind !== "challenge" && [403, 409].includes(refused.status);
        if (!isOver) toast(refusalText(refused, /** @type {Challenge} */ (challenge)));
        if ([404, 409].includes(refused.status)) this.remove(id);
      }
    };
    /** @param {"yes" | "no"} answer */
    const answerCheck = (answer) => post(`${path}/ready`, { answer });
    return {
      accept: send(async () => {
        const { id: opened, ready, readyBy } = await post(`${path}/accept`);
        if (ready !== false) goToGame(opened);
        else this.add(id, /** @type {Notice} */ ({ kind: "asked", challenge, by, readyBy }));
      }),
      decline: send(() =>
        post(`${path}/decline`, { reason: "generic" }).then(() => this.remove(id)),
      ),
      ready: send(() => answerCheck("yes").then((answer) => goToGame(answer.id))),
      notReady: send(() => answerCheck("no").then(() => this.remove(id))),
      open: async () => goToGame(/** @type {string} */ (game)),
      dismiss: async () => dismiss(),
    };
  }

  /** Opens the list of all news. */
  open() {
    this.sheet = openInboxSheet(this, () => {
      this.sheet = null;
    });
  }
}
