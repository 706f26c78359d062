let isWanted = false;

/** A place is opened with a key: its content takes the focus when it is shown, so that the next keys scroll it. */
export function focusContent(path: string): void {
  if (location.pathname === path) document.getElementById("content")?.focus({ preventScroll: true });
  else isWanted = true;
}

/** Called by the content when it is shown. What it returns is called when it goes: what comes instead of it has the focus then. */
export function takeContentFocus(content: HTMLElement | null): () => void {
  if (isWanted) content?.focus({ preventScroll: true });
  isWanted = false;
  return () => {
    isWanted ||= content !== null && document.activeElement === content;
  };
}
