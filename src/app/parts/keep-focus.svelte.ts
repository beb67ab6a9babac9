/**
 * Pressing a button can replace it (Start by Cancel, Delete by a question). The focus must not fall back to the top of
 * the page with it: when `watch` changes while the focus is inside `place`, and it is gone afterwards, the element
 * marked `data-next` there gets it, else the first button. Call it while a component is set up.
 */
export function keepFocus(watch: () => unknown, place: () => HTMLElement | null): void {
  let held = false;
  $effect.pre(() => {
    watch();
    held = place()?.contains(document.activeElement) ?? false;
  });
  $effect(() => {
    watch();
    const inside = place();
    if (!held || inside === null || inside.contains(document.activeElement)) return;
    (inside.querySelector<HTMLElement>('[data-next]') ?? inside.querySelector('button'))?.focus();
  });
}
