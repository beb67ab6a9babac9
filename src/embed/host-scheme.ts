import type { Scheme } from './messages';

/** The scheme in which a page shows the place where an element stands. */
export function schemeAt(element: Element): Scheme {
  const said = getComputedStyle(element)
    .colorScheme.split(/\s+/)
    .filter((word) => word !== 'only');
  const both = said.includes('light') && said.includes('dark');
  if (!both && said.includes('dark')) return 'dark';
  if (!both && said.includes('light')) return 'light';
  // Many sites that switch say nothing of it: then what counts is what is painted behind the element.
  const behind = luminanceBehind(element);
  if (behind !== null) return behind < 0.4 ? 'dark' : 'light';
  return both && matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Relative luminance, 0 to 1, of the nearest opaque background; null where no ancestor paints one. */
function luminanceBehind(element: Element): number | null {
  for (let at: Element | null = element; at !== null; at = parentOf(at)) {
    const [r, g, b, alpha = 1] = (getComputedStyle(at).backgroundColor.match(/[\d.]+/g) ?? []).map(Number);
    if (r === undefined || g === undefined || b === undefined || alpha < 0.5) continue;
    return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
  }
  return null;
}

function parentOf(element: Element): Element | null {
  if (element.parentElement !== null) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * Calls back whenever the scheme of the page may have changed, until the signal: a class, a data attribute, the system's
 * choice, or the end of a transition, before which the computed colours are still the old ones.
 */
export function onSchemeChange(changed: () => void, signal: AbortSignal): void {
  const observer = new MutationObserver(changed);
  const options = { attributes: true };
  observer.observe(document.documentElement, options);
  observer.observe(document.body, options);
  signal.addEventListener('abort', () => observer.disconnect(), { once: true });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed, { signal });
  const arrived = ({ propertyName }: TransitionEvent) => {
    if (propertyName === 'background-color') changed();
  };
  document.addEventListener('transitionend', arrived, { signal });
}
