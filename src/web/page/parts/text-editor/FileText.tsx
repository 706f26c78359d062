import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { FileView } from "../../../api/files.ts";
import { count } from "../../core/format.ts";
import { Button } from "../Button.tsx";
import { highlightIn } from "../code/highlight-in.ts";
import { useScrollable } from "../use-scrollable.ts";
import { type FilePart, firstShown, PARTS_AT_ONCE, partsOf } from "./file-parts.ts";

const LINE_HEIGHT = 20;

/** The text of a file with colours: for a long one, the beginning or the part around a line, and more on demand. */
export function FileText({ file, line }: { file: FileView; line: number }) {
  const parts = useMemo(() => partsOf(file.text), [file.text]);
  const [shown, setShown] = useState(() => firstShown(parts, line));
  const asked = useRef(line);
  if (asked.current !== line) {
    asked.current = line;
    setShown(firstShown(parts, line));
  }
  const to = Math.min(shown.to, parts.length);
  const from = Math.min(shown.from, Math.max(0, to - 1));
  const block = useRef<HTMLPreElement>(null);
  useScrollable(block, file.text);
  useEffect(() => {
    const first = parts[from]?.line ?? 1;
    if (block.current && line > 1) block.current.scrollTop = (line - first - 3) * LINE_HEIGHT;
  }, [line, file.path]);
  // Loading what comes before must not move what is being read.
  const below = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (block.current && below.current !== undefined)
      block.current.scrollTop = block.current.scrollHeight - below.current;
    below.current = undefined;
  }, [from]);
  const showEarlier = () => {
    if (block.current) below.current = block.current.scrollHeight - block.current.scrollTop;
    setShown({ from: Math.max(0, from - PARTS_AT_ONCE), to });
  };
  if (file.text === "")
    return (
      <div class="editor-view">
        <p class="muted">The file is empty.</p>
      </div>
    );
  const before = (parts[from]?.line ?? 1) - 1;
  const after = linesOf(parts) - (parts[to]?.line ?? Number.POSITIVE_INFINITY) + 1;
  return (
    <div class="editor-view">
      {from > 0 && (
        <Button kind="quiet" onClick={showEarlier}>
          Show earlier lines: {count(before, "line")} above
        </Button>
      )}
      <pre class="code box surface-2 pad-3" ref={block}>
        {parts.slice(from, to).map((part, at) => (
          <Part key={from + at} part={part} language={file.language ?? ""} />
        ))}
      </pre>
      {to < parts.length && (
        <Button kind="quiet" onClick={() => setShown({ from, to: to + PARTS_AT_ONCE })}>
          Show more lines: {count(Math.max(1, after), "line")} below
        </Button>
      )}
      {to === parts.length && file.isCut && <p class="muted">The rest of the file is not shown here.</p>}
    </div>
  );
}

function linesOf(parts: readonly FilePart[]): number {
  const last = parts.at(-1);
  return last === undefined ? 0 : last.line + last.text.replace(/\n$/, "").split("\n").length - 1;
}

function Part({ part: { text }, language }: { part: FilePart; language: string }) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => highlightIn(place.current), [text, language]);
  return (
    <span class="code-part" ref={place}>
      {/* A new element for another text, because the highlighter replaces its content. */}
      <code key={`${language}\n${text}`} data-language={language}>
        {text}
      </code>
    </span>
  );
}
