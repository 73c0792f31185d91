// A wish of this browser that is on or off.

/**
 * A wish by its name in the storage; without storage it lasts as long as the page.
 * @param {string} key
 * @param {boolean} usual what holds until somebody has said
 * @param {() => Storage} storage where it is kept
 * @returns {{ is: () => boolean, said: () => boolean, set: (on: boolean) => void }} `said()` tells whether somebody has
 */
export const wish = (key, usual, storage = () => localStorage) => {
  /** @type {string | null} */
  let here = null;
  const stored = () => {
    try {
      return storage().getItem(key);
    } catch {
      return here;
    }
  };
  return {
    is: () => {
      const word = stored();
      // Some browsers still keep "on" and "off".
      return word === null ? usual : word === "yes" || word === "on";
    },
    said: () => stored() !== null,
    set: (on) => {
      here = on ? "yes" : "no";
      try {
        storage().setItem(key, here);
      } catch {
        // It is kept above.
      }
    },
  };
};
