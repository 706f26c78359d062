import { count } from "../../../base/when.ts";

/** A hook entry of a settings file has this many lines, with its braces. */
const LEAST_LINES = 3;
const MOST_LINES = 12;

/** The part number in a hook command of Continuo's. */
const PART = /\bcontinuo\.cjs'? hook [\w-]+ \w+ (\d+)\b/;

/**
 * A diff in which an entry that repeats the one above except for its part number is left out. One line says how many are. What is
 * left out is Continuo's own: everything else in an edit is shown.
 */
export function foldRepeats(diff: string): string {
  const lines = diff.split("\n");
  const shown: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const repeat = repeatAt(lines, at);
    if (repeat === undefined) {
      shown.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    const { size, copies, first, last } = repeat;
    const [indent = ""] = /^[+-]\s*/.exec(lines[at] ?? "") ?? [];
    const parts = first === last ? `part ${first}` : `parts ${first} to ${last}`;
    const entries = count(copies, "more entry", "more entries");
    shown.push(
      ...lines.slice(at, at + size),
      `${indent}… ${entries} like this one, for ${parts} of a text that is too long for one`,
    );
    at += size * (copies + 1);
  }
  return shown.join("\n");
}

interface Repeat {
  /** Lines of one entry. */
  readonly size: number;
  readonly copies: number;
  /** The part numbers of the copies. */
  readonly first: number;
  readonly last: number;
}

/** Whether the lines from here on are repeated right below: a diff may begin an entry with any of its lines. */
function repeatAt(lines: readonly string[], at: number): Repeat | undefined {
  for (let size = LEAST_LINES; size <= MOST_LINES; size++) {
    const entry = (copy: number) => lines.slice(at + copy * size, at + (copy + 1) * size);
    const part = partOf(entry(0));
    if (part === undefined) continue;
    const wanted = withoutPart(entry(0), part);
    let copies = 0;
    for (;;) {
      const next = entry(copies + 1);
      if (withoutPart(next, part + copies + 1) !== wanted) break;
      copies += 1;
    }
    if (copies > 0) return { size, copies, first: part + 1, last: part + copies };
  }
  return undefined;
}

/** The part number of an entry of which every line is added, or every line is removed; undefined for any other lines. */
function partOf(entry: readonly string[]): number | undefined {
  const [sign] = entry[0] ?? "";
  if ((sign !== "+" && sign !== "-") || !entry.every((line) => line.startsWith(sign))) return undefined;
  const parts = entry.flatMap((line) => PART.exec(line)?.[1] ?? []);
  return parts.length === 1 ? Number(parts[0]) : undefined;
}

/** The text of an entry with `#` for its part number, which is also the name of the file that its shell looks for. */
function withoutPart(entry: readonly string[], part: number): string {
  return entry
    .map((line) =>
      PART.test(line)
        ? line
            .replace(PART, (found) => found.replace(new RegExp(`${part}$`), "#"))
            .replace(`/${part}\\" ]`, '/#\\" ]')
        : line.replace(/,$/, ""),
    )
    .join("\n");
}
