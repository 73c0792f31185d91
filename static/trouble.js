// What stands in place of a page that could not be had: why, and a way to try again.
import { h } from "./dom.js";
import { ghost } from "./ghost.js";
import { say } from "./words.js";

/** Counts the seconds on a button, then lets it be pressed. */
const holdFor = (button, seconds) => {
  const until = Date.now() + 1000 * seconds;
  const show = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    button.setAttribute("aria-disabled", String(left > 0));
    const text = left > 0 ? say("trouble.in", { n: left }) : say("trouble.again");
    if (button.textContent !== text) button.textContent = text;
    if (left > 0) setTimeout(show, 250);
  };
  show();
};

/**
 * A message in place of a page.
 * @param {Error & { status?: number, wait?: number }} refused  what went wrong; `wait` seconds are to pass before the next try
 * @returns {HTMLElement}
 */
export const trouble = (refused) => {
  const again = h("button", { class: "btn main", type: "button" }, say("trouble.again"));
  again.addEventListener("click", () => again.getAttribute("aria-disabled") !== "true" && location.reload());
  if (refused.wait) holdFor(again, refused.wait);
  const key = refused.status === 429 ? "trouble.tooFast" : refused.status === 0 ? "trouble.away" : "trouble.title";
  // The button counts: inside the alert every second would be read out.
  return h("div", { class: "message" }, ghost(), h("div", { class: "told", role: "alert" }, h("h1", {}, say(key)), h("p", { class: "soft" }, refused.message)), again);
};
