// Capture of board animations: pauses them so that their keyframes can be inspected.

/**
 * Pauses, in the page, the animations that start after the next move was drawn. They are then in
 * `capturedAnimations`; `animationsCaptured` resolves to their number.
 */
export const captureAnimations = ({ page }) =>
  page.evaluate(() => {
    window.animationsCaptured = new Promise((resolve) => {
      const poll = () => {
        const animations = document
          .querySelector(".board-svg.is-interactive")
          .getAnimations({ subtree: true })
          .filter((animation) => !window.capturedAnimations?.includes(animation));
        if (animations.length === 0) return requestAnimationFrame(poll);
        window.capturedAnimations = animations;
        animations.forEach((animation) => animation.pause());
        return resolve(animations.length);
      };
      poll();
    });
  });

/** Returns the class, text, origin and keyframes of each captured animation. */
export const capturedFrames = ({ page }) =>
  page.evaluate(async () => {
    await window.animationsCaptured;
    return window.capturedAnimations.map(({ effect }) => {
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
          position: numbers("translate"),
          scaleX: numbers("scaleX")?.[0],
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
