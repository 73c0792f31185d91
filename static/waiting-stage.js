// What is told of a challenge by its link, and what the viewer can do about it.
import { post } from "./api.js";
import { gamesText } from "./challenge-head.js";
import { askDecline } from "./decline.js";
import { h } from "./dom.js";
import { countdown } from "./ready.js";
import { seatRows } from "./seats.js";
import { shareBox } from "./share.js";
import { declineText, leftText, waiterName, whyNot } from "./terms.js";
import { say } from "./words.js";

/** @typedef {import("./waiting.js").Waiting} Waiting */

/** @param {Waiting} page */
const why = (page) => h("p", { class: "why" }, whyNot(page.challenge, page.rating()));

/** @param {Waiting} page */
const closed = (page) => {
  const { status, declineReasonKey: key, destUser } = page.challenge;
  if (status === "declined") return page.own() ? say("wait.declined", { name: destUser?.name ?? "", why: declineText(key) }) : say("wait.declinedByYou");
  return say(status === "expired" ? "wait.expired" : "wait.canceled");
};

/**
 * What is said of it now, and then what can be done.
 * @param {Waiting} page
 * @returns {any[]}
 */
export const stage = (page) => {
  const { challenge } = page;
  const { status, kind, direction, destUser, id } = challenge;
  const withdraw = page.button("btn", "card.withdraw", async () => {
    await post(`/api/challenge/${id}/cancel`);
    page.gone({ status: "canceled" });
  });
  if (status !== "created") return [closed(page), h("a", { class: "btn main", href: "/lobby" }, say("end.lobby"))];
  if (page.readyBy) return ["", countdown("ready.waiting", waiterName(challenge), page.readyBy, () => page.now()), page.button("btn", "ready.cancel", () => page.answer("no"))];
  if (page.own() && challenge.readyBy) {
    return ["", page.by ? countdown("ready.here", page.by.name, challenge.readyBy, () => page.now()) : countdown("ready.somebody", null, challenge.readyBy, () => page.now()),
      h("div", { class: "answers" }, page.button("btn", "ready.no", () => page.answer("no")), page.button("btn main", "ready.yes", () => page.answer("yes")))];
  }
  const left = say("wait.left", { left: leftText(challenge.expiresAt, page.now()) });
  if (kind === "open") return [left, page.choice.element, ...seatRows(challenge, page.catalogue, page.me, (seat, button) => page.act(button, () => page.accept(seat))), challenge.eligible || page.own() ? null : why(page), page.own() && withdraw];
  if (page.own()) {
    const link = destUser ? say("wait.answer", { name: destUser.name }) : say("wait.link");
    return [left, h("p", { class: "small soft" }, link), shareBox(challenge.url, say("share.text", { name: page.me.username, games: gamesText(challenge, page.catalogue) })), withdraw];
  }
  if (challenge.readyBy) return [say("card.taking")];
  const decline = direction === "in" && page.button("btn quiet", "card.decline", async () => askDecline(challenge, page.me, () => page.gone({ status: "declined" }), (refused) => {
    page.wrong.textContent = refused.message;
  }));
  if (!challenge.eligible) return [left, why(page), decline];
  return [left, page.choice.element, page.button("btn main big", "card.accept", () => page.accept()), decline];
};
