// How somebody else comes to a place of this site: a link to copy, the device's own way to share, a code for a camera. Where the
// clipboard does not take a text, it stands ready to be taken by hand.
import { h, toast } from "./dom.js";
import { say } from "./i18n.js";

// There is no clipboard on pages that came without TLS, and a browser may refuse it.
const taken = async (text) =>
  Boolean(
    await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    ),
  );

/**
 * Copies a text and says `done`, or shows the text to be taken from there.
 * @param {string} text
 * @param {string} [done]
 */
export const copy = async (text, done = say("wait.copied")) =>
  toast((await taken(text)) ? done : text);

/**
 * Copies what stands in a field, and says whether it is copied.
 * @param {HTMLInputElement} input
 */
const copyFrom = async (input) => {
  input.select();
  const copied = await taken(input.value);
  if (!copied) {
    input.focus();
    input.select();
  }
  toast(say(copied ? "wait.copied" : "wait.uncopied"));
};

/**
 * A text to be copied, with the button that does it.
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
    onfocus: (event) => event.target.select(),
  });
  return h(
    "div",
    { class: "copy" },
    input,
    h("button", { class: "btn", type: "button", onclick: () => copyFrom(input) }, say("wait.copy")),
  );
};

/**
 * The address in a field, and a button that copies it.
 * @param {string} url
 * @param {string} label
 * @returns {HTMLElement}
 */
export const linkField = (url, label) => {
  const link = h("input", {
    value: url,
    readonly: true,
    "aria-label": label,
    onfocus: (event) => event.target.select(),
  });
  const button = h(
    "button",
    { class: "btn", type: "button", onclick: () => copyFrom(link) },
    say("wait.copy"),
  );
  return h("div", { class: "link" }, link, button);
};

const QR_PX = 168;

/**
 * The code as a picture; where there is none, nothing stands in its place.
 * @param {string} url
 */
const code = (url) => {
  const path = new URL(url, location.href).pathname;
  const picture = h("img", {
    src: `/picture/qr.svg?path=${encodeURIComponent(path)}`,
    width: QR_PX,
    height: QR_PX,
    alt: say("share.qr"),
  });
  const figure = h(
    "figure",
    { class: "qr" },
    picture,
    h("figcaption", { class: "small soft" }, say("share.scan")),
  );
  picture.addEventListener("error", () => {
    figure.hidden = true;
  });
  return figure;
};

/**
 * The ways to share an address.
 * @param {string} url
 * @param {string} text  what is said with it
 * @returns {HTMLElement}
 */
export const shareBox = (url, text) => {
  const share = async () => {
    // Whoever thinks better of it is not told that it failed.
    await navigator.share({ title: document.title, text, url }).catch(() => {});
  };
  const button =
    "share" in navigator &&
    h("button", { class: "btn main", type: "button", onclick: share }, say("share.send"));
  return h(
    "div",
    { class: "share-box" },
    h("div", { class: "share-ways" }, linkField(url, say("share.link")), button),
    code(url),
  );
};
