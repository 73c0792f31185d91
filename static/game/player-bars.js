// Both players' bars: name, rating, what each has of the game's own, whether somebody is away; and their clocks, as the server last
// told them, running on between.
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { botOf } from "../common/user-link.js";
import { sound } from "../board/sound.js";
import { clockText, LOW_MS } from "../lib/format-time.js";
import { say } from "../lib/i18n.js";

/** Times that are announced once to those who do not see the clock. */
const ANNOUNCED_MS = [30000, 10000];

export class Clocks {
  /** @type {() => number} */ now;
  /** @type {(text: string) => unknown} */ announce;
  /** @type {Side | null | undefined} */ mine;
  /** @type {Record<Side, string>} */ names;
  /** @type {ClockTimes | null} */ told;
  /** @type {Set<number>} */ said;

  /**
   * `now` is the server's time; `announce` says something aloud; `mine` is the own side.
   * @param {{ now: () => number, announce: (text: string) => unknown, mine?: Side | null, names: Record<Side, string> }} how
   */
  constructor({ now, announce, mine, names }) {
    Object.assign(this, { now, announce, mine, names, told: null, said: new Set() });
    const element = (side) =>
      h("div", {
        class: "clock num",
        role: "timer",
        "aria-live": "off",
        "aria-label": say("game.clock", { name: names[side] }),
      });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), 100);
  }

  set(told) {
    this.told = told;
    this.draw();
  }

  left(side) {
    const { running, at } = /** @type {ClockTimes} */ (this.told);
    return (
      /** @type {ClockTimes} */ (this.told)[side] -
      (running === side ? Math.max(0, this.now() - at) : 0)
    );
  }

  draw() {
    for (const [side, element] of Object.entries(this.elements)) {
      element.hidden = !this.told;
      if (!this.told) continue;
      const left = this.left(side);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      const running = this.told.running === side;
      element.classList.toggle("run", running && left >= LOW_MS);
      element.classList.toggle("low", running && left < LOW_MS);
      element.classList.toggle("flag", left <= 0);
      if (running && side === this.mine) this.announceLow(left);
    }
  }

  announceLow(left) {
    // Each of the last seconds is heard once.
    const second = Math.ceil(left / 1000);
    if (left > 0 && left <= LOW_MS && second !== this.ticked) {
      this.ticked = second;
      sound("low");
    }
    for (const mark of ANNOUNCED_MS) {
      if (left <= mark && left > mark - 2000 && !this.said.has(mark)) {
        this.said.add(mark);
        this.announce(say("hint.low", { n: mark / 1000 }));
      }
    }
  }

  /** Both clocks in words. */
  spoken() {
    return this.told
      ? ["first", "second"]
          .map((side) =>
            say("clocks.says", { name: this.names[side], time: clockText(this.left(side)) }),
          )
          .join(", ")
      : "";
  }
}

const SIDES = ["first", "second"];
const other = (side) => (side === "first" ? "second" : "first");

/** What the clock of the opponent is given at a time. */
const GIVEN_S = 15;

/** Says that the computer thinks; its place is always kept. The hint tells it to those who do not see it. */
const thinking = () =>
  h(
    "span",
    { class: "thinking off", "aria-hidden": "true" },
    h("span", {}, say("game.thinking")),
    h("i"),
    h("i"),
    h("i"),
  );

export class Bars {
  /** @type {import("./page.js").Play} */ play;
  /** @type {() => unknown} */ again;
  /** @type {Side} */ below;

  /**
   * `play` is the page of the game; `give()` gives the opponent time, `again()` asks what was put off.
   * @param {import("./page.js").Play} play
   * @param {{ give: () => unknown, again: () => unknown }} deeds
   */
  constructor(play, { give, again }) {
    const { you } = play;
    Object.assign(this, { play, again, below: you ?? "first" });
    // The computer has no use for a gift.
    const gives = you && play.game.clock && !play.isComputer(other(you));
    this.more = gives
      ? h(
          "button",
          {
            type: "button",
            class: "more num",
            "aria-label": say("game.give", { name: play.name(other(you)), n: GIVEN_S }),
            title: say("game.give", { name: play.name(other(you)), n: GIVEN_S }),
            onclick: give,
          },
          `+${GIVEN_S} s`,
        )
      : null;
    this.elements = { first: this.bar("first"), second: this.bar("second") };
  }

  bar(side) {
    const { play } = this;
    const { name, rating, provisional, guest, title, level } = play.game[side];
    // Where nothing is at stake, its level says all of the computer.
    const shown =
      guest || (level && !play.game.rated)
        ? null
        : h("small", { class: "num" }, `${rating}${provisional ? "?" : ""}`);
    // A clock takes the room beside the name.
    const timed = Boolean(play.game.clock ?? play.game.daysPerTurn);
    const thinks = level && thinking();
    const away = h("button", {
      type: "button",
      class: "away num",
      hidden: true,
      onclick: this.again,
    });
    return h(
      "section",
      { class: "card bar", "aria-label": `${name}, ${play.sideName(side)}` },
      h("span", { class: "glyph" }, icon(play.variant.key, side)),
      h(
        "div",
        {},
        h("div", { class: "name", title: name }, h("span", {}, name), !timed && thinks),
        h(
          "div",
          { class: "line" },
          botOf({ title, level }),
          timed && thinks,
          shown,
          away,
          h(
            "div",
            { class: "count num" },
            h("span", { class: "slots", "aria-hidden": "true" }),
            h("span", {}),
          ),
        ),
      ),
      side !== play.you && this.more,
      play.clocks.elements[side],
    );
  }

  /** Says that a player is away, or with "" that not; `asks` makes it a button that asks what was put off. */
  away(side, text, asks) {
    const bar = this.elements[side];
    const note = bar.querySelector(".away");
    bar.classList.toggle("gone", text !== "");
    note.hidden = text === "";
    note.disabled = !asks;
    if (note.textContent !== text) note.textContent = text;
  }

  /** Shows the button that gives time as long as it can, and that the computer thinks while it is its turn. */
  keep() {
    const { abortable, end, turn } = this.play.game;
    this.more?.classList.toggle("off", Boolean(abortable || end));
    for (const side of SIDES)
      this.elements[side]
        .querySelector(".thinking")
        ?.classList.toggle("off", Boolean(end) || turn !== side);
  }

  /** Whose bar is above, and whose below. */
  get above() {
    return this.elements[other(this.below)];
  }

  get under() {
    return this.elements[this.below];
  }

  flip() {
    this.below = other(this.below);
  }

  /** On a phone the bars stand above and below the board by their class. */
  seat() {
    for (const side of SIDES) {
      this.elements[side].classList.toggle("own", side === this.below);
      this.elements[side].classList.toggle("opp", side !== this.below);
    }
  }

  /** What each side has of the game's own; says who has won already and only waits. */
  counts(shown) {
    const { game, glyph } = this.play;
    const { phrase, values, of, slots = 0, others = false, more } = glyph.count(shown);
    SIDES.forEach((side, at) => {
      const [drawn, text] = this.elements[side].querySelector(".count").children;
      const also = more?.at === at ? ` · ${say(more.phrase, { n: more.n })}` : "";
      text.textContent = say(phrase, { n: values[at], of }) + also;
      text.classList.toggle("unseen", slots > 0);
      drawn.replaceChildren(
        ...Array.from({ length: slots }, (_, slot) =>
          h("i", { class: slot < values[at] ? "full" : undefined }),
        ),
      );
      drawn.dataset.side = game.sides[others ? 1 - at : at];
    });
    return more ? SIDES[more.at] : null;
  }
}
