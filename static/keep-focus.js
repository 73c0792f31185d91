// Lists that are drawn anew keep the place of the keyboard.

/**
 * Changes a list whose items have a `data-id`. The focus stays at the same button or link of the same item; where
 * that is gone it goes to the list itself, which has the tabindex -1.
 * @param {HTMLElement} list
 * @param {() => unknown} change
 */
export const keepFocus = (list, change) => {
  const focused = document.activeElement;
  if (!list.contains(focused)) return void change();
  const id = focused?.closest("[data-id]")?.dataset.id ?? "";
  // The same button, not another of that item: Enter is not to accept what was to be declined.
  const controls = () => [...list.querySelectorAll(`[data-id="${CSS.escape(id)}"] :is(button, a, summary)`)];
  const at = controls().indexOf(focused);
  change();
  if (!list.contains(document.activeElement)) (controls()[at] ?? list).focus({ preventScroll: true });
};
