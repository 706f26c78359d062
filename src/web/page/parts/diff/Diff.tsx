import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { count } from "../../core/format.ts";
import { Button } from "../Button.tsx";
import { loadedLater } from "../loaded-later.ts";
import { useScrollable } from "../use-scrollable.ts";
import type { DiffFile, DiffHunk, DiffLine } from "./parse-diff.ts";

const parser = loadedLater(() => import("./parse-diff.ts"));

interface Props {
  readonly text: string;
  /** If not set, the line numbers are not those of the file, and are left out. */
  readonly hasNumbers?: boolean;
  /** The path of the only file, as shown around the diff. */
  readonly path?: string;
  /** Line counts of whole files by path, if `text` contains only the beginning of some. */
  readonly totals?: ReadonlyMap<string, Totals>;
  /** A link to where a file that is cut here can be seen whole. */
  readonly whole?: (path: string) => ComponentChildren;
}

interface Totals {
  readonly added: number;
  readonly removed: number;
}

/** A diff in unified form. */
export function Diff({ text, hasNumbers = false, path, totals, whole }: Props) {
  const code = parser();
  const files = useMemo(() => {
    try {
      return code?.parseDiff(text);
    } catch {
      return undefined; // shown as text
    }
  }, [code, text]);
  if (files === undefined || files.length === 0)
    return <pre class="diff stack gap-3 diff-plain surface-2 pad-3">{text}</pre>;
  return (
    <div class={`diff stack gap-3 ${hasNumbers ? "diff-numbered" : ""}`}>
      {files.map((file, at) => (
        <File
          key={at}
          file={withTotals(path === undefined || files.length > 1 ? file : { ...file, path }, totals)}
          whole={whole}
        />
      ))}
    </div>
  );
}

/** Counts the lines that the text leaves out too. */
function withTotals(file: DiffFile, totals: Props["totals"]): DiffFile {
  const whole = totals?.get(file.path);
  if (whole === undefined) return file;
  const shown = file.added + file.removed - file.left;
  return { ...file, ...whole, left: Math.max(0, whole.added + whole.removed - shown) };
}

const FIRST_LINES = 400;

function File({ file, whole }: { file: DiffFile; whole: Props["whole"] }) {
  const { path, from, what, added, removed, hunks, left } = file;
  const [most, setMost] = useState(FIRST_LINES);
  const block = useRef<HTMLDivElement>(null);
  useScrollable(block, most);
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  return (
    <section class="diff-file box narrow" aria-label={`Changes in ${path}`}>
      <header>
        <span class="diff-path clip" title={path}>
          {from === undefined ? path : `${from} → ${path}`}
        </span>
        {what !== "changed" && <span class="muted">{what}</span>}
        <span class="good" title={`${count(added, "line")} added`}>
          +{added}
        </span>
        <span class="bad" title={`${count(removed, "line")} removed`}>
          −{removed}
        </span>
      </header>
      <div class="diff-lines" ref={block}>
        <div class="diff-body">
          {within(hunks, most).map((hunk, at) => (
            <Hunk key={at} hunk={hunk} isFirst={at === 0} />
          ))}
        </div>
      </div>
      {total > most && (
        <Button kind="quiet" onClick={() => setMost(most + 2000)}>
          Show {count(Math.min(2000, total - most), "more line", "more lines")}
        </Button>
      )}
      {left > 0 && (
        <p class="diff-left muted line-top">
          {count(left, "more changed line is", "more changed lines are")} not shown here. {whole?.(path)}
        </p>
      )}
    </section>
  );
}

function Hunk({ hunk, isFirst }: { hunk: DiffHunk; isFirst: boolean }) {
  return (
    <>
      {!isFirst && <div class="diff-gap" aria-hidden="true" />}
      {hunk.lines.map((line, at) => (
        <Line key={at} line={line} />
      ))}
    </>
  );
}

const SIGNS = { added: "+", removed: "−", same: " " } as const;

function Line({ line }: { line: DiffLine }) {
  return (
    <div class={`diff-line diff-line-${line.kind}`}>
      <span class="diff-number fixed faint right" aria-hidden="true">
        {line.before}
      </span>
      <span class="diff-number fixed faint right" aria-hidden="true">
        {line.after}
      </span>
      <span class="diff-sign fixed muted">{SIGNS[line.kind]}</span>
      <span class="diff-text">{line.text}</span>
    </div>
  );
}

function within(hunks: readonly DiffHunk[], most: number): readonly DiffHunk[] {
  let left = most;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= hunk.lines.length;
    return lines.length === 0 ? [] : [{ ...hunk, lines }];
  });
}
