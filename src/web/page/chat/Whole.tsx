import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../core/format.ts";
import { Button } from "../parts/Button.tsx";
import { beginning, type Line, visibleLines, visiblePieces } from "./visible.ts";

const FIRST_LINES = 15;
const FIRST_CHARACTERS = 1500;
/** The message field covers this much at the bottom. */
const COVERED_PX = 120;

interface Props {
  readonly text: string;
  readonly form?: "lines" | "diff";
  /** Called when its last line was visible. */
  onEnd(): void;
}

/**
 * What would be done, with each character visible and in order. A long text starts shortened; `onEnd` reports that all
 * of it was shown.
 */
export function Whole({ text, form = "lines", onEnd }: Props) {
  const [isOpen, setOpen] = useState(false);
  const block = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => visibleLines(text, form), [text, form]);
  const first = useMemo(
    () => (isOpen ? undefined : beginning(lines, FIRST_LINES, FIRST_CHARACTERS)),
    [lines, isOpen],
  );
  useEffect(() => {
    if (end.current === null) return;
    const watcher = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) onEnd();
      },
      { rootMargin: `0px 0px -${COVERED_PX}px` },
    );
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [first === undefined]);
  const more = first === undefined ? 0 : lines.length - first.length;
  return (
    <div class="chat-whole stack start gap-2" ref={block}>
      <pre dir="ltr">
        {(first ?? lines).map((line, at) => (
          <div key={at} class={form === "diff" ? `chat-line ${signOf(line)}` : "chat-line"}>
            <Pieces of={line} />
          </div>
        ))}
      </pre>
      {first === undefined ? (
        <div class="chat-whole-end" ref={end} />
      ) : (
        <Button
          onClick={() => {
            setOpen(true);
            // Start at its beginning; the chat no longer follows its end.
            block.current?.scrollIntoView({ block: "start" });
          }}
        >
          Show {more === 0 ? "the rest of this line" : count(more, "more line", "more lines")}
        </Button>
      )}
    </div>
  );
}

/** A short untrusted text inside a sentence. */
export function Inline({ text }: { text: string }) {
  return (
    <span class="chat-inline break" dir="ltr">
      <Pieces of={visiblePieces(text)} />
    </span>
  );
}

function Pieces({ of }: { of: Line }) {
  return (
    <>
      {of.map(({ text, isMark }, at) =>
        isMark ? (
          <span key={at} class="chat-mark">
            {text}
          </span>
        ) : (
          text
        ),
      )}
    </>
  );
}

function signOf([piece]: Line): string {
  const sign = piece?.isMark === false ? piece.text.slice(0, 1) : "";
  return sign === "+" ? "chat-line-added" : sign === "-" ? "chat-line-removed" : "";
}
