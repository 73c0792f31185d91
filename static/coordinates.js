// Letters and numbers beside the boards: a wish of this browser. Their place stays when they go.
import { wish } from "./wish.js";

const wanted = wish("coordinates", true);

const apply = () => document.documentElement.classList.toggle("no-coordinates", !wanted.is());

/** Whether they are shown. */
export const showsCoordinates = () => wanted.is();

/** From now on so, on all boards of this page. */
export const setCoordinates = (on) => {
  wanted.set(on);
  apply();
};

apply();
