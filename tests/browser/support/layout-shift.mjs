// Measurement of layout shifts.

/**
 * Records, in the page, each layout shift: its score, its elements, and whether it followed user
 * input.
 */
export const countShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
      const of = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.className || node?.nodeName} ${node?.textContent?.slice(0, 40)} ${place(previousRect)} to ${place(currentRect)}`,
      );
      window.shifts.push({ value, asked: hadRecentInput, of });
    }
  }).observe({ type: "layout-shift", buffered: true });
};

/** Returns the shifts since the last call. */
export const shiftsOf = (page) =>
  page.evaluate(async () => {
    // The latest shifts are reported with the next frame.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return window.shifts.splice(0);
  });

/** Returns the cumulative score of shifts. */
export const sumOf = (shifts) => shifts.reduce((sum, { value }) => sum + value, 0);
