// Prompts of the browser for passkeys: to create one, and to prove one. Used by `code-field.js` and
// by the account page.
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** @typedef {{ challenge: string, options: Record<string, any> }} PasskeyRequest */

/** Returns whether this browser has passkeys, on this page. */
export const hasPasskeys = () =>
  "PublicKeyCredential" in window && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/**
 * Returns the value of the field `passkey` for a credential.
 * @param {PasskeyRequest} request
 * @param {Credential | null} credential
 */
const answerText = ({ challenge }, credential) =>
  JSON.stringify({
    challenge,
    credential: /** @type {PublicKeyCredential} */ (credential).toJSON(),
  });

/**
 * Returns the error to show for that of a prompt.
 * @param {Error} error
 * @param {string} closed  text for a prompt that was closed
 */
const promptError = ({ name }, closed) => {
  if (name === "NotAllowedError" || name === "AbortError") return new Error(closed);
  if (name === "InvalidStateError") return new Error(t("passkey.owned"));
  return new Error(t(name === "SecurityError" ? "error.noPasskeys" : "passkey.failed"));
};

/**
 * Has the user prove a passkey. Returns the answer for the server; throws an error to show.
 * @param {PasskeyRequest} request
 */
export const provePasskey = async (request) => {
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      /** @type {PublicKeyCredentialRequestOptionsJSON} */ (request.options),
    );
    return answerText(request, await navigator.credentials.get({ publicKey }));
  } catch (error) {
    throw promptError(/** @type {Error} */ (error), t("passkey.cancelled"));
  }
};

/**
 * Has the user create a passkey. Returns the answer for the server; throws an error to show.
 * @param {PasskeyRequest} request
 */
export const createPasskey = async (request) => {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      /** @type {PublicKeyCredentialCreationOptionsJSON} */ (request.options),
    );
    return answerText(request, await navigator.credentials.create({ publicKey }));
  } catch (error) {
    throw promptError(/** @type {Error} */ (error), t("passkey.notCreated"));
  }
};
