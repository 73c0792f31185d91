// Chats of a game as moderators see them, with the deletion of lines. Used by person.js.
import { get, post } from "../lib/http.js";
import { h, toast } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton, field, form } from "../lib/form.js";
import { t } from "../lib/i18n.js";
import { reasonInput, reasonOf } from "./reason.js";

/**
 * Opens the dialog that deletes a line. Calls `done` afterwards.
 * @param {string} game
 * @param {GameChatLine} line
 * @param {() => void} done
 */
const openDelete = (game, { number, name, text }, done) =>
  openDialog(t("mod.deleteTitle"), (close) => {
    const reason = reasonInput();
    return form(
      [
        h("p", { class: "admin-text" }, h("b", {}, name), " ", text),
        field(t("mod.reason"), reason, t("mod.reasonNote")),
      ],
      t("mod.deleteLine"),
      async () => {
        await post(`/api/admin/game/${game}/chat/${number}/delete`, { reason: reasonOf(reason) });
        close();
        toast(t("mod.saved"));
        done();
      },
    );
  });

/**
 * @param {string} game
 * @param {GameChatLine} line
 * @returns {HTMLElement}
 */
const chatLine = (game, line) => {
  const { ply, room, name, text, deleted } = line;
  const place = ` ${t(`mod.room.${room}`)} · ${t("mod.ply", { n: ply })} `;
  const element = h(
    "li",
    {},
    h("b", {}, name),
    " ",
    deleted ? h("i", { class: "soft" }, t("chat.deleted")) : h("span", {}, text),
    h("span", { class: "small weak" }, place),
    !deleted &&
      h(
        "button",
        { class: "btn admin-delete", type: "button", onclick: () => open() },
        t("mod.deleteLine"),
      ),
  );
  const open = () =>
    openDelete(game, line, () =>
      element.replaceWith(chatLine(game, { ...line, text: "", deleted: true })),
    );
  return element;
};

/**
 * Returns the button that shows the chats of a game, and their place.
 * @param {string} game
 */
export const chatOf = (game) => {
  const place = h("div", {});
  const button = asyncButton(t("mod.chat"), async () => {
    /** @type {GameChatLine[]} */
    const lines = await get(`/api/admin/game/${game}/chat`);
    const list = h("ol", { class: "admin-chat" }, ...lines.map((line) => chatLine(game, line)));
    const content = lines.length
      ? h(
          "div",
          { class: "admin-chat-box", role: "region", "aria-label": t("mod.chat"), tabindex: 0 },
          list,
        )
      : h("p", { class: "small soft", tabindex: -1 }, t("mod.noChat"));
    place.replaceChildren(content);
    content.focus({ preventScroll: true });
  });
  return [
    h(
      "span",
      { class: "users-actions" },
      h("a", { class: "btn", href: `/${game}` }, t("mod.game")),
      button,
    ),
    place,
  ];
};
