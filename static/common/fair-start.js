// Commitment of a random start position: the note with seed and salt, and its verification.
import { h } from "../lib/dom.js";
import { post } from "../lib/http.js";
import { t } from "../lib/i18n.js";

/** @param {ArrayBuffer} bytes */
const hex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Whether the commitment is the SHA-256 of `seed:salt`; null without a secure context, in which
 * browsers lack SubtleCrypto.
 * @param {Shuffle} shuffle
 * @returns {Promise<boolean | null>}
 */
export const isCommitmentValid = async ({ commitment, seed, salt }) => {
  if (!globalThis.crypto?.subtle) return null;
  return (
    hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${seed}:${salt}`))) ===
    commitment
  );
};

/**
 * Returns whether the commitment matches and the seed yields that start position; null if the browser
 * cannot verify it.
 * @param {Shuffle} shuffle
 * @param {Setup | undefined} setup
 * @param {string | undefined} start
 * @returns {Promise<boolean | null>}
 */
const verifyStart = async (shuffle, setup, start) => {
  const isValid = await isCommitmentValid(shuffle);
  if (isValid === null) return null;
  const { position } = await post("/api/position", { ...setup, seed: shuffle.seed });
  return isValid && position === start;
};

/**
 * Returns a collapsed note; `question` and `start` are the setup and the start position of the
 * game, once there is one.
 * @param {Shuffle} shuffle
 * @param {Setup} [setup]
 * @param {string} [start]
 */
export const shuffleNote = (shuffle, setup, start) => {
  /** @type {(key: string, value: string | number | undefined) => Child} */
  const row = (key, value) => [
    h("dt", {}, t(key)),
    h("dd", { class: "fair-start-value" }, String(value)),
  ];
  const open = shuffle.seed !== undefined;
  const verdict = h("p", { class: "small", role: "status" });
  const check = h("button", { class: "btn", type: "button" }, t("shuffle.check"));
  check.addEventListener("click", async () => {
    const answer = await verifyStart(shuffle, setup, start).catch((refused) => refused.message);
    verdict.textContent =
      typeof answer === "string"
        ? answer
        : t(answer === null ? "shuffle.cannot" : answer ? "shuffle.kept" : "shuffle.broken");
  });
  return h(
    "details",
    { class: "fair-start small" },
    h("summary", {}, t("shuffle.title")),
    h("p", { class: "soft" }, t(open ? "shuffle.open" : "shuffle.sealed")),
    h(
      "dl",
      {},
      row("shuffle.commitment", shuffle.commitment),
      open && row("shuffle.seed", shuffle.seed),
      open && row("shuffle.salt", shuffle.salt),
    ),
    open && setup && check,
    verdict,
  );
};
