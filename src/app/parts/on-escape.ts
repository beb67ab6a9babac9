/** Attachment: Escape pressed anywhere inside does `act`; when that gives false, the key stays the page's. */
export function onEscape(act: () => boolean): (place: HTMLElement) => () => void {
  return (place) => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && act()) event.preventDefault();
    };
    place.addEventListener('keydown', listen);
    return () => place.removeEventListener('keydown', listen);
  };
}
