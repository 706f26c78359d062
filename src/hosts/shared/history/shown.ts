import type { Shows } from "../../../moments/types.ts";
import { statFile } from "../../../store/read-file.ts";
import { tailLines } from "./lines.ts";

/** A line's role in the conversation: said by a user or a tool, answered by the model, or something else. */
export type LineKind = "input" | "answer" | "other";

interface TranscriptLines {
  /** undefined for a line that is not part of the conversation. */
  kindOf(line: string): LineKind | undefined;
  /** When it was written, in milliseconds since 1970. */
  timeOf(line: string): number | undefined;
  /** The form of a text inside a line (default: JSON). */
  written?(text: string): string;
}

/** How many bytes at the end are searched: usually enough, and then far more than one turn writes. */
const REACHES = [256 * 1024, 4 * 1024 * 1024];

/** Lines are not exactly in the order of their times. */
const DISORDER_MS = 5_000;

/** Checks whether delivered texts are in the lines of a transcript that were written since then, newest first. */
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
  // Compares the whole text: a repository knows how a delivery of its own rules begins, and could quote that in a file.
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
    // A request made since then was answered. Without one, an answer may belong to an earlier request.
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
