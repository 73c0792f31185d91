// Private note on a game: a dialog with one text. Loaded on use by `game-info.js`.
import { openDialog } from "../lib/dialog.js";
import { h, toast } from "../lib/dom.js";
import { field, form } from "../lib/form.js";
import { get, post, remove } from "../lib/http.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

const CHARS_MAX = 2000;

/**
 * Opens the dialog with the stored note.
 * @param {string} id  of the game
 */
export const openNote = async (id) => {
  const path = `/api/game/${id}/note`;
  const [{ text }] = await Promise.all([get(path), loadStyleSheet("textarea")]);
  const input = h("textarea", { name: "text", rows: 8, maxlength: CHARS_MAX });
  input.value = text;
  const send = async () => {
    const note = input.value.trim();
    if (!note) await remove(path);
    else await post(path, { text: note }).catch(overrideReason("tooMany", "note.tooMany"));
  };
  openDialog(t("note.title"), (close) =>
    form(
      [
        h(
          "div",
          { class: "dialog-body" },
          h("p", { class: "small soft" }, t("note.why")),
          field(t("note.text"), input),
        ),
      ],
      t("note.save"),
      async () => {
        await send();
        close();
        toast(t("account.saved"));
      },
    ),
  );
};
