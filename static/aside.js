// Challenges that somebody put aside: they stay so on every page of this tab.

const KEY = "aside";
const forgetful = new Set();

const stored = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
};

/**
 * Whether that challenge was put aside.
 * @param {string} id
 */
export const isAside = (id) => forgetful.has(id) || stored().includes(id);

/**
 * Puts a challenge aside; without storage it lasts as long as the page.
 * @param {string} id
 */
export const putAside = (id) => {
  forgetful.add(id);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...new Set([...stored(), id])]));
  } catch {
    // It is kept above.
  }
};
