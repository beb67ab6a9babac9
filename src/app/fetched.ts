/** Stylesheets of parts that did not arrive. The loader of such a part asks for each stylesheet once only. */
const failed = new Set<HTMLLinkElement>();

document.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  },
  true,
);

function askAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fresh = document.createElement('link');
    for (const { name, value } of link.attributes) fresh.setAttribute(name, value);
    fresh.onload = () => resolve();
    fresh.onerror = () => reject(new Error(`A stylesheet did not arrive: ${link.href}`));
    failed.delete(link);
    link.replaceWith(fresh);
  });
}

/**
 * A part of the site that comes by `import()`, with its stylesheets: after a failure both are asked for again, or the part
 * would come without its looks. Rejects as `load` does, and where a stylesheet fails again.
 */
export async function fetched<T>(load: () => Promise<T>): Promise<T> {
  await Promise.all([...failed].map(askAgain));
  return load();
}
