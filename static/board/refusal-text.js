// Reasons of refused clicks and moves: the rules core names the rule, this module has its words.
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/**
 * Returns the sentence for the rule that forbids a click or a move.
 * @param {Violation} violation
 * @returns {string}
 */
export const refusalText = ({ rule, cell = "", count = 0, needed = 0 }) =>
  t(`refusal.${rule}`, { cell, n: count, needed });
