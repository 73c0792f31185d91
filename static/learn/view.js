// Layout of a lesson: heading, goal, board, status line, buttons, and the row of tasks. Shows each
// state; the texts come from the lesson. Used by learn.js.
import { ratioOf } from "../board/board.js";
import { h, iconSvg } from "../lib/dom.js";
import { StatusLine } from "../common/status-line.js";
import { rulesPath } from "../common/header.js";
import { t, variantName } from "../lib/i18n.js";
import { effectText, moveText } from "./move-texts.js";
import { scoreText } from "./score.js";
import { clicksOf, stepOf } from "./state.js";

const TICK = "M5 12.5l4.5 4.5L19 7";

/**
 * Texts of a step: goal, explanations of the solution, of other moves, and of the wrong moves.
 * @typedef {{ goal: string, done?: string, but?: string, wrong?: string[] }} StepTexts
 */

/**
 * Texts of a lesson. `roles` name the clicks of a move with so many clicks.
 * @typedef {{
 *   roles?: string[],
 *   tasks: { title: string, steps: StepTexts[] }[],
 * }} LessonTexts
 */

/** @typedef {"again" | "next" | "show" | "skip"} Action */

/** @typedef {[action: Action, label: string, isPrimary: boolean]} ActionButton */

/**
 * Page of a lesson. `act` receives pressed buttons, `open` the index of a task.
 * @typedef {object} ViewOptions
 * @property {Variant} variant
 * @property {Variant} other  the next game
 * @property {LessonTexts} texts
 * @property {import("./lesson-board.js").LessonBoard} lessonBoard
 * @property {(action: Action) => unknown} act
 * @property {(task: number) => unknown} open
 * @property {() => unknown} play  starts a game against the computer
 */

/** View of a lesson. */
export class LessonView {
  /** @type {ViewOptions} */ options;
  /** @type {string} */ refusal;
  /** @type {string} */ inspection;
  /** @type {string} */ shownButtons;

  /** @param {ViewOptions} options */
  constructor(options) {
    Object.assign(this, { options, refusal: "", inspection: "", shownButtons: "" });
    const { variant, lessonBoard } = options;
    const { board } = lessonBoard;
    this.heading = h("h1", {});
    this.score = h("p", { class: "learn-score small soft num" });
    this.goal = h("p", { class: "learn-goal" });
    this.statusLine = new StatusLine(() => board.svg.focus({ preventScroll: true }));
    this.buttons = h("div", { class: "learn-buttons" });
    this.dots = h("nav", { class: "learn-dots", "aria-label": t("learn.tasks") });
    const frame = h("div", { class: "game-board" }, board.svg);
    // An invitation links to the lesson with its id.
    const game = new URLSearchParams(location.search).get("game");
    const back = game
      ? h("a", { class: "btn btn-quiet", href: `/${encodeURIComponent(game)}` }, t("rules.back"))
      : h("a", { class: "btn btn-quiet", href: rulesPath(variant.key) }, t("rules.title"));
    this.element = h(
      "div",
      { class: `learn variant-${variant.key}` },
      h(
        "header",
        { class: "learn-head" },
        h("div", { class: "learn-title" }, h("div", {}, this.heading, this.score), back),
        this.goal,
      ),
      frame,
      h("div", { class: "learn-foot" }, this.statusLine.element, this.buttons, this.dots),
    );
    this.element.style.setProperty("--ratio", ratioOf(variant.board));
  }

  /**
   * Returns the texts of the current step.
   * @param {import("./state.js").State} state
   */
  stepTexts({ task, step }) {
    return this.options.texts.tasks[task].steps[step];
  }

