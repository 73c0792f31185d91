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
 * @param {Partial<Shuffle>} shuffle
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
 * Returns whether the commitment matches and the seed yields that start position; null if the
 * browser cannot verify it.
 * @param {Partial<Shuffle>} shuffle
 * @param {Setup} setup
 * @param {string | undefined} start
 * @returns {Promise<boolean | null>}
 */
const verifyStart = async (shuffle, setup, start) => {
  // A start that no server has drawn has no commitment: the players have seen the seed be drawn.
  const isValid = shuffle.commitment === undefined || (await isCommitmentValid(shuffle));
  if (isValid === null) return null;
  const { position } = await post("/api/position", { ...setup, seed: shuffle.seed });
  return isValid && position === start;
};

/**
 * Returns a collapsed note; `setup` and `start` are the setup and the start position of the game,
 * once there is one; `text` replaces the explanation.
 * @param {Partial<Shuffle>} shuffle
 * @param {Setup} [setup]
 * @param {string} [start]
 * @param {string} [text]
 */
export const shuffleNote = (shuffle, setup, start, text) => {
  /** @type {(key: string, value: string | number | undefined) => Child} */
  const row = (key, value) => [
    h("dt", {}, t(key)),
    h("dd", { class: "fair-start-value" }, String(value)),
  ];
  const open = shuffle.seed !== undefined;
  const kept = () => t(shuffle.commitment === undefined ? "shuffle.same" : "shuffle.kept");
  const verdict = h("p", { class: "small", role: "status" });
  const check = h("button", { class: "btn", type: "button" }, t("shuffle.check"));
  check.addEventListener("click", async () => {
    if (!setup) return;
    const answer = await verifyStart(shuffle, setup, start).catch((refused) => refused.message);
    verdict.textContent =
      typeof answer === "string"
        ? answer
        : answer
          ? kept()
          : t(answer === null ? "shuffle.cannot" : "shuffle.broken");
  });
  return h(
    "details",
    { class: "fair-start small" },
    h("summary", {}, t("shuffle.title")),
    h("p", { class: "soft" }, text ?? t(open ? "shuffle.open" : "shuffle.sealed")),
    h(
      "dl",
      {},
      shuffle.commitment !== undefined && row("shuffle.commitment", shuffle.commitment),
      open && row("shuffle.seed", shuffle.seed),
      shuffle.salt !== undefined && row("shuffle.salt", shuffle.salt),
    ),
    open && setup && check,
    verdict,
  );
};
