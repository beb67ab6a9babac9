const heard = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** One observer for all: hundreds of pictures with one each cost more than the pictures. */
function shared(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries, self) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        self.unobserve(target);
        heard.get(target)?.();
      }
    },
    { rootMargin: '200px' },
  );
  return observer;
}

/** Calls back once, when the element comes near the visible part of the page. */
export function whenNear(onnear: () => void): (node: Element) => () => void {
  return (node) => {
    heard.set(node, onnear);
    shared().observe(node);
    return () => observer?.unobserve(node);
  };
}
