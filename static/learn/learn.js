// Entry point of a lesson (/learn/{variant}). Holds the state of the lesson, has board and view
// show it, and executes its effects. All positions and effects of moves come from the rules core:
// the server, or its WebAssembly without a network.
import { get, post, variants } from "../lib/http.js";
import { h, toast } from "../lib/dom.js";
import { subscribe } from "../common/notifications.js";
import { goToGame } from "../common/navigation.js";
import { loadFailed, notFound } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { isReservedKey } from "../lib/keyboard.js";
import { runEffects } from "../lib/dispatch.js";
import { language, t, variantName } from "../lib/i18n.js";
import { apply, firstOpenTask, initialState, sideOf } from "./state.js";
import { doneTasks, markFinished, storeDoneTasks } from "./progress.js";
import { LessonBoard } from "./lesson-board.js";
import { refusalReason } from "./move-texts.js";
import { LessonView } from "./view.js";

/** Time for which the reason of a refusal is shown. */
const REFUSAL_MS = 6000;

/**
 * Whether the last input came from a pointer. All other input moves the focus to the next button.
 */
let isPointerInput = false;

/** Controller of a lesson. */
class Lesson {
  /** @type {Variant} */ variant;
  /** @type {import("./state.js").State} */ state;
  /** @type {import("./view.js").LessonTexts} */ texts;
  /** @type {number | undefined} */ timer;
  /** @type {number | undefined} */ refusalTimer;
  /** @type {string} */ explained;

  /**
   * @param {Catalog} catalog
   * @param {Variant} variant
   * @param {{ lesson: { tasks: import("./state.js").Task[] }, texts:
   *   import("./view.js").LessonTexts }} data
   */
  constructor(catalog, variant, { lesson, texts }) {
    const done = doneTasks(variant.key);
    markFinished(variant.key, done, lesson.tasks);
    const state = initialState(lesson.tasks, done);
    Object.assign(this, { variant, texts, state, explained: "" });
    this.effectHandlers = this.createEffectHandlers();
    const all = [...catalog.values()];
    this.lessonBoard = new LessonBoard(variant, {
      choose: () => this.clearRefusal(),
      move: (u) => this.dispatch({ type: "move", u }),
      refuse: (clicks) => this.refuse(clicks),
      change: () => this.view?.showStatus(this.state),
      inspect: (text) => this.view.showInspection(this.state, text),
    });
    // After a wrong move or a demonstration, a tap on the board begins the step again, as the
    // button does.
    this.lessonBoard.board.svg.addEventListener("pointerdown", () => {
      if (["wrong", "shown"].includes(this.state.phase)) this.dispatch({ type: "again" });
    });
    this.view = new LessonView({
      variant,
      texts,
      other: all[(all.indexOf(variant) + 1) % all.length],
      lessonBoard: this.lessonBoard,
      act: (action) => this.dispatch({ type: action }),
      open: (task) => this.dispatch({ type: "open", task }),
      play: () => startGame(variant.key),
    });
  }

  /** @param {import("./state.js").LessonEvent} event */
  dispatch(event) {
    const before = this.state;
    const { state, effects } = apply(before, event);
    if (state === before && !effects.length) return;
    this.state = state;
    if (state.seq !== before.seq) {
      clearTimeout(this.timer);
      this.clearRefusal();
    }
    this.lessonBoard.show(state, before);
    this.view.show(state);
    // The board takes no clicks in these phases.
    const isAnswered = ["wrong", "done", "shown", "failed"].includes(state.phase);
    if (isAnswered && state.phase !== before.phase && !isPointerInput) this.view.focusMain();
    runEffects(effects, this.effectHandlers);
  }

  /** @returns {import("../lib/dispatch.js").EffectHandlers<import("./state.js").Effect>} */
  createEffectHandlers() {
    return {
      query: ({ seq }) => this.query(seq),
      wait: ({ seq, ms }) => this.wait(seq, ms),
      refusal: ({ cell }) => this.lessonBoard.board.shake(cell),
      done: () => {
        storeDoneTasks(this.variant.key, this.state.done, this.state.tasks);
        this.lessonBoard.board.wave(sideOf(this.state));
      },
    };
  }

  /**
   * Causes a timeout, after the running animation.
   * @param {number} seq
   * @param {number} ms
   */
  wait(seq, ms) {
    const running = Math.max(0, this.lessonBoard.board.motion.until - performance.now());
    this.timer = setTimeout(() => this.dispatch({ type: "timeout", seq }), running + ms);
  }

  /**
   * Asks the rules core for the moves of the state.
   * @param {number} seq
   */
  async query(seq) {
    const { start, moves } = this.state;
    const question = {
      variant: this.variant.key,
      ...(start && { start }),
      moves,
      replay: true,
    };
    try {
      const answer = await post("/api/position", question);
      this.dispatch({ type: "answer", seq, answer });
    } catch {
      this.dispatch({ type: "failed", seq });
    }
  }

  /**
   * Handles refused clicks: they may be what the step asks for, otherwise the reason is shown.
   * @param {string[]} clicks
   */
  refuse(clicks) {
    const { seq } = this.state;
    this.dispatch({ type: "refused", clicks });
    if (this.state.seq === seq) this.explain(clicks);
  }

  /**
   * Shows the reason of refused clicks, as the rules core names it.
   * @param {string[]} clicks
   */
  async explain(clicks) {
    const { answer, seq } = this.state;
    this.explained = clicks.join();
    const position = { variant: this.variant.key, start: answer?.position };
    const text = await refusalReason(position, clicks);
    if (!text) return;
    if (this.state.seq !== seq || this.explained !== clicks.join()) return;
    this.showRefusal(text);
  }

  /**
   * Shows a refusal in the status line for some seconds.
   * @param {string} text
   */
  showRefusal(text) {
    this.view.showRefusal(this.state, text);
    clearTimeout(this.refusalTimer);
    this.refusalTimer = setTimeout(() => {
      this.clearRefusal();
      this.view.showStatus(this.state);
    }, REFUSAL_MS);
  }

  /** Removes the reason of a refusal, without a change of the status line. */
  clearRefusal() {
    clearTimeout(this.refusalTimer);
    this.explained = "";
    this.view.forgetRefusal();
  }
}

/**
 * Starts a game against the lowest level of the computer.
 * @param {string} variant
 */
const startGame = async (variant) => {
  try {
    const { id } = await post("/api/challenge/ai", { level: 1, variant, color: "random" });
    goToGame(id);
  } catch (refused) {
    toast(/** @type {Error} */ (refused).message);
  }
};

const main = document.querySelector("main");

const open = async () => {
  const key = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  const data = new URL(`../lessons/${language}/${key}.json`, import.meta.url).href;
  const catalog = await variants();
  const variant = catalog.get(key);
  if (!variant) return main.replaceChildren(notFound());
  const lesson = new Lesson(catalog, variant, await get(data));
  document.title = `${t("learn.title", { variant: variantName(variant) })} · Sprong`;
  main.replaceChildren(lesson.view.element);
  lesson.dispatch({ type: "open", task: firstOpenTask(lesson.state) });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.repeat && !isReservedKey(event)) lesson.lessonBoard.undo();
  });
};

document.addEventListener("pointerdown", () => (isPointerInput = true), true);
document.addEventListener("keydown", () => (isPointerInput = false), true);
initHeader("/rules");
subscribe();
open().catch((refused) =>
  main.replaceChildren(h("div", { class: "learn-failed" }, loadFailed(refused))),
);
