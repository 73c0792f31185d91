// The games in play, as miniature boards.
import { Board } from "./board.js";
import { timeText } from "./terms.js";
import { h } from "./dom.js";
import { botOf } from "./person.js";
import { say, variantName } from "./words.js";

/** Boards shown at one time. */
const SHOWN_MAX = 24;

export class Tables {
  constructor(variants, me) {
    Object.assign(this, { variants, me });
    this.games = new Map();
    this.list = h("ul", {});
    this.quiet = h("p", { class: "soft small" }, say("lobby.quiet"));
    this.element = h("section", { class: "card tables" }, h("div", { class: "tables-head" }, h("h2", {}, say("lobby.tables")), h("a", { class: "btn quiet", href: "/live" }, say("live.more"))), this.quiet, this.list);
  }

  set(games) {
    this.games.clear();
    this.list.replaceChildren();
    games.slice(0, SHOWN_MAX).reverse().forEach((game) => this.show(game));
    this.quiet.hidden = this.games.size > 0;
  }

  show(game) {
    if (!this.games.has(game.id) && this.games.size >= SHOWN_MAX) return;
    const entry = this.games.get(game.id) ?? this.add(game);
    entry.board.show({ cells: game.cells });
    const own = [game.first.id, game.second.id].includes(this.me);
    const watching = game.watchers ? ` · ${say("live.watching", { n: game.watchers })}` : "";
    entry.item.classList.toggle("own", own);
    if (own && entry.item !== this.list.firstChild) this.list.prepend(entry.item);
    const name = variantName(this.variants.get(game.variant.key));
    entry.own.textContent = own ? say("lobby.own") : name;
    entry.line.textContent = `${own ? `${name} · ` : ""}${timeText(game.timeControl)} · ${say("live.move", { n: Math.ceil(game.ply / 2) })}${watching}`;
    this.quiet.hidden = true;
  }

  add(game) {
    const variant = this.variants.get(game.variant.key);
    const label = `${variantName(variant)}: ${game.first.name}, ${game.second.name}`;
    const board = new Board(variant.key, { board: variant.board, label });
    const line = h("span", { class: "soft small num" });
    const own = h("span", { class: "game small" });
    const names = h("span", { class: "names" }, own, ...[game.first, game.second].map((player) => h("b", {}, player.name, botOf({ title: player.title }))), line);
    const item = h("li", {}, h("a", { href: `/${game.id}` }, board.svg, names));
    this.list.prepend(item);
    const entry = { board, line, own, item };
    this.games.set(game.id, entry);
    return entry;
  }

  remove(id) {
    this.games.get(id)?.item.remove();
    this.games.delete(id);
    this.quiet.hidden = this.games.size > 0;
  }
}
