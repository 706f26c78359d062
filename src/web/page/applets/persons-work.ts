/** What an element is asked for: the part of `Element` that is needed. */
interface Within {
  closest(selector: string): unknown;
}

/** Keys that the browser acts on, such as those that close or reload a tab. */
const OF_THE_BROWSER = /^(Control|Meta|Alt|Shift|F\d+|Escape)$/;

interface Act {
  readonly isTrusted: boolean;
  readonly key?: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/**
 * Whether an applet's state is a person's work. An address may come from anybody: the state with which it opened the
 * page counts only after the person did something in the applet.
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
