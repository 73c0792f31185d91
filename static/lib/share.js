// Sharing of links: copy button, share sheet of the device, QR code.
//
// If the clipboard is unavailable, the text is selected or shown for manual copying.
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";

/** @typedef {FocusEvent & { target: HTMLInputElement }} InputFocus */

/**
 * Copies a text; returns whether it succeeded. The clipboard requires a secure context, and the
 * browser may deny it.
 * @param {string} text
 */
const writeClipboard = async (text) =>
  Boolean(
    await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ),
  );

/**
 * Copies a text and shows `done`, or shows the text if copying fails.
 * @param {string} text
 * @param {string} [done]
 */
export const copy = async (text, done = t("wait.copied")) =>
  toast((await writeClipboard(text)) ? done : text);

/**
 * Copies the value of a field and shows the outcome.
 * @param {HTMLInputElement} input
 */
const copyFrom = async (input) => {
  input.select();
  const copied = await writeClipboard(input.value);
  if (!copied) {
    input.focus();
    input.select();
  }
  toast(t(copied ? "wait.copied" : "wait.uncopied"));
};

/**
 * Creates a read-only field with a copy button.
 * @param {string} label
 * @param {string} text
 * @returns {HTMLElement}
 */
export const copyField = (label, text) => {
  const input = h("input", {
    value: text,
    readonly: true,
    "aria-label": label,
    spellcheck: "false",
    onfocus: (/** @type {InputFocus} */ event) => event.target.select(),
  });
  return h(
    "div",
    { class: "copy-field" },
    input,
    h("button", { class: "btn", type: "button", onclick: () => copyFrom(input) }, t("wait.copy")),
  );
};

/**
 * Creates a read-only field with an address and a copy button.
 * @param {string} url
 * @param {string} label
 * @returns {HTMLElement}
 */
export const linkField = (url, label) => {
  const link = h("input", {
    value: url,
    readonly: true,
    "aria-label": label,
    onfocus: (/** @type {InputFocus} */ event) => event.target.select(),
  });
  const button = h(
    "button",
    { class: "btn", type: "button", onclick: () => copyFrom(link) },
    t("wait.copy"),
  );
  return h("div", { class: "share-link" }, link, button);
};

const QR_PX = 168;

/**
 * Creates the QR code of an address; it is hidden if the image fails to load.
 * @param {string} url
 */
const qrCode = (url) => {
  const path = new URL(url, location.href).pathname;
  const picture = h("img", {
    src: `/picture/qr.svg?path=${encodeURIComponent(path)}`,
    width: QR_PX,
    height: QR_PX,
    alt: t("share.qr"),
  });
  const figure = h(
    "figure",
    { class: "share-qr" },
    picture,
    h("figcaption", { class: "small soft" }, t("share.scan")),
  );
  picture.addEventListener("error", () => {
    figure.hidden = true;
  });
  return figure;
};

/**
 * Creates the controls for sharing an address.
 * @param {string} url
 * @param {string} text message for the share sheet
 * @returns {HTMLElement}
 */
export const shareBox = (url, text) => {
  const share = async () => {
    // Canceling the share sheet is not an error.
    await navigator.share({ title: document.title, text, url }).catch(() => {});
  };
  const button =
    "share" in navigator &&
    h("button", { class: "btn btn-primary", type: "button", onclick: share }, t("share.send"));
  return h(
    "div",
    { class: "share-box" },
    h("div", { class: "share-controls" }, linkField(url, t("share.link")), button),
    qrCode(url),
  );
};
