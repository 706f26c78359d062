import { count } from "../../../base/when.ts";

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
    const entry = entryAt(lines, at);
    const copies = entry === undefined ? [] : copiesBelow(lines, at + entry.lines.length, entry);
    if (entry === undefined || copies.length === 0) {
      shown.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    const parts = copies.map(({ part }) => part);
    const [first, last] = [parts[0], parts.at(-1)];
    const named =
      parts.length < 3
        ? `part${parts.length === 1 ? "" : "s"} ${parts.join(" and ")}`
        : `parts ${first} to ${last}`;
    const entries = count(copies.length, "more entry", "more entries");
    shown.push(
      ...entry.lines,
      `${entry.indent}… ${entries} like this one, for ${named} of a text that is too long for one`,
    );
    at += [entry, ...copies].reduce((sum, one) => sum + one.lines.length, 0);
  }
  return shown.join("\n");
}

/** A hook entry of Continuo's for a part after the first, all of it added or all of it removed. */
interface Entry {
  readonly lines: readonly string[];
  /** With the sign of the diff. */
  readonly indent: string;
  readonly part: number;
  /** With `#` for the part number. */
  readonly text: string;
}

function entryAt(lines: readonly string[], at: number): Entry | undefined {
  const [, indent] = /^([+-]\s*)\{$/.exec(lines[at] ?? "") ?? [];
  if (indent === undefined) return undefined;
  const end = lines.findIndex((line, i) => i > at && !line.startsWith(`${indent} `));
  if (!/^\},?$/.test(lines[end]?.slice(indent.length) ?? "") || !lines[end]?.startsWith(indent))
    return undefined;
  const own = lines.slice(at, end + 1);
  const parts = own.flatMap((line) => PART.exec(line)?.[1] ?? []);
  const part = Number(parts[0]);
  if (parts.length !== 1) return undefined;
  return { lines: own, indent, part, text: own.map((line) => withoutPart(line, part)).join("\n") };
}

/** The entries for the next parts that follow at once. */
function copiesBelow(lines: readonly string[], from: number, { part, text }: Entry): Entry[] {
  const copies: Entry[] = [];
  for (let at = from; ; ) {
    const next = entryAt(lines, at);
    if (next?.text !== text || next.part !== part + copies.length + 1) return copies;
    copies.push(next);
    at += next.lines.length;
  }
}

/** The number is also the name of the file that the entry's shell looks for. The last entry of a list has no comma. */
function withoutPart(line: string, part: number): string {
  if (!PART.test(line)) return line.replace(/,$/, "");
  return line
    .replace(PART, (found) => found.replace(new RegExp(`${part}$`), "#"))
    .replace(`/${part}\\" ]`, '/#\\" ]');
}
