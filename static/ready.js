// The ready check: who accepted waits half a minute for the maker to come.
import { post } from "./api.js";
import { h } from "./dom.js";
import { say } from "./words.js";

const leftOf = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/**
 * Says a phrase with the time that is left until then, which runs down; screen readers hear it once.
 * @param {string} key
 * @param {string | null} name
 * @param {number} until
 * @param {() => number} now
 */
export const countdown = (key, name, until, now) => {
  const text = h("span", { class: "num" }, name ? say(key, { name }) : say(key));
  const left = h("span", { class: "num", role: "timer", "aria-live": "off" });
  const draw = () => {
    left.textContent = leftOf(until - now());
  };
  const beat = setInterval(() => (left.isConnected ? draw() : clearInterval(beat)), 500);
  draw();
  return h("span", { class: "countdown" }, text, " ", left);
};

/**
 * Answers a ready check: the maker starts the game or not, the acceptor may only leave.
 * @param {string} id
 * @param {"yes" | "no"} answer
 */
export const answerReady = (id, answer) => post(`/api/challenge/${id}/ready`, { answer });
