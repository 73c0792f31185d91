// How somebody else comes to a place of this site: a link to copy, the device's own way to share, a code for a camera.
import { h } from "./dom.js";
import { linkField } from "./links.js";
import { say } from "./words.js";

const QR_PX = 168;

/** The code as a picture; where there is none, nothing stands in its place. */
const code = (url) => {
  const path = new URL(url, location.href).pathname;
  const picture = h("img", { src: `/picture/qr.svg?path=${encodeURIComponent(path)}`, width: QR_PX, height: QR_PX, alt: say("share.qr") });
  const figure = h("figure", { class: "qr" }, picture, h("figcaption", { class: "small soft" }, say("share.scan")));
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
  const button = "share" in navigator && h("button", { class: "btn main", type: "button", onclick: share }, say("share.send"));
  return h("div", { class: "share-box" }, h("div", { class: "share-ways" }, linkField(url, say("share.link")), button), code(url));
};
