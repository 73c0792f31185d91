// What of a page shifts, as the browser counts it.

/** Counts it in the page from the beginning: what it was, how much, and whether it followed on what somebody did. */
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

/** What has shifted since this was last asked. */
export const shiftsOf = (page) =>
  page.evaluate(async () => {
    // What was moved last is counted with the next picture.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return window.shifts.splice(0);
  });

/** How much that is together. */
export const sumOf = (shifts) => shifts.reduce((sum, { value }) => sum + value, 0);
