// Texts of the page of a challenge: its heading, and the names of its games.
import { t, variantName } from "../lib/i18n.js";

/**
 * Returns the names of the variants of a challenge.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @returns {string}
 */
export const gamesText = ({ choices: { variants } }, catalog) =>
  variants.map(({ variant: { key } }) => variantName(catalog.get(key))).join(", ");

/**
 * Returns the heading of an invitation.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 */
const invitationHeading = ({ kind, choices: { variants }, challenger }, catalog) => {
  const name = challenger?.name ?? "";
  const game =
    variants.length === 1 ? variantName(catalog.get(variants[0].variant.key)) : t("invite.game");
  return t(kind === "direct" ? "invite.challenges" : "invite.invites", { name, game });
};

/**
 * Returns the heading of the page of an open challenge; `own` is whether the viewer created it.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @param {boolean} own
 */
export const headingOf = (challenge, catalog, own) => {
  const { kind, challenger, destUser, direction, eligible } = challenge;
  if (kind === "open") return t("wait.open");
  if (own) return t(kind === "link" ? "wait.friend" : "wait.yours");
  if (destUser && direction !== "in")
    return t("wait.others", { name: challenger?.name, other: destUser.name });
  return eligible || kind === "link"
    ? invitationHeading(challenge, catalog)
    : t("wait.theirs", { name: challenger?.name });
};
