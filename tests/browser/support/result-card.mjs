// Measurements of the result card: it fits its panel in every window, with all buttons.

/** Windows in which every card is measured. */
export const CARD_WINDOWS = {
  "a small phone": { width: 360, height: 640 },
  "a phone": { width: 390, height: 844 },
  "a tablet": { width: 1024, height: 768 },
  "a desktop": { width: 1440, height: 900 },
};

/** Returns what does not fit in the result card of a page; empty if all does. */
export const cardFaults = (page) =>
  page.evaluate(() => {
    const card = document.querySelector(".game-result");
    const panel = card.getBoundingClientRect();
    const faults = [];
    if (card.scrollHeight > card.clientHeight + 1) faults.push("the card scrolls");
    if (card.scrollWidth > card.clientWidth + 1) faults.push("the card is too wide");
    const text = card.querySelector(".game-result-text");
    if (text.scrollHeight > text.clientHeight + 1) faults.push(`cut: ${text.textContent}`);
    const buttons = [...card.querySelectorAll("a.btn, button")]
      .filter((button) => button.checkVisibility())
      .map((button) => ({
        button,
        name: button.textContent.trim() || button.getAttribute("aria-label"),
        box: button.getBoundingClientRect(),
      }));
    for (const { button, name, box } of buttons) {
      const bottom = Math.min(panel.bottom, innerHeight);
      if (box.top < panel.top - 1 || box.bottom > bottom + 1) faults.push(`${name} is out of view`);
      if (box.left < panel.left - 1 || box.right > panel.right + 1)
        faults.push(`${name} sticks out`);
      if (box.height < 43.5) faults.push(`${name} is ${box.height} px high`);
      if (button.scrollWidth > button.clientWidth + 1) faults.push(`${name} does not fit`);
    }
    buttons.forEach(({ name, box }, at) => {
      for (const { name: other, box: otherBox } of buttons.slice(0, at))
        if (
          box.left < otherBox.right - 1 &&
          otherBox.left < box.right - 1 &&
          box.top < otherBox.bottom - 1 &&
          otherBox.top < box.bottom - 1
        )
          faults.push(`${name} lies over ${other}`);
    });
    return faults;
  });
