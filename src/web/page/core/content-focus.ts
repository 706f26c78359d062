let isWanted = false;

/** After a key opened a place, its content takes the focus, so that the next keys scroll it. */
export function focusContent(path: string): void {
  if (location.pathname === path) document.getElementById("content")?.focus({ preventScroll: true });
  else isWanted = true;
}

/**
 * Call it when the content is shown. Call the returned function when it is removed, so that its replacement gets the
 * focus.
 */
export function takeContentFocus(content: HTMLElement | null): () => void {
  if (isWanted) content?.focus({ preventScroll: true });
  isWanted = false;
  return () => {
    isWanted ||= content !== null && document.activeElement === content;
  };
}
