// A challenge by its link: its maker waits here, and whoever has the link may accept.
import { get, post } from "./api.js";
import { detailsOf, leftText, refusalText, timeText, whyNot } from "./challenge-card.js";
import { h, toast } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { rangeBar } from "./range-bar.js";
import { shuffleNote } from "./shuffle.js";
import { Socket } from "./socket.js";
import { say, variantName } from "./words.js";

/** What the page shows; `begun` is called once there is a game. */
export const waiting = (challenge, catalogue, me, begun) => {
  const variant = catalogue.get(challenge.variant.key);
  const you = me.perfs[variant.key].rating;
  const own = challenge.challenger.id === me.id;
  let started = false;
  let watched = null;
  const box = h("section", { class: "card wait" });
  const state = h("p", { class: "soft", role: "status" });
  const wrong = h("p", { class: "wrong", role: "alert" });
  document.title = `${variantName(variant)} · Sprong`;

  const closed = (status) => {
    watched?.close();
    state.textContent = say(status === "expired" ? "wait.expired" : "wait.canceled");
    deed.replaceChildren(h("a", { class: "btn main", href: "/" }, say("end.lobby")));
  };
  // The acceptor hears of the game twice, by the answer and by the lobby: it is opened once.
  const start = () => {
    if (started) return;
    started = true;
    watched?.close();
    begun();
  };
  const act = (what, then) => async (event) => {
    event.target.classList.add("busy");
    try {
      await post(`/api/challenge/${challenge.id}/${what}`);
      then();
    } catch (refused) {
      event.target.classList.remove("busy");
      wrong.textContent = refusalText(refused, challenge);
    }
  };
  const button = (className, key, onclick) => h("button", { class: className, type: "button", onclick }, say(key));
  const deed = h("div", {},
    own ? button("btn", "card.withdraw", act("cancel", () => closed("canceled")))
      : challenge.eligible ? button("btn main big", "card.accept", act("accept", start))
        : h("p", { class: "soft" }, whyNot(challenge, you)));
  const link = h("input", { value: challenge.url, readonly: true, "aria-label": "URL", onfocus: (event) => event.target.select() });
  const copy = button("btn", "wait.copy", async () => {
    link.select();
    await navigator.clipboard?.writeText(challenge.url);
    toast(say("wait.copied"));
  });

  const details = [timeText(challenge.timeControl), say(challenge.rated ? "card.rated" : "card.casual"), ...detailsOf(challenge, variant, own)];
  box.append(h("span", { class: "glyph" }, icon(variant.key)),
    h("h1", {}, own ? say("wait.yours") : say("wait.theirs", { name: challenge.challenger.name })),
    h("p", {}, h("b", {}, variantName(variant)), h("br"), h("span", { class: "soft num" }, details.join(" · "))),
    rangeBar(challenge.ratingRange, you, own || challenge.eligible), state);
  if (own) box.append(h("p", { class: "small soft" }, say("wait.link")), h("div", { class: "link" }, link, copy));
  if (challenge.shuffle) box.append(shuffleNote(challenge.shuffle));
  box.append(deed, wrong);
  if (challenge.status === "created") {
    state.textContent = say("wait.left", { left: leftText(challenge.expiresAt, Date.now()) });
    watched = watch(challenge.id, start, closed);
  } else closed(challenge.status);
  return box;
};

/** Hears of what becomes of the challenge; a game begins without a reload. */
const watch = (id, start, closed) => {
  let done = false;
  const end = (status) => {
    if (done) return;
    done = true;
    if (status === "accepted") start();
    else closed(status);
  };
  const look = async () => {
    const { status } = await get(`/api/challenge/${id}/show`);
    if (status !== "created") end(status);
  };
  return new Socket("/ws/lobby", {
    state: () => {},
    hear: ({ t, d }) => {
      if (t === "challengeGone" && d.id === id) end(d.status);
      // What happened while the connection was away is only to be seen by looking.
      if (t === "full" && !done) look().catch(() => {});
    },
  });
};
