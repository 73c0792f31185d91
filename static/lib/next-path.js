// Address to which a user returns after signing up or logging in.

/** Pages that are no place to return to: they start a session themselves. */
const SESSION_PATHS = ["/login", "/come"];

/**
 * Returns an address of this site as an absolute URL; null for other sites, relative paths and the
 * pages that start a session. The result keeps its origin also if its path begins with two slashes.
 * @param {string | null | undefined} text
 * @param {string} [origin]
 * @returns {string | null}
 */
export const nextUrl = (text, origin = location.origin) => {
  if (!text?.startsWith("/")) return null;
  try {
    const url = new URL(text, origin);
    return url.origin === origin && !SESSION_PATHS.includes(url.pathname) ? url.href : null;
  } catch {
    return null;
  }
};

/**
 * Returns the page of this site from which the user came, as an absolute URL; null if there is
 * none.
 * @param {string} referrer
 * @param {string} [origin]
 */
export const previousUrl = (referrer, origin = location.origin) =>
  referrer.startsWith(`${origin}/`) ? nextUrl(referrer.slice(origin.length), origin) : null;

/**
 * Returns the address of the login page that returns to this page.
 * @param {"signup" | "login"} form
 */
export const loginPath = (form) =>
  `/login?next=${encodeURIComponent(location.pathname + location.search)}${form === "login" ? "#login" : ""}`;
