/** Tells an element's inner height now and then when it changes, after the browser's own layout: asking sooner forces one. */
export function watchHeight(onheight: (height: number) => void): (node: HTMLElement) => () => void {
  return (node) => {
    const observer = new ResizeObserver(() => onheight(node.clientHeight));
    observer.observe(node);
    return () => observer.disconnect();
  };
}
