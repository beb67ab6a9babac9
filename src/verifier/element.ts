/** An element with text and elements in it. Text stays text, whatever a bundle says. */
export function el(
  tag: string,
  attributes: { readonly [name: string]: string },
  children: readonly (Node | string)[],
): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== '') made.setAttribute(name, value);
  made.append(...children);
  return made;
}
