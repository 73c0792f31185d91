// Bans of addresses and devices, with the buttons that lift them. Used by admin.js and origins.js.
import { get, post } from "../lib/http.js";
import { h, toast } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { field, form } from "../lib/form.js";
import { dateTimeText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { userLink } from "./log.js";
import { reasonInput, reasonOf } from "./reason.js";

/** Characters of the hash of a device that tell it from others. */
const DEVICE_CHARS = 8;

/**
 * Returns the text of a device.
 * @param {string} hash
 */
export const deviceText = (hash) => `${t("mod.device")} ${hash.slice(0, DEVICE_CHARS)}`;

/**
 * Returns the end of a ban with its moderator, and the reason.
 * @param {Ban} ban
 */
export const banState = ({ at, until, moderator, reason }) => [
  reason && h("span", { class: "admin-text" }, reason),
  h(
    "span",
    { class: "small weak" },
    `${dateTimeText(at)} · `,
    until ? t("mod.until", { date: dateTimeText(until) }) : t("mod.forGood"),
    moderator && ` · ${t("mod.by", { name: moderator })}`,
  ),
];

/**
 * Opens the dialog that lifts a ban. Calls `done` with the bans that are left.
 * @param {number} number
 * @param {(bans: Ban[]) => void} done
 */
export const openLift = (number, done) =>
  openDialog(t("mod.liftTitle"), (close) => {
    const reason = reasonInput();
    return form([field(t("mod.reason"), reason, t("mod.reasonNote"))], t("mod.lift"), async () => {
      const left = await post(`/api/admin/bans/${number}/lift`, { reason: reasonOf(reason) });
      close();
      toast(t("mod.saved"));
      done(left);
    });
  });

/**
 * @param {Ban} ban
 * @param {(bans: Ban[]) => void} done
 */
const banRow = (ban, done) => {
  const { number, address, device, aboutId, about } = ban;
  return h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h(
        "span",
        {},
        h("b", {}, address ?? deviceText(device ?? "")),
        ` ${number}`,
        aboutId ? [" · ", h("a", { class: "admin-link", href: userLink(aboutId) }, about)] : null,
      ),
      ...banState(ban),
    ),
    h(
      "button",
      { class: "btn", type: "button", onclick: () => openLift(number, done) },
      t("mod.lift"),
    ),
  );
};

/** Loads the section. */
export const bansSection = async () => {
  const place = h("div", {});
  const draw = (/** @type {Ban[]} */ bans) =>
    place.replaceChildren(
      bans.length
        ? h("ol", { class: "account-list" }, ...bans.map((ban) => banRow(ban, draw)))
        : h("p", { class: "soft" }, t("mod.noBans")),
    );
  draw(await get("/api/admin/bans"));
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("mod.view.bans")),
    h("p", { class: "small soft" }, t("mod.ban.why")),
    place,
  );
};