  /**
   * Shows a state. A new step is announced to screen readers.
   * @param {import("./state.js").State} state
   */
  show(state) {
    const { tasks } = this.options.texts;
    const isFinished = state.phase === "finished";
    const { title } = tasks[state.task];
    const heading = isFinished
      ? t("learn.finished")
      : t("learn.where", { title, at: state.task + 1, of: tasks.length });
    const goal = isFinished ? t("learn.ending") : this.stepTexts(state).goal;
    if (heading !== this.heading.textContent || goal !== this.goal.textContent) {
      this.heading.textContent = heading;
      this.goal.replaceChildren(...this.goalContent(state, goal));
      StatusLine.announce([heading.replace(/\.$/, ""), goal].join(". "));
    }
    this.element.classList.toggle("is-finished", isFinished);
    this.goal.classList.toggle("is-done", state.phase === "done");
    this.score.textContent = scoreText(this.options.variant, this.options.lessonBoard);
    this.showDots(state);
    this.showButtons(state);
    this.showStatus(state);
  }

  /**
   * Returns the content of the goal: in the first step the first sentence is the aim of the game.
   * @param {import("./state.js").State} state
   * @param {string} goal
   */
  goalContent({ task, step, phase }, goal) {
    const isAim = task === 0 && step === 0 && phase !== "finished";
    const [aim] = (isAim && /^[^.]+\./.exec(goal)) || [""];
    return [h("b", {}, aim), goal.slice(aim.length)];
  }

  /**
   * Shows the row of tasks, which is hidden before the first one is done.
   * @param {import("./state.js").State} state
   */
  showDots({ tasks, task, done, phase }) {
    const texts = this.options.texts.tasks;
    this.dots.classList.toggle("is-hidden", !done.length && task === 0);
    const shown = JSON.stringify([done, task, phase === "finished"]);
    if (this.dots.dataset.shown === shown) return;
    this.dots.dataset.shown = shown;
    const focused = [...this.dots.children].indexOf(
      /** @type {Element} */ (document.activeElement),
    );
    this.dots.replaceChildren(
      ...tasks.map(({ name }, at) => {
        const isDone = done.includes(name);
        const label = t(isDone ? "learn.taskDone" : "learn.task", {
          at: at + 1,
          title: texts[at].title,
        });
        return h(
          "button",
          {
            type: "button",
            class: isDone ? "is-done" : undefined,
            "aria-label": label,
            title: label,
            "aria-current": at === task && phase !== "finished" ? "step" : undefined,
            onclick: () => this.options.open(at),
          },
          h("span", {}, isDone ? iconSvg(TICK) : String(at + 1)),
        );
      }),
    );
    if (focused >= 0) /** @type {Element} */ (this.dots.children[focused])?.focus();
  }

  /**
   * Returns the buttons of a state.
   * @param {import("./state.js").State} state
   * @returns {ActionButton[]}
   */
  actions({ phase }) {
    switch (phase) {
      case "wrong":
        return [
          ["again", t("learn.again"), true],
          ["show", t("learn.show"), false],
          ["next", t("learn.next"), false],
        ];
      case "done":
        return [["next", t("learn.next"), true]];
      case "shown":
        return [
          ["again", t("learn.tried"), false],
          ["next", t("learn.next"), true],
        ];
      case "failed":
        return [["again", t("trouble.again"), true]];
      case "finished":
        return [];
      default:
        return [
          ["skip", t("learn.skip"), false],
          ["show", t("learn.show"), false],
        ];
    }
  }

  /**
   * Shows the buttons. If the focused one has gone, the focus moves to the board while it takes
   * clicks, otherwise to the main button.
   * @param {import("./state.js").State} state
   */
  showButtons(state) {
    const actions = this.actions(state);
    const shown = JSON.stringify([state.phase === "finished", actions]);
    if (shown === this.shownButtons) return;
    this.shownButtons = shown;
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.replaceChildren(
      ...(state.phase === "finished"
        ? this.endButtons()
        : actions.map(([action, label, isPrimary]) =>
            h(
              "button",
              {
                type: "button",
                class: isPrimary ? "btn btn-primary" : "btn",
                "data-action": action,
                onclick: () => this.options.act(action),
              },
              label,
            ),
          )),
    );
    if (["wrong", "done", "shown", "failed", "finished"].includes(state.phase)) {
      if (hadFocus || state.phase === "finished") this.focusMain();
    } else if (hadFocus) this.options.lessonBoard.board.svg.focus({ preventScroll: true });
  }

