// Accessibility checks by axe.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Half as large as the module's `source`; it is sent to every page.
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Rules that a theme change can break. */
export const COLOR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Returns the number of passed rules and one line per violation, with the affected elements. */
export const findViolations = async (page, runOnly = { type: "tag", values: TAGS }) => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(
    (only) =>
      window.axe.run({
        runOnly: only,
        resultTypes: ["violations"],
        // The rule that needs the style sheets is experimental and not among the tags.
        preload: { assets: ["media"] },
      }),
    runOnly,
  );
  return {
    rules: passes.length,
    violations: violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(
            ({ target, failureSummary }) =>
              `${target.join(" ")} (${failureSummary.split("\n").slice(1, 3).join(" ").trim()})`,
          )
          .join("; ")}`,
    ),
  };
};

/**
 * Empties pictures: they are one element to assistive technology, and axe takes most of its time
 * for the hundreds of shapes of a small board.
 */
export const emptyPictures = (page) =>
  page.evaluate(() => {
    for (const picture of document.querySelectorAll("svg[role=img], svg[aria-hidden=true]"))
      picture.replaceChildren();
  });
