import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface KeyAction {
  /** Shown in the list of keys. */
  readonly what: string;
  run(event: KeyboardEvent): void;
  /** Also active while the user types, such as Ctrl-S. */
  readonly whileTyping?: boolean;
}

/** Keys by their displayed names: `a`, `?`, `Enter`, `g s` for a sequence, `Mod+k` for Ctrl or Cmd. */
type KeyMap = Readonly<Record<string, KeyAction>>;

/** The active keys; the newest view's are last. */
export const keyMaps = signal<readonly KeyMap[]>([]);

const SECOND_KEY_MS = 1200;

/** Activates these keys while the view is shown. Those of the newest view take precedence. */
export function useKeys(map: KeyMap, isOn = true): void {
  const current = useRef(map);
  current.current = map;
  const names = Object.keys(map).join("\n");
  // Before the view is painted, so that a key pressed as soon as it is visible is not lost.
  useLayoutEffect(() => {
    if (!isOn) return;
    const live = Object.fromEntries(
      names.split("\n").map((key) => [
        key,
        {
          what: current.current[key]?.what ?? "",
          whileTyping: current.current[key]?.whileTyping ?? false,
          run: (event: KeyboardEvent) => current.current[key]?.run(event),
        },
      ]),
    );
    keyMaps.value = [...keyMaps.value, live];
    return () => {
      keyMaps.value = keyMaps.value.filter((one) => one !== live);
    };
  }, [names, isOn]);
}

let isSearchWanted = false;

/** Focuses the search field of the next place that is shown, because the user asked for a search. */
export function beginSearchThere(): void {
  isSearchWanted = true;
}

const searchFields = new Set<() => HTMLInputElement | null>();

/**
 * The search field of a place. It does not take the focus when the place is shown: a focused field swallows `g s`, `?`
 * and `j`, and users cannot tell whether a key will act or type. Instead keys always act, and any character that is not
 * a key starts the search with itself; `/` starts an empty one.
 */
export function useSearchField(what: string, field: RefObject<HTMLInputElement | null>): void {
  const begin = () => {
    field.current?.focus();
    field.current?.select();
  };
  useKeys({ "/": { what: `${what}; so does any letter that is no key`, run: begin } });
  // Before the next key, which may be the first letter.
  useLayoutEffect(() => {
    const get = () => field.current;
    searchFields.add(get);
    if (isSearchWanted) begin();
    isSearchWanted = false;
    return () => {
      searchFields.delete(get);
    };
  }, [field]);
}

let first: { key: string; at: number } | undefined;

/** Called once, when the page starts. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = nameOf(event);
    const before = first !== undefined && event.timeStamp - first.at < SECOND_KEY_MS ? first.key : undefined;
    const isTyping = takesText(event.target);
    const action =
      (before === undefined ? undefined : find(`${before} ${name}`, isTyping)) ?? find(name, isTyping);
    const begins = before === undefined && isFirstOfTwo(name);
    first = action === undefined && !isTyping && begins ? { key: name, at: event.timeStamp } : undefined;
    if (action === undefined) {
      // The browser then types the character into the field.
      if (before === undefined && !begins && !isTyping && isCharacter(event))
        [...searchFields].at(-1)?.()?.focus();
      return;
    }
    event.preventDefault();
    action.run(event);
  });
}

function find(name: string, isTyping: boolean): KeyAction | undefined {
  return keyMaps.value
    .map((map) => map[name])
    .findLast((action) => action !== undefined && (!isTyping || action.whileTyping === true));
}

/** Such as `g` in `g s`. */
function isFirstOfTwo(name: string): boolean {
  return keyMaps.value.some((map) => Object.keys(map).some((one) => one.startsWith(`${name} `)));
}

function isCharacter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key : event.key.replace("Escape", "Esc");
  if (event.altKey) return `Alt+${key}`;
  return event.ctrlKey || event.metaKey ? `Mod+${key.toLowerCase()}` : key;
}

function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox],[type=radio]), textarea, select"))
  );
}

/** The displayed name of the key that `Mod` stands for. */
export function modKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
}
