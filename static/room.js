// The page of an id: the challenge until it is accepted, then the game.
import { account, get, variants } from "./lib/http.js";
import { goTo } from "./common/navigation.js";
import { notices } from "./common/notifications.js";
import { missing, trouble } from "./common/error-page.js";
import "./lib/i18n-more.js";
import { Play } from "./game/page.js";
import { top } from "./common/header.js";

const id = location.pathname.slice(1);
const main = document.querySelector("main");

let shown;
const news = notices({
  now: () => shown?.socket?.now() ?? Date.now(),
  busy: () => shown?.isBusy?.() ?? false,
  skips: ({ rematchOf }) => rematchOf === id,
});
document.body.append(news.element);

/** The challenge of that id, if there is one: those games that came of a challenge for many have ids of their own. */
const find = () =>
  get(`/api/challenge/${id}/show`).catch((refused) => {
    if (refused.status !== 404) throw refused;
  });

const look = async () => {
  const challenge = await find();
  const begins = !challenge || challenge.status === "accepted";
  return { challenge, game: begins ? await get(`/api/game/${id}`) : null };
};

const show = async () => {
  // Most are known already: what stands here is asked for together with who they are.
  const [catalogue, me, { challenge, game }] = await Promise.all([variants(), account(), look()]);
  // Whoever has only now become a guest may do more than nobody could.
  const seen = !game && challenge.ineligibleReason === "anonymous" ? await find() : challenge;
  if (!game && seen?.status === "accepted") return show();
  // Who comes to a game does not load what belongs to a challenge.
  shown = game
    ? new Play(id, game, catalogue, me)
    : new (await import("./challenge/page.js")).Waiting(seen, catalogue, me, begun);
  shown.notices = news;
  return game ? shown.open(main) : main.replaceChildren(shown.element);
};

const open = () =>
  show().catch((refused) => {
    main.replaceChildren(refused.status === 404 ? missing() : trouble(refused));
  });

/** Each game of a challenge for many has an address of its own. */
const begun = (game) => (game === id ? open() : goTo(game));

top(null);
open();
