// Sizes that every page keeps: touch targets, and the width of the window.

/** Minimum size of a touch target, in CSS pixels. */
const TARGET_SIZE = 44;

/**
 * Returns the controls whose touch target is too small, by their box and by hit tests beside their
 * center.
 */
export const smallTargets = (page) =>
  page.evaluate((size) => {
    const top = document.querySelector("dialog[open]") ?? document.body;
    // The label of a checkbox belongs to its target.
    const targetOf = (element) =>
      (element.matches("[type=checkbox], [type=radio]") && element.labels[0]) || element;
    const controls = [
      ...top.querySelectorAll(
        "a[href], button:not(:disabled), input, select, textarea, summary, [role=switch], [role=option]",
      ),
    ].map(targetOf);
    const hits = (element, x, y) => {
      const hit = document.elementFromPoint(x, y);
      return (
        hit &&
        (element.contains(hit) ||
          (hit.contains(element) && hit.matches("label, a, button, summary")) ||
          element.labels?.[0]?.contains(hit))
      );
    };
    // Links within text are as high as their line.
    const isInText = (element) =>
      element.matches("a") &&
      getComputedStyle(element).display === "inline" &&
      [...element.parentNode.childNodes].some(
        (node) => node.nodeType === 3 && /\p{L}/u.test(node.data),
      );
    return controls
      .filter((element) => {
        if (
          !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
          element.closest("[inert], .visually-hidden, .skip-link") ||
          isInText(element)
        )
          return false;
        const box = element.getBoundingClientRect();
        if (box.width >= size - 0.5 && box.height >= size - 0.5) return false;
        element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
        const { left, top: above, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, above + height / 2];
        const half = size / 2 - 1;
        const fitsHorizontally =
          width >= size - 0.5 || [-half, half].every((offset) => hits(element, x + offset, y));
        const fitsVertically =
          height >= size - 0.5 || [-half, half].every((offset) => hits(element, x, y + offset));
        return !(fitsHorizontally && fitsVertically);
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} “${(element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 24)}” ${Math.round(width)}×${Math.round(height)}`;
      });
  }, TARGET_SIZE);

/** Returns the horizontal overflow in pixels with the elements that cause it, or null. */
export const describeOverflow = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const overflow = document.documentElement.scrollWidth - width;
    if (overflow <= 0) return null;
    const causes = [...document.body.querySelectorAll("*")].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 0.5 &&
        !element.closest("svg *, .visually-hidden"),
    );
    return `${overflow} px: ${causes
      .slice(0, 4)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`)
      .join(", ")}`;
  });

/** Multiplies all font sizes, like a browser that enlarges text only. */
export const enlargeText = (page, scale) =>
  page.evaluate((factor) => {
    const sizes = [...document.querySelectorAll("body, body *:not(svg *)")].map((element) => [
      element,
      parseFloat(getComputedStyle(element).fontSize),
    ]);
    for (const [element, size] of sizes) element.style.fontSize = `${size * factor}px`;
  }, scale);
