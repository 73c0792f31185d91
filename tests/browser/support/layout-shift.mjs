// Measurement of layout shifts.

/**
 * Records, in the page, each layout shift: its score, its elements, and whether it followed user
 * input.
 */
export const recordLayoutShifts = () => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      const boxText = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
      const elements = sources.map(
        ({ node, previousRect, currentRect }) =>
          `${node?.className || node?.nodeName} ${node?.textContent?.slice(0, 40)} ${boxText(previousRect)} to ${boxText(currentRect)}`,
      );
      window.shifts.push({ value, hadRecentInput, elements });
    }
  }).observe({ type: "layout-shift", buffered: true });
};

/** Returns the shifts since the last call. */
export const takeLayoutShifts = (page) =>
  page.evaluate(async () => {
    // The latest shifts are reported with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return window.shifts.splice(0);
  });

/** Returns the cumulative score of shifts. */
export const totalShift = (shifts) => shifts.reduce((sum, { value }) => sum + value, 0);
