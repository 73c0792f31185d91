// A link to a ply: /ID#12 shows what stood after twelve.
import { copy } from "./copy.js";
import { iconButton } from "./steps.js";
import { say } from "./words.js";

const wanted = () => (/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null);

export class PlyLink {
  /**
   * `go(ply)` shows a ply if there is one, `ply()` is the one shown.
   * @param {{ go: (ply: number) => unknown, ply: () => number }} how
   */
  constructor({ go, ply }) {
    this.go = go;
    this.button = iconButton("game.plylink", "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.2 1.2M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.2-1.2", () => copy(`${location.origin}${location.pathname}#${ply()}`, say("game.plycopied", { n: ply() })));
    addEventListener("hashchange", () => this.follow());
  }

  follow() {
    const ply = wanted();
    if (ply !== null) this.go(ply);
  }
}
