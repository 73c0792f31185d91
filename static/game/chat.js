// Chat of a game: one room for the players, one for the spectators; the server decides about the
// room. On small screens the chat is an overlay over the board. Created by `page.js`.
import { h, iconSvg } from "../lib/dom.js";
import { CLOSE } from "../lib/icons.js";
import { ignoreDoubleClick } from "../common/status-line.js";
import { t } from "../lib/i18n.js";
import { chatSetting } from "../lib/settings.js";

const CHARS_MAX = 300;

/** Keys of the messages that one press sends. */
const QUICK_MESSAGES = ["goodGame", "thanks", "moment"];

/** Chat panel. */
export class Chat {
  /** @type {(count: number) => unknown} */ onUnread;
  /** @type {(ply: number) => unknown} */ go;
  /** @type {() => boolean} */ isOver;
  /** @type {number} */ unread;
  /** @type {string} */ serialized;
  /** @type {number | null | undefined} */ lastPly;
  /** @type {HTMLInputElement} */ input;

  /**
   * `send(text)` sends a line, `onUnread(count)` receives the number of unread lines, `go(ply)`
   * displays a position, `isOver()` returns whether the game has ended.
   * @param {{
   *   player: boolean,
   *   send: (text: string) => unknown,
   *   onUnread: (count: number) => unknown,
   *   go: (ply: number) => unknown,
   *   isOver: () => boolean,
   * }} options
   */
  constructor({ player, send, onUnread, go, isOver }) {
    Object.assign(this, { onUnread, go, isOver, unread: 0 });
    this.list = h("ol", { "aria-live": "polite", "data-empty": t("chat.empty") });
    const quickMessages = QUICK_MESSAGES.map((key) => t(`chat.quick.${key}`)).map((text) =>
      h("button", { type: "button", onclick: ignoreDoubleClick(() => send(text)) }, text),
    );
    const input = h("input", {
      maxlength: CHARS_MAX,
      placeholder: t("game.say"),
      "aria-label": t("game.say"),
      enterkeyhint: "send",
      autocomplete: "off",
    });
    /** @type {(event: SubmitEvent) => void} */
    const submit = (event) => {
      event.preventDefault();
      if (input.value.trim()) send(input.value.trim());
      input.value = "";
    };
    const close = h(
      "button",
      {
        class: "icon",
        type: "button",
        "aria-label": t("game.close"),
        onclick: () => this.toggle(),
      },
      iconSvg(CLOSE),
    );
    addEventListener("resize", () => this.place());
    this.input = input;
    this.element = h(
      "section",
      {
        class: "card chat-panel",
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.closeOnEscape(event),
        "aria-label": t("game.chat"),
      },
      h("h2", {}, t(player ? "game.players" : "game.watchers"), close),
      h(
        "div",
        { class: "chat-off" },
        h("p", { class: "soft" }, t("chat.off")),
        h(
          "button",
          { class: "btn", type: "button", onclick: () => this.setEnabled(true) },
          t("chat.on"),
        ),
      ),
      this.list,
      player && h("div", { class: "chat-quick" }, ...quickMessages),
      h(
        "form",
        { onsubmit: submit },
        input,
        h(
          "button",
          { class: "btn chat-send", "aria-label": t("chat.send"), title: t("chat.send") },
          iconSvg("M4 12l16-8-6 16-3-7z"),
        ),
      ),
    );
    this.applySetting();
  }

  /** Shows or hides messages and fields by the setting. A hidden chat has no unread lines. */
  applySetting() {
    const isEnabled = chatSetting.get();
    this.element.classList.toggle("is-off", !isEnabled);
    if (!isEnabled && this.unread > 0) this.onUnread((this.unread = 0));
  }

  /**
   * Turns the chat on or off, in this browser.
   * @param {boolean} isEnabled
   */
  setEnabled(isEnabled) {
    chatSetting.set(isEnabled);
    this.applySetting();
    if (!isEnabled) return;
    this.list.scrollTop = this.list.scrollHeight;
    if (this.element.offsetParent !== null) this.focus();
  }

