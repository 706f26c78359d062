import type { ComponentChildren } from "preact";
import type { ApiFailure } from "../core/api.ts";
import { sentence } from "../core/format.ts";
import { Button } from "./Button.tsx";
import { Command } from "./Copy.tsx";

/** An empty state: says how to fill it, with the command if there is one. */
export function Empty(props: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="state">
      <p class="state-title">{props.title}</p>
      {props.children && <div class="state-text">{props.children}</div>}
      {props.command && <Command text={props.command} />}
    </div>
  );
}

/** A failure: what happened, what to do, and a retry button. */
export function Failed({ failure, retry }: { failure: ApiFailure; retry?: () => void }) {
  return (
    <div class="state state-failed" role="alert">
      <p class="state-title">{sentence(failure.message)}</p>
      {failure.hint && <p class="state-text">{sentence(failure.hint)}</p>}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}

/** Grey lines as a placeholder for text. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class={`skeleton-line skeleton-line-${line % 4}`} />
      ))}
    </div>
  );
}

/** The usual four states of loaded data. */
export function Loaded<T>(props: {
  resource: {
    readonly data: T | undefined;
    readonly failure: ApiFailure | undefined;
    readonly isSlow: boolean;
    reload(): void;
  };
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { data, failure, isSlow, reload } = props.resource;
  return (
    <>
      {failure && <Failed failure={failure} retry={reload} />}
      {data !== undefined ? props.children(data) : isSlow && <Skeleton lines={props.lines ?? 6} />}
    </>
  );
}
