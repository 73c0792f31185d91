// What moves on a board, stopped so that it can be looked at.

/** Stops, in the page, what moves in the frame after a move was drawn; it is then in `caughtAll`, and `caught` tells how much it is. */
export const catchMotion = ({ page }) =>
  page.evaluate(() => {
    window.caught = new Promise((done) => {
      const look = () => {
        const all = document
          .querySelector(".bd.live")
          .getAnimations({ subtree: true })
          .filter((one) => !window.caughtAll?.includes(one));
        if (all.length === 0) return requestAnimationFrame(look);
        // It stands still, so that it can be looked at.
        window.caughtAll = all;
        all.forEach((animation) => animation.pause());
        return done(all.length);
      };
      look();
    });
  });

/** What has been caught: of each animation what it moves, and its frames with where in the time they are. */
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
