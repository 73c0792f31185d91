// Capture of board animations: pauses them so that their keyframes can be inspected.

/**
 * Pauses, in the page, the animations that start after the next move was drawn. They are then in
 * `caughtAll`; `caught` resolves to their number.
 */
export const catchMotion = ({ page }) =>
  page.evaluate(() => {
    window.caught = new Promise((done) => {
      const look = () => {
        const all = document
          .querySelector(".board-svg.is-interactive")
          .getAnimations({ subtree: true })
          .filter((one) => !window.caughtAll?.includes(one));
        if (all.length === 0) return requestAnimationFrame(look);
        window.caughtAll = all;
        all.forEach((animation) => animation.pause());
        return done(all.length);
      };
      look();
    });
  });

/** Returns the class, text, origin and keyframes of each captured animation. */
export const framesOf = ({ page }) =>
  page.evaluate(async () => {
    await window.caught;
    return window.caughtAll.map(({ effect }) => {
      const { target } = effect;
      const frames = effect.getKeyframes().map(({ computedOffset: at, opacity, transform }) => {
        const numbers = (name) =>
          transform
            ?.match(new RegExp(`${name}\\(([^)]*)\\)`))?.[1]
            .split(",")
            .map(parseFloat);
        return {
          at,
          opacity: opacity === undefined ? undefined : Number(opacity),
          place: numbers("translate"),
          edge: numbers("scaleX")?.[0],
          scale: numbers("scale")?.[0],
        };
      });
      return {
        name: target.getAttribute("class"),
        text: target.textContent,
        origin: target.style.transformOrigin.split(" ").map(parseFloat),
        frames,
      };
    });
  });
