// DOM helpers: element creation, toggles, radio groups, toasts, focus restoration.
//
// Text is always inserted as text nodes, so user input never becomes markup. Used by all modules
// that create elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Sets attributes and listeners (`on…`), and appends the children.
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, any>} attributes
 * @param {Child[]} children
 * @returns {E}
 */
const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    .../** @type {Node[]} */ (
      children.flat().filter((child) => child !== null && child !== undefined && child !== false)
    ),
  );
  return element;
};

/**
 * Creates an HTML element: h("p", { class: "soft" }, "text", child, …).
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const s = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * Creates an instance of a symbol that the page contains.
 * @param {string} id
 * @param {Record<string, any>} [attributes]
 */
export const symbol = (id, attributes = {}) => s("use", { href: `#${id}`, ...attributes });

/**
 * Creates an icon from a path.
 * @param {string} d
 */
export const iconSvg = (d) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));

/**
 * Creates a `select`; `choices` are [value, text].
 * @param {Record<string, any>} attributes
 * @param {(readonly [value: string | number, text: string])[]} choices
 * @param {string | number} [chosen] value of the selected choice
 */
export const selectBox = (attributes, choices, chosen) =>
  h(
    "select",
    attributes,
    ...choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );

/**
 * Creates a switch.
 * @param {string} label
 * @param {boolean} on
 * @param {(on: boolean) => unknown} change
 * @param {string} [note]
 */
export const toggle = (label, on, change, note) => {
  const text = h("span", {}, label, note && h("span", { class: "small weak" }, h("br"), note));
  const button = h(
    "button",
    { type: "button", class: "switch", role: "switch", "aria-checked": String(on) },
    text,
    h("i"),
  );
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    const next = button.getAttribute("aria-checked") !== "true";
    button.setAttribute("aria-checked", String(next));
    change(next);
  });
  return button;
};

/**
 * Creates a radio group with arrow key navigation. `choices` are [value, content, name?].
 * @param {string} className
 * @param {string} label
 * @param {any[][]} choices
 * @param {unknown} value
 * @param {(value: any) => unknown} change
 */
export const choiceGroup = (className, label, choices, value, change) => {
  const buttons = choices.map(([choice, content, name]) =>
    h(
      "button",
      { type: "button", role: "radio", "data-value": choice, "aria-label": name, title: name },
      content,
    ),
  );
  /** @param {unknown} chosen */
  const set = (chosen) => {
    for (const button of buttons) {
      const on = button.dataset.value === String(chosen);
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  };
  /** @param {HTMLButtonElement} button */
  const select = (button) => {
    set(button.dataset.value);
    change(button.dataset.value);
  };
  const group = h("div", { class: className, role: "radiogroup", "aria-label": label }, ...buttons);
  group.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button) select(button);
  });
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    select(next);
  });
  set(value);
  return group;
};

/**
 * Scrolls the selected button of a group to its center, without scrolling the page.
 * @param {HTMLElement} group
 */
export const scrollToCenter = (group) => {
  const [chosenBox, groupBox] = [
    group.querySelector("[aria-checked=true]").getBoundingClientRect(),
    group.getBoundingClientRect(),
  ];
  group.scrollLeft += chosenBox.left + chosenBox.width / 2 - groupBox.left - groupBox.width / 2;
};

/**
 * Sets the text of an element if it differs: otherwise screen readers announce it, and the page is
 * laid out, again.
 * @param {Element} element
 * @param {string} text
 */
export const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

/**
 * Shows a temporary message. It must not be the only place of an information.
 * @param {string} text
 */
export const toast = (text) => {
  const note = h("div", { class: "toast" }, text);
  let timer = setTimeout(() => note.remove(), 5000);
  note.addEventListener("pointerenter", () => clearTimeout(timer));
  note.addEventListener("pointerleave", () => {
    timer = setTimeout(() => note.remove(), 2000);
  });
  document.querySelector(".toasts").append(note);
};

/**
 * Creates a link to another address of the same page, followed without a page load.
 * @param {string} text
 * @param {string} href
 * @param {() => unknown} onNavigate renders the new address
 */
export const pagingLink = (text, href, onNavigate) => {
  /** @param {MouseEvent & { currentTarget: HTMLAnchorElement }} event */
  const navigate = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", event.currentTarget.href);
    onNavigate();
  };
  return h("a", { class: "btn", href, onclick: navigate }, text);
};

/**
 * Changes a list whose items have a `data-id` and restores the focus: to the same control of the
 * same item, or else to the list, which has the tabindex -1.
 * @param {HTMLElement} list
 * @param {() => unknown} change
 */
export const restoreFocus = (list, change) => {
  const focused = document.activeElement;
  if (!list.contains(focused)) return void change();
  const id = focused?.closest("[data-id]")?.dataset.id ?? "";
  // Never another control of the item: Enter could accept instead of decline.
  const controls = () => [
    ...list.querySelectorAll(`[data-id="${CSS.escape(id)}"] :is(button, a, summary)`),
  ];
  const at = controls().indexOf(focused);
  change();
  if (!list.contains(document.activeElement))
    (controls()[at] ?? list).focus({ preventScroll: true });
};
