// Input of the current password, which confirms changes of the account.
import { password } from "../lib/form.js";

/** Creates the input. */
export const currentPassword = () => {
  const input = password("current-password");
  input.name = "password";
  return input;
};
