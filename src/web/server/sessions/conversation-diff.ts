import { structuredPatch } from "diff";
import { oneLine } from "../../../base/for-terminal.ts";
import { isRecord } from "../../../base/json.ts";
import type { Call } from "../../../moments/ports/turn.ts";

/** Of a longer text only the beginning is compared. */
const MOST_CHARACTERS = 60_000;
/** Texts that differ in more lines are shown as one removed and one added block. */
const MOST_EDITS = 400;
const MOST_EDITS_OF_A_CALL = 50;

/**
 * What a tool call changes, as a unified diff, from the texts in its input: a replaced text, a new content, or a patch.
 * Line numbers refer to the texts, not to the file. Undefined for a call that changes nothing.
 */
export function diffOf({ input, files }: Call): string | undefined {
  const patch = Object.values(input).find(
    (value): value is string => typeof value === "string" && value.trimStart().startsWith("*** Begin Patch"),
  );
  if (patch !== undefined) return fromPatch(patch.slice(0, MOST_CHARACTERS));
  const path = oneLine(
    textAt(input, "file_path", "filePath", "path", "notebook_path") ?? files[0]?.path ?? "file",
  ).slice(0, 500);
  const list = Array.isArray(input["edits"]) ? input["edits"].filter(isRecord) : [input];
  const hunks = list.slice(0, MOST_EDITS_OF_A_CALL).flatMap((edit) => hunksOf(edit));
  if (hunks.length === 0) return undefined;
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join("\n");
}

function hunksOf(edit: Readonly<Record<string, unknown>>): string[] {
  const after = textAt(edit, "new_string", "newString", "new_str", "newText", "new_source");
  const before = textAt(edit, "old_string", "oldString", "old_str", "oldText");
  const content = textAt(edit, "content", "file_text", "contents");
  if (before !== undefined || after !== undefined) return compared(before ?? "", after ?? "");
  return content === undefined ? [] : compared("", content);
}

function compared(before: string, after: string): string[] {
  const [a, b] = [bounded(before), bounded(after)];
  const patch = structuredPatch("a", "b", a, b, undefined, undefined, {
    context: 3,
    maxEditLength: MOST_EDITS,
  });
  if (patch === undefined) return hunk([...marked(a, "-"), ...marked(b, "+")]);
  return patch.hunks.flatMap(({ lines }) => hunk(lines.filter((line) => !line.startsWith("\\"))));
}

function hunk(lines: readonly string[]): string[] {
  const old = lines.filter((line) => !line.startsWith("+")).length;
  const now = lines.filter((line) => !line.startsWith("-")).length;
  return lines.length === 0 ? [] : [`@@ -1,${old} +1,${now} @@`, ...lines];
}

const marked = (text: string, sign: string): string[] =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => sign + line);

const bounded = (text: string): string => text.slice(0, MOST_CHARACTERS).replaceAll("\r\n", "\n");

/** The form of `apply_patch`: files with hunks that have no line numbers. */
function fromPatch(patch: string): string | undefined {
  const out: string[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    out.push(...hunk(lines));
    lines = [];
  };
  for (const line of patch.split("\n")) {
    const file = /^\*\*\* (?:Update|Add|Delete) File: (.*)$/.exec(line)?.[1];
    if (file !== undefined) {
      flush();
      const path = oneLine(file).slice(0, 500);
      out.push(`--- ${path}`, `+++ ${path}`);
      if (line.startsWith("*** Delete")) lines.push("-(the whole file)");
    } else if (/^@@/.test(line)) flush();
    else if (/^[-+ ]/.test(line)) lines.push(line);
    else if (line === "" && lines.length > 0) lines.push(" ");
  }
  flush();
  return out.some((line) => line.startsWith("@@")) ? out.join("\n") : undefined;
}

function textAt(entry: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = entry[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}
