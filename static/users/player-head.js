// Header of a player's page, with the actions on the player (challenge, block, report), and the
// crosstable: the score between the viewer and the player, overall and by variant. Used by
// player.js.
import { post, variants } from "../lib/http.js";
import { goTo } from "../common/navigation.js";
import { playComputer } from "../common/ai-dialog.js";
import { deed, field, form, openDialog } from "../lib/dialog.js";
import { h, toast } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { dot, handleOf, kindOf } from "../common/user-link.js";
import { agoText, dayText } from "../lib/format-time.js";
import { saidAs, say, variantName } from "../lib/i18n.js";

const REASONS = ["cheating", "abuse", "name", "other"];
const TEXT_MAX = 1000;

/**
 * Opens the dialog that reports a player to the moderators.
 * @param {User} who
 */
const report = (who) =>
  openDialog(say("report.title", { name: who.username }), (close) => {
    const reason = h(
      "select",
      { name: "reason" },
      ...REASONS.map((key) => h("option", { value: key }, say(`report.reason.${key}`))),
    );
    const text = h("textarea", { name: "text", rows: 5, maxlength: TEXT_MAX });
    return form(
      [
        h("p", { class: "small soft" }, say("report.lead")),
        field(say("report.about"), reason),
        field(say("report.text"), text),
      ],
      say("report.send"),
      async () => {
        await post("/api/report", {
          username: who.username,
          reason: reason.value,
          text: text.value,
        }).catch(saidAs("tooMany", "report.tooMany"));
        close();
        toast(say("report.sent"));
      },
    );
  });

/**
 * Returns the button that blocks or unblocks a player, and its status line.
 * @param {User} who
 */
const blockButton = (who) => {
  let { blocking } = who;
  const note = h("p", { class: "small soft", role: "status" });
  const draw = () => {
    button.textContent = say(blocking ? "player.unblock" : "player.block");
    note.textContent = blocking ? say("player.blocked", { name: who.username }) : "";
  };
  const button = deed(
    "",
    async () => {
      await post(`/api/rel/${blocking ? "unblock" : "block"}/${handleOf(who)}`).catch(
        saidAs("tooMany", "player.tooMany"),
      );
      blocking = !blocking;
      draw();
    },
    "btn quiet",
  );
  draw();
  return [button, note];
};

/**
 * Returns the button for a game against the computer, at the level of this account.
 * @param {User} who
 */
const against = ({ level }) =>
  deed(
    say("computer.title"),
    async () => playComputer(await variants(), goTo, { level }),
    "btn main",
  );

/**
 * Returns the actions on the viewer's own page.
 * @param {User} who
 */
const ownDeeds = (who) => [
  h("a", { class: "btn", href: "/account" }, say("nav.account")),
  h(
    "a",
    {
      class: "btn quiet",
      href: `/api/games/user/${handleOf(who)}?as=text`,
      download: `${who.id}.txt`,
    },
    say("player.export"),
  ),
];

/**
 * Returns the header of a player's page.
 * @param {User} who
 * @param {Account} me  viewer
 */
export const playerHead = (who, me) => {
  const own = who.id === me.id;
  const facts = [
    who.closed
      ? null
      : who.online
        ? say("player.online")
        : who.seenAt && say("player.seen", { ago: agoText(who.seenAt) }),
    who.createdAt && say("player.since", { date: dayText(who.createdAt) }),
    who.profile?.location,
  ].filter(Boolean);
  const [block, note] = own || who.closed ? [] : blockButton(who);
  const deeds = own
    ? ownDeeds(who)
    : who.closed
      ? []
      : [
          who.level
            ? against(who)
            : h(
                "a",
                { class: "btn main", href: `/lobby?to=${handleOf(who)}` },
                say("player.challenge"),
              ),
          !who.level && block,
          !who.level && deed(say("player.report"), async () => report(who), "btn quiet"),
        ];
  return h(
    "header",
    { class: "player-head" },
    h(
      "div",
      {},
      h("h1", {}, who.username, " ", kindOf(who), " ", !who.closed && dot(who.online)),
      h("p", { class: "soft small facts" }, facts.join(" · ")),
      who.level && h("p", {}, say("computer.is", { n: who.level })),
      who.closed && h("p", { class: "closed" }, say("player.closed")),
      who.profile?.bio && !who.closed && h("p", { class: "bio" }, who.profile.bio),
      who.playing &&
        !who.closed &&
        h(
          "p",
          {},
          h("a", { class: "live", href: who.playing }, say(own ? "player.back" : "player.playing")),
        ),
    ),
    deeds.length > 0 && h("div", { class: "deeds" }, ...deeds),
    note,
  );
};

/**
 * Formats points with their halves: 3½.
 * @param {number} value
 */
const points = (value) => `${Math.floor(value) || (value % 1 ? "" : 0)}${value % 1 ? "½" : ""}`;

/** @type {(users: Record<string, number>, me: { id: string }, who: { id: string }) => string} */
const score = (users, me, who) => `${points(users[me.id] ?? 0)} – ${points(users[who.id] ?? 0)}`;

/**
 * Returns the card of the crosstable between the viewer and a player.
 * @param {{
 *   users: Record<string, number>,
 *   nbGames: number,
 *   variants: Record<string, Record<string, number>>,
 * }} between  response of the crosstable endpoint
 * @param {Account} me
 * @param {User} who
 * @param {Catalogue} catalogue
 */
export const crosstable = ({ users, nbGames, variants: games }, me, who, catalogue) => {
  const rows = [...catalogue.values()]
    .filter(({ key }) => games[key]?.nb)
    .map((variant) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          h("span", { class: "glyph" }, icon(variant.key)),
          variantName(variant),
        ),
        h("td", { class: "num strong" }, score(games[variant.key], me, who)),
        h("td", { class: "num soft small" }, say("games.total", { n: games[variant.key].nb })),
      ),
    );
  return h(
    "section",
    {},
    h("h2", {}, say("player.between")),
    h(
      "div",
      { class: "card between" },
      h(
        "p",
        { class: "score num" },
        h("span", {}, say("player.you")),
        h("b", {}, score(users, me, who)),
        h("span", {}, who.username),
      ),
      h("p", { class: "small soft num" }, say("games.total", { n: nbGames })),
      rows.length > 0 &&
        h(
          "table",
          {},
          h("caption", { class: "unseen" }, say("player.byGame")),
          h("tbody", {}, ...rows),
        ),
    ),
  );
};
