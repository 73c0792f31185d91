// How this player likes to play: all wishes in one dialog, and the keys for those that change often.
import { confirmSwitch } from "./confirm.js";
import { setCoordinates, showsCoordinates } from "./coordinates.js";
import { openDialog } from "./dialog.js";
import { h, toggle } from "./dom.js";
import { isTaken } from "./key-owner.js";
import { aheadWish } from "./premove.js";
import { setSounds, sounds } from "./sound.js";
import { iconButton } from "./steps.js";
import { say } from "./words.js";
import { isZen, openZen, setZen } from "./zen.js";

const GEAR = "M4 7h9M17 7h3M4 12h3M11 12h9M4 17h7M15 17h5M15 5v4M9 10v4M13 15v4";

/** The switch of choosing ahead: what is chosen already is dropped with it. */
const aheadSwitch = (play) =>
  toggle(say("wish.premove"), aheadWish.is(), (on) => {
    aheadWish.set(on);
    if (!on) play.premove.clear();
    play.show();
    play.prompt.say();
  });

const open = (play) => {
  const dialog = openDialog(say("wish.title"), (close) => {
    const zen = toggle(say("wish.zen"), isZen(), (on) => {
      setZen(on);
      close();
    }, say("wish.zenkey"));
    const flip = h("button", { type: "button", class: "btn", onclick: () => play.layout.flip() }, say("wish.flip"));
    return h("div", { class: "ask-body" }, h("div", {},
      play.you && confirmSwitch(() => play.show()), play.you && !play.game.daysPerTurn && aheadSwitch(play),
      toggle(say("wish.sound"), sounds(), setSounds), toggle(say("wish.coordinates"), showsCoordinates(), setCoordinates), zen), flip);
  });
  dialog.querySelector(".switch").focus();
};

/** A button with words that opens the dialog. */
export const wishButton = (play) => h("button", { type: "button", class: "btn", onclick: () => open(play) }, say("wish.title"));

/** The same as an icon, for the title of a phone. */
export const wishIcon = (play) => iconButton("wish.title", GEAR, () => open(play));

/** Whether Escape has something else to take back first. */
const isOpen = ({ prompt, turn, premove }) => Boolean(prompt.question || turn.isOpen() || premove.chosen.length);

/** Takes up zen; Escape is a way out of it, if nothing else is to be taken back first. */
export const listenForWishes = (play) => {
  openZen();
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.repeat && !isTaken(event) && !isOpen(play)) setZen(false);
  }, true);
};
