import { useState } from "preact/hooks";
import { Button } from "../parts/Button.tsx";

interface Props {
  readonly at: string | undefined;
  /** Of the entries that are shown. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  setAt(at: string | undefined): void;
}

/** "What did the agent know at …": a time to look at. */
export function AtTime({ at, first, last, setAt }: Props) {
  const [typed, setTyped] = useState<string>();
  const value = typed ?? localTime(at ?? last ?? "");
  const submit = (event: Event) => {
    event.preventDefault();
    const time = new Date(value);
    if (!Number.isNaN(time.getTime())) setAt(new Date(time.getTime() + 999).toISOString());
    setTyped(undefined);
  };
  return (
    <form class="at-time" onSubmit={submit}>
      <label for="known-at">What did it know at</label>
      <input
        id="known-at"
        type="datetime-local"
        step={1}
        value={value}
        min={localTime(first ?? "")}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" kind={typed === undefined ? "quiet" : "plain"}>
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

/** As the browser's input takes it: local, to the second. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return "";
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
