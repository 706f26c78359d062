import type { Shows } from "../../../moments/types.ts";
import { statFile } from "../../../store/read-file.ts";
import { tailLines } from "./lines.ts";

/** What one line is in the conversation: what a person or a tool said, what the model answered, or something else. */
export type LineKind = "input" | "answer" | "other";

interface TranscriptLines {
  /** undefined for a line that is not part of the conversation. */
  kindOf(line: string): LineKind | undefined;
  /** When it was written, in milliseconds since 1970. */
  timeOf(line: string): number | undefined;
  /** A text as it stands inside a line; its JSON form unless given. */
  written?(text: string): string;
}

/** How far from the end is looked: mostly enough, and far more than one turn writes. */
const REACHES = [256 * 1024, 4 * 1024 * 1024];

/** Lines are not quite in the order of their times. */
const DISORDER_MS = 5_000;

/** Looks for what was given in the lines of a transcript that were written since then, the newest first. */
export function shownIn(path: string, form: TranscriptLines): Shows {
  return (given) => {
    for (const reach of REACHES) {
      const found = lookIn(linesOf(path, reach), given, form);
      if (found === "shown") return true;
      if (found !== "cut off") return found === "missing" ? false : undefined;
    }
    return undefined;
  };
}

function lookIn(
  { lines, isWhole }: ReturnType<typeof linesOf>,
  { text, since, over }: Parameters<Shows>[0],
  { kindOf, timeOf, written = asJson }: TranscriptLines,
): "shown" | "missing" | "too early" | "cut off" {
  // The whole of it: a repository knows how a text with its own rules begins, and could quote that in a file that is read.
  const wanted = written(text.trim());
  let isAnswered = false;
  let isOver = over === "process";
  let isComplete = isWhole;
  for (const line of lines) {
    const at = timeOf(line);
    if (at !== undefined && at < since - DISORDER_MS) {
      isComplete = true;
      break;
    }
    if (at !== undefined && at < since) continue;
    const kind = kindOf(line);
    if (kind !== undefined && line.includes(wanted)) return "shown";
    if (at === undefined || at <= since) continue;
    if (kind === "answer") isAnswered = true;
    // A request that was made since then was answered. Without one, an answer may belong to an earlier request.
    if (isAnswered && (kind === "input" || over === "turn")) isOver = true;
  }
  if (!isComplete) return "cut off";
  return isOver ? "missing" : "too early";
}

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function linesOf(path: string, reach: number): { lines: readonly string[]; isWhole: boolean } {
  try {
    const size = statFile(path)?.size ?? 0;
    return { lines: tailLines(path, reach), isWhole: size > 0 && size <= reach };
  } catch {
    return { lines: [], isWhole: false }; // not written yet, or not readable
  }
}
