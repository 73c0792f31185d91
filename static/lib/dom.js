// Builds elements. Text always goes in as text, so that nothing anybody wrote becomes markup. Lists that are drawn anew keep the place
// of the keyboard.

const SVG = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
};

/**
 * An HTML element: h("p", { class: "soft" }, "text", child, …).
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const s = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/**
 * A small line drawing for a button.
 * @param {string} d
 */
export const line = (d) =>
  s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));

/**
 * A control with two states.
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
 * One choice of several: a radio group in which the arrows move. `choices` are [value, content, name?].
 * @param {string} className
 * @param {string} label
 * @param {any[][]} choices
 * @param {unknown} value
 * @param {(value: any) => unknown} change
 */
export const choose = (className, label, choices, value, change) => {
  const buttons = choices.map(([choice, content, name]) =>
    h(
      "button",
      { type: "button", role: "radio", "data-value": choice, "aria-label": name, title: name },
      content,
    ),
  );
  const set = (chosen) => {
    for (const button of buttons) {
      const on = button.dataset.value === String(chosen);
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on ? 0 : -1;
    }
  };
  const pick = (button) => {
    set(button.dataset.value);
    change(button.dataset.value);
  };
  const group = h("div", { class: className, role: "radiogroup", "aria-label": label }, ...buttons);
  group.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button) pick(button);
  });
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    pick(next);
  });
  set(value);
  return group;
};

/**
 * Brings the chosen one of a group that scrolls sideways into its middle, without moving the page.
 * @param {HTMLElement} group
 */
export const centre = (group) => {
  const [chosen, whole] = [
    group.querySelector("[aria-checked=true]").getBoundingClientRect(),
    group.getBoundingClientRect(),
  ];
  group.scrollLeft += chosen.left + chosen.width / 2 - whole.left - whole.width / 2;
};

/**
 * A passing message; never the only place where something is said. Its place stands in every page.
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
 * A link to another address of the same page, which is gone to without loading the page anew.
 * @param {string} text
 * @param {string} href
 * @param {() => unknown} turned  shows what the address asks for now
 */
export const turnLink = (text, href, turned) => {
  const turn = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", event.currentTarget.href);
    turned();
  };
  return h("a", { class: "btn", href, onclick: turn }, text);
};

/**
 * Changes a list whose items have a `data-id`. The focus stays at the same button or link of the same item; where
 * that is gone it goes to the list itself, which has the tabindex -1.
 * @param {HTMLElement} list
 * @param {() => unknown} change
 */
export const keepFocus = (list, change) => {
  const focused = document.activeElement;
  if (!list.contains(focused)) return void change();
  const id = focused?.closest("[data-id]")?.dataset.id ?? "";
  // The same button, not another of that item: Enter is not to accept what was to be declined.
  const controls = () => [
    ...list.querySelectorAll(`[data-id="${CSS.escape(id)}"] :is(button, a, summary)`),
  ];
  const at = controls().indexOf(focused);
  change();
  if (!list.contains(document.activeElement))
    (controls()[at] ?? list).focus({ preventScroll: true });
};
