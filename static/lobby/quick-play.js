// Play now: with whoever is there, with the computer, or with a friend who gets a link.
import { post } from "../lib/http.js";
import { deed, openDialog, sayWhy } from "../lib/dialog.js";
import { h, line, toast } from "../lib/dom.js";
import { isChoice, isOwn } from "../common/challenge-text.js";
import { say, variantName } from "../lib/i18n.js";

/** What is offered in the name of somebody who only wants to play: two usual clocks in seconds, for an hour. */
const CLOCKS = "300+3,600+5";
const OPEN_MS = 3600000;

const isSoon = ({ timeControl }) => timeControl.type === "clock";

const ROADS = {
  person:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6.5 6.5-6.5s6.5 2.5 6.5 6.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14c2.2 1 3.5 3 3.5 6",
  computer: "M5 5h14v10H5zM9 20h6M12 15v5M9 9v2M15 9v2",
  friend:
    "M10 14a4 4 0 0 1 0-5.6l3-3a4 4 0 0 1 5.6 5.6l-1.5 1.6M14 10a4 4 0 0 1 0 5.6l-3 3A4 4 0 0 1 5.4 13l1.5-1.6",
};

export class Quick {
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  /** @type {() => any[]} */ open;
  /** @type {(challenge: any, choice: object) => unknown} */ accept;
  /** @type {() => number} */ now;
  /** @type {(id: string) => unknown} */ go;

  /**
   * `open()` gives the challenges that are open, `accept(challenge, choice)` takes one,
   * `now()` is the server's time, `go(id)` goes to a game or a challenge.
   */
  constructor(catalogue, me, { open, accept, now, go }) {
    Object.assign(this, { catalogue, me, open, accept, now, go });
  }

  /** The open challenges by the clock in which that game, or any, is offered. */
  offers(key) {
    return this.open().filter(
      ({ choices, gone }) =>
        !gone &&
        choices.clocks.some(isSoon) &&
        (!key || choices.variants.some(({ variant }) => variant.key === key)),
    );
  }

  /** Takes a challenge that fits, or offers to play and waits where the viewer's own stands already. */
  async person(key) {
    const offers = this.offers(key);
    const fits = offers.find(
      ({ eligible, readyBy, kind }) => eligible && !readyBy && kind !== "open",
    );
    if (fits) return this.accept(fits, this.choice(fits, key));
    const own = offers.find((challenge) => isOwn(challenge) && challenge.kind !== "open");
    if (own) return this.go(own.id);
    return this.post(key);
  }

  /** Which of several games and clocks is taken. */
  choice(challenge, key) {
    if (!isChoice(challenge)) return {};
    const { variants, clocks } = challenge.choices;
    const variant =
      key ?? variants.find(({ eligible }) => eligible)?.variant.key ?? variants[0].variant.key;
    return { variant, clock: clocks.find(isSoon).key };
  }

  /** A challenge that is in no list; its link is on its page. */
  friend(key) {
    return this.post(key, { listed: false });
  }

  /** Offers that game, or any, and goes where it is waited for. */
  async post(key, how = {}) {
    const games = key ? { variant: key } : { variants: [...this.catalogue.keys()].join(",") };
    try {
      const { id } = await post("/api/challenge", {
        ...games,
        ...how,
        clocks: CLOCKS,
        rated: !this.me.guest,
        provisional: "allow",
        expiresAt: Math.round(this.now()) + OPEN_MS,
      });
      this.go(id);
    } catch (refused) {
      toast(refused.message);
    }
  }

  async computer(key) {
    const { playComputer } = await import("../common/ai-dialog.js");
    playComputer(this.catalogue, this.go, { variant: key });
  }

  /** Asks against whom a game is to be played. */
  ask(variant) {
    const { key } = variant;
    openDialog(variantName(variant), (close) => {
      const road = (name) =>
        h(
          "button",
          {
            class: "road",
            type: "button",
            "data-road": name,
            onclick: () => {
              close();
              this[name](key).catch(sayWhy);
            },
          },
          line(ROADS[name]),
          h(
            "span",
            {},
            h("b", {}, say(`quick.${name}`)),
            h("span", { class: "small soft" }, this.why(name, key)),
          ),
        );
      return h("div", { class: "roads" }, ...Object.keys(ROADS).map(road));
    })
      .querySelector(".road")
      .focus({ preventScroll: true });
  }

  why(name, key) {
    const n = name === "person" ? this.offers(key).filter(({ eligible }) => eligible).length : 0;
    return n ? say("quick.waiting", { n }) : say(`quick.${name}Why`);
  }
}

/**
 * The two ways to play at once, and the two for those who wish more: they stand before all is there
 * that they need. `coming` is the page's Lobby, as soon as it can be had.
 * @param {Promise<{ quick: Quick, place: import("./view.js").FormPlace }>} coming
 */
export const quickButtons = (coming) => {
  const button = (className, key, act) => deed(say(key), async () => act(await coming), className);
  return h(
    "div",
    { class: "quick" },
    button("btn main big", "quick.person", ({ quick }) => quick.person()),
    button("btn big", "quick.computer", ({ quick }) => quick.computer()),
    button("btn quiet post", "lobby.new", ({ place }) => place.bring()),
    button("btn quiet", "quick.friend", ({ quick }) => quick.friend()),
  );
};
