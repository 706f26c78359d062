import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface KeyAction {
  /** What it does, for the list of keys. */
  readonly what: string;
  run(event: KeyboardEvent): void;
  /** Also while the person types, such as Ctrl-S. */
  readonly whileTyping?: boolean;
}

/** By the key as people read it: `a`, `?`, `Enter`, `g s` for one after the other, `Mod+k` for Ctrl or Cmd. */
export type KeyMap = Readonly<Record<string, KeyAction>>;

/** What keys do now; the newest view last. */
export const keyMaps = signal<readonly KeyMap[]>([]);

const SECOND_KEY_MS = 1200;

/** These keys work while the view is shown. Those of the newest view win. */
export function useKeys(map: KeyMap, isOn = true): void {
  const current = useRef(map);
  current.current = map;
  const names = Object.keys(map).join("\n");
  // Before the view is painted: a key that is pressed as soon as it is seen is not lost.
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

let first: { key: string; at: number } | undefined;

/** Called once, at the start of the page. */
export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = nameOf(event);
    const before = first !== undefined && event.timeStamp - first.at < SECOND_KEY_MS ? first.key : undefined;
    const isTyping = takesText(event.target);
    const action =
      (before === undefined ? undefined : find(`${before} ${name}`, isTyping)) ?? find(name, isTyping);
    first = action === undefined && name.length === 1 ? { key: name, at: event.timeStamp } : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action.run(event);
  });
}

function find(name: string, isTyping: boolean): KeyAction | undefined {
  return keyMaps.value
    .map((map) => map[name])
    .findLast((action) => action !== undefined && (!isTyping || action.whileTyping === true));
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
