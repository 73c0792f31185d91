// A game with the computer: which one, at what level, on which side. The last choice is where the next
// one begins.
import { post } from "../lib/http.js";
import { form, openDialog } from "../lib/dialog.js";
import { choose, h } from "../lib/dom.js";
import { GameChoice } from "./game-choice.js";
import "../lib/i18n-more.js";
import { TimeChoice } from "../lib/choice.js";
import { saidAs, say } from "../lib/i18n.js";

const KEY = "computer";
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
const LEVEL_USUAL = 2;

/** What was sent the last time, if this browser remembers. */
const remembered = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    return {};
  }
};

const remember = (sent) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(sent));
  } catch {
    // The next choice begins with the usual then.
  }
};

const levelText = (n) => say("computer.named", { n, word: say(`level.${n}`) });

class ComputerChoice {
  /**
   * `wished` is chosen in place of what was chosen the last time.
   * @param {Catalogue} catalogue
   * @param {Record<string, any>} wished
   */
  constructor(catalogue, wished = {}) {
    const known = Object.fromEntries(
      Object.entries(wished).filter(([, value]) => value !== undefined),
    );
    const last = { ...remembered(), ...known };
    this.level = LEVELS.includes(last.level) ? last.level : LEVEL_USUAL;
    this.games = new GameChoice(catalogue, () => {}, false);
    this.games.recall(last);
    this.times = new TimeChoice(() => {}, false);
    this.times.recall(last);
  }

  levels() {
    const legend = h("legend", {}, levelText(this.level));
    const choices = LEVELS.map((n) => [n, String(n), levelText(n)]);
    return h(
      "fieldset",
      {},
      legend,
      choose("levels num", say("computer.level"), choices, this.level, (level) => {
        this.level = Number(level);
        legend.textContent = levelText(this.level);
      }),
    );
  }

  /** What is sent. */
  fields() {
    return { level: this.level, ...this.games.fields(), ...this.times.fields() };
  }

  /** The form; `begun(id)` is told of the game. */
  form(begun) {
    const send = async () => {
      const sent = this.fields();
      // The news of the game may be quicker than the answer, and leave the page.
      remember(sent);
      begun(
        (await post("/api/challenge/ai", sent).catch(saidAs("declined", "computer.declined"))).id,
      );
    };
    const element = form(
      [this.games.element, this.games.details, this.levels(), this.times.element],
      say("computer.play"),
      send,
      "btn main big",
    );
    element.classList.add("new", "computer");
    return element;
  }
}

/**
 * Opens the choice over the page; `go(id)` goes to the game, `wished` is chosen from the beginning.
 * @param {Catalogue} catalogue
 * @param {(id: string) => unknown} go
 * @param {Record<string, any>} [wished]
 */
export const playComputer = (catalogue, go, wished) => {
  const dialog = openDialog(say("computer.title"), (close) =>
    new ComputerChoice(catalogue, wished).form((id) => {
      // What is closed is not sent twice.
      close();
      go(id);
    }),
  );
  dialog.querySelector("[type=submit]").focus({ preventScroll: true });
};