  /** Moves the focus to the field, or to the button that turns the chat on. */
  focus() {
    const target = chatSetting.get() ? this.input : this.element.querySelector(".chat-off button");
    target?.focus({ preventScroll: true });
  }

  /**
   * Closes the overlay with Escape.
   * @param {KeyboardEvent} event
   */
  closeOnEscape(event) {
    if (event.key !== "Escape" || !this.element.parentElement?.classList.contains("is-chat-open"))
      return;
    event.stopPropagation();
    this.toggle();
  }

  /**
   * Replaces all lines.
   * @param {readonly ChatMessage[]} lines
   */
  set(lines) {
    // Screen readers would repeat unchanged lines after each reconnect.
    const serialized = JSON.stringify(lines);
    if (serialized === this.serialized) return;
    this.serialized = serialized;
    this.lastPly = null;
    this.list.replaceChildren();
    lines.forEach((message) => this.append(message));
  }

  /**
   * Appends a new line and counts it as unread while the chat is hidden.
   * @param {ChatMessage} message
   */
  add(message) {
    this.append(message);
    if (chatSetting.get() && this.element.offsetParent === null) this.onUnread(++this.unread);
  }

  /** @param {ChatMessage} message */
  append({ name, text, deleted, ply }) {
    const line = deleted ? h("i", { class: "soft" }, t("chat.deleted")) : text;
    this.list.append(h("li", {}, this.plyButton(ply), h("span", {}, h("b", {}, name), " ", line)));
    this.list.scrollTop = this.list.scrollHeight;
  }

  /**
   * Builds the button that displays the position at which the following lines were sent; null
   * before the first move, and if the previous line was sent at the same position.
   * @param {number | null | undefined} ply
   */
  plyButton(ply) {
    if (!ply || ply === this.lastPly) return null;
    this.lastPly = ply;
    const n = Math.ceil(ply / 2);
    const label = t("game.saidat", { n: ply });
    return h(
      "button",
      {
        type: "button",
        class: "chat-ply num",
        "data-ply": ply,
        title: label,
        "aria-label": label,
        onclick: () => this.display(ply),
      },
      t("chat.move", { n: ply % 2 ? `${n}.` : `${n}…` }),
    );
  }

  /**
   * Displays a position, and closes the overlay, which would cover it.
   * @param {number} ply
   */
  display(ply) {
    if (this.element.parentElement?.classList.contains("is-chat-open")) this.toggle();
    this.go(ply);
  }

  /** Opens the overlay, or moves the focus to the field where the chat is always visible. */
  open() {
    if (!this.element.parentElement?.classList.contains("is-chat-open")) this.toggle();
    this.focus();
  }

  /** Opens or closes the overlay and resets the unread lines. */
  toggle() {
    const open = this.element.parentElement?.classList.toggle("is-chat-open");
    this.unread = 0;
    this.onUnread(0);
    if (open) {
      this.place();
      this.list.scrollTop = this.list.scrollHeight;
      this.focus();
    }
  }

  /**
   * Gives the style sheet the edges of the overlay, which leaves the board and both clocks visible:
   * it is beside the board, between the bars of the players or below them, else below board and
   * bars. After the game it begins at the board, because no clock runs.
   */
  place() {
    const { parentElement } = this.element;
    const board = document.querySelector(".game-board")?.getBoundingClientRect();
    const [upper, lower] = [".is-top", ".is-bottom"].map((name) =>
      document.querySelector(`.game-player${name}`)?.getBoundingClientRect(),
    );
    if (!parentElement || !board || !upper || !lower) return;
    const isBeside = lower.left >= board.right - 1;
    const isBetween = isBeside && lower.top - upper.bottom > innerHeight - lower.bottom;
    const below = this.isOver() && !isBeside ? board.bottom : lower.bottom;
    const edges = {
      "--chat-top": isBetween ? upper.bottom : below,
      "--chat-bottom": isBetween ? innerHeight - lower.top : 0,
      "--chat-left": isBeside ? board.right : 0,
    };
    for (const [name, edge] of Object.entries(edges))
      parentElement.style.setProperty(name, `${edge}px`);
  }
}