  /** Moves the focus to the main button, or to the first one. */
  focusMain() {
    const main = this.buttons.querySelector(".btn-primary") ?? this.buttons.querySelector(".btn");
    main?.focus({ preventScroll: true });
  }

  /** Returns the buttons at the end of the lesson. */
  endButtons() {
    const { variant, other, play } = this.options;
    const start = h(
      "button",
      { type: "button", class: "btn btn-primary", onclick: play },
      t("learn.level"),
    );
    return [
      start,
      h("a", { class: "btn", href: `/pass-and-play/${variant.key}` }, t("pass.title")),
      h("a", { class: "btn", href: rulesPath(variant.key) }, t("learn.rules")),
      h(
        "a",
        { class: "btn", href: `/learn/${other.key}` },
        t("learn.other", { name: variantName(other) }),
      ),
    ];
  }

  /**
   * Shows the status line.
   * @param {import("./state.js").State} state
   */
  showStatus(state) {
    this.statusLine.show(...this.statusContent(state));
  }

  /**
   * Shows the reason of a refusal in the status line.
   * @param {import("./state.js").State} state
   * @param {string} text
   */
  showRefusal(state, text) {
    this.refusal = text;
    this.showStatus(state);
  }

  /** Removes the reason of a refusal when the status line is shown next. */
  forgetRefusal() {
    this.refusal = "";
  }

  /**
   * Shows the words about an inspected cell in the status line.
   * @param {import("./state.js").State} state
   * @param {string} text "" when the look ends
   */
  showInspection(state, text) {
    this.inspection = text;
    this.showStatus(state);
  }

  /**
   * Returns the instruction for a click of the solution, with its role in the move.
   * @param {string[]} cells
   * @param {number} at
   */
  clickText(cells, at) {
    const { roles = [] } = this.options.texts;
    const cell = cells[at];
    return roles.length === cells.length
      ? t("learn.tapAs", { role: roles[at], cell })
      : t("learn.tap", { cell });
  }

  /**
   * @param {import("./state.js").State} state
   * @returns {StatusContent}
   */
  statusContent(state) {
    const texts = this.stepTexts(state);
    if (this.inspection) return [this.inspection];
    switch (state.phase) {
      case "idle":
        return this.refusal ? [this.refusal, "", this.clearButton()] : this.prompt(state);
      case "wrong":
        return [(state.wrong === null ? texts.but : texts.wrong?.[state.wrong]) ?? t("learn.but")];
      case "done":
        // Refused clicks have no "Yes": the explanation says what is not allowed.
        return [
          stepOf(state).goal.refused ? (texts.done ?? "") : t("learn.yes", { text: texts.done }),
        ];
      case "showing":
        return [state.clicks ? this.clickText(clicksOf(stepOf(state)), state.clicks - 1) : ""];
      case "shown":
        return [texts.done ?? t("learn.shown")];
      case "failed":
        return [t("error.network")];
      default:
        return [""];
    }
  }

  /** @returns {StatusButton[]} */
  clearButton() {
    const { lessonBoard } = this.options;
    return lessonBoard.clicks.chosen.length ? [[t("hint.clear"), () => lessonBoard.clear()]] : [];
  }

  /**
   * Returns the status while a move is chosen: the next click, and the effects of the chosen ones.
   * @param {import("./state.js").State} state
   * @returns {StatusContent}
   */
  prompt(state) {
    const { lessonBoard } = this.options;
    const { clicks, asked, events } = lessonBoard;
    const { position } = /** @type {Answer} */ (state.answer);
    const [next] = lessonBoard.nextAsked();
    if (lessonBoard.board.tap.cell)
      return [t("hint.tapAgain"), effectText(lessonBoard, position), this.clearButton()];
    if (next)
      return [
        this.clickText(asked, asked.indexOf(next)),
        effectText(lessonBoard, position),
        this.clearButton(),
      ];
    const complete = clicks.completeMove();
    /** @type {StatusButton[]} */
    const finish = complete
      ? [[t("hint.leave", { u: complete }), () => events.move(complete), "btn-primary"]]
      : [];
    return [...moveText(lessonBoard, position), [...finish, ...this.clearButton()]];
  }
}
