import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./Button.tsx";

/** A button for something that cannot be undone: it asks for confirmation in place. */
export function Confirm(props: {
  label: ComponentChildren;
  question: string;
  yes: string;
  run: () => void;
  kind?: "plain" | "quiet" | "danger";
}) {
  const [isAsking, setAsking] = useState(false);
  const no = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isAsking) no.current?.querySelector("button")?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <Button kind={props.kind ?? "plain"} onClick={() => setAsking(true)}>
        {props.label}
      </Button>
    );
  }
  return (
    <span class="confirm" role="group" aria-label={props.question} ref={no}>
      <span>{props.question}</span>
      <Button onClick={() => setAsking(false)}>Cancel</Button>
      <Button
        kind="danger"
        onClick={() => {
          setAsking(false);
          props.run();
        }}
      >
        {props.yes}
      </Button>
    </span>
  );
}
