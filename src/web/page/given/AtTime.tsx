import { useState } from "preact/hooks";
import { Button } from "../parts/Button.tsx";
import { localTime, timeTyped } from "./typed-time.ts";

interface Props {
  readonly at: string | undefined;
  /** Of the last entry that is shown. */
  readonly last: string | undefined;
  setAt(at: string | undefined): void;
}

/** "What did it know at …": a time to look at. A browser's own field would show it in the form of its own language. */
export function AtTime({ at, last, setAt }: Props) {
  const [typed, setTyped] = useState<string>();
  const now = localTime(at ?? last ?? "");
  const value = typed ?? now;
  const time = timeTyped(value, now);
  const submit = (event: Event) => {
    event.preventDefault();
    if (time !== undefined) setAt(new Date(time + 999).toISOString());
    setTyped(undefined);
  };
  return (
    <form class="at-time row wrap muted" onSubmit={submit}>
      <label for="known-at">What did it know at</label>
      <input
        id="known-at"
        size={19}
        placeholder="2026-11-18 14:05"
        title="A time of that day, such as 14:05, or a day and a time"
        value={value}
        aria-invalid={time === undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" kind={typed === undefined ? "quiet" : "plain"} disabled={time === undefined}>
        Show
      </Button>
      {at !== undefined && (
        <Button kind="quiet" onClick={() => setAt(undefined)}>
          Whole timeline
        </Button>
      )}
    </form>
  );
}
