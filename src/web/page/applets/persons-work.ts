/** The part of `Element` that is needed. */
interface Within {
  closest(selector: string): unknown;
}

/** Keys that control the browser, such as those that close or reload a tab. */
const OF_THE_BROWSER = /^(Control|Meta|Alt|Shift|F\d+|Escape)$/;

interface Act {
  readonly isTrusted: boolean;
  readonly key?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * Whether an applet's state is the user's own work. Anyone may have written the address: the state with which it opened
 * the page counts only after the user did something in the applet.
 */
export function personsWork(opened: string | undefined) {
  let hasActed = false;
  return {
    acted(target: Within | undefined, { isTrusted, key = "", ctrlKey, metaKey, altKey }: Act): void {
      if (!isTrusted || ctrlKey || metaKey || altKey || OF_THE_BROWSER.test(key)) return;
      if (target?.closest(".applet") && !target.closest(".applet-head")) hasActed = true;
    },
    isTheirs: (state: string): boolean => hasActed || state !== opened,
  };
}
