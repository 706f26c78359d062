import { count } from "../../../base/when.ts";
import type { EventKind } from "../../../hosts/port/hook-host.ts";
import type { HooksAt, Installer } from "../../../hosts/port/installer.ts";
import { type Change, isChange } from "../../../hosts/shared/install/wire.ts";
import { aboutHidden, showDiff } from "../../../setup/diff.ts";
import type { Input } from "../../command.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

type Where = Pick<Input, "env" | "screen" | "output">;

/** The edits of settings files as one text. The diff is not wrapped: its lines are those of the file. */
export async function diffOf(
  { screen = PLAIN }: Where,
  changes: readonly Change[],
  /** What another answer would add to the edit, and how to describe that. */
  also?: { readonly about: string; readonly changes: readonly Change[] },
): Promise<string> {
  const diffs = await Promise.all(changes.filter(isChange).map(showDiff));
  if (also !== undefined) {
    const more = await Promise.all(also.changes.filter(isChange).map(showDiff));
    diffs.push(`\n${wrapOn(also.about, screen)}`, ...more);
  }
  const note = aboutHidden(diffs.join("\n"));
  return [...diffs, ...(note === undefined ? [] : [wrapOn(note, screen)])].join("\n");
}

/** What an edit adds in plain words, then the edit itself. */
export async function explainedDiff(
  input: Where,
  installer: Installer,
  changes: readonly Change[],
  also?: Parameters<typeof diffOf>[2],
): Promise<string> {
  const words = hooksInWords(installer, input.env, changes);
  const about =
    words.length === 0 ? [] : [`${wrapOn(words.join("\n"), input.screen ?? PLAIN, { hang: 2 })}\n`];
  return [...about, await diffOf(input, changes, also)].join("\n");
}

/**
 * Shows the diff at a question, in a pager if it is long, without entries that repeat the previous one. `command` shows
 * all of them.
 */
export function sayDiff({ output, screen = PLAIN }: Where, diff: string, command: string): void {
  const short = foldRepeats(diff);
  const more = short === diff ? [] : [wrapOn(`To see every line of the edit: ${command}`, screen)];
  output?.say([short, ...more, ""].join("\n"));
}

/** The part number in one of Continuo's hook commands. */
const PART = /\bcontinuo\.cjs'? hook [\w-]+ \w+ (\d+)\b/;

/**
 * Folds entries that repeat the previous one except for the part number; one line says how many. Only Continuo's own
 * entries are folded: everything else in an edit is shown.
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

/** One of Continuo's hook entries for a part after the first, either completely added or completely removed. */
interface Entry {
  readonly lines: readonly string[];
  /** Including the sign of the diff. */
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

/** The directly following entries for the next parts. */
function copiesBelow(lines: readonly string[], from: number, { part, text }: Entry): Entry[] {
  const copies: Entry[] = [];
  for (let at = from; ; ) {
    const next = entryAt(lines, at);
    if (next?.text !== text || next.part !== part + copies.length + 1) return copies;
    copies.push(next);
    at += next.lines.length;
  }
}

/** The number is also the name of the file that the entry's shell checks for. The last entry of a list has no comma. */
function withoutPart(line: string, part: number): string {
  if (!PART.test(line)) return line.replace(/,$/, "");
  return line
    .replace(PART, (found) => found.replace(new RegExp(`${part}$`), "#"))
    .replace(`/${part}\\" ]`, '/#\\" ]');
}

/** What Continuo does at an event, by its kind. */
const MEANINGS: Readonly<Record<EventKind, string>> = {
  start: "gives a session its rules, notes and last sessions, at its start and after a compaction",
  childStart: "gives a subagent its rules",
  prompt: "adds the rules and notes that a prompt makes relevant",
  guard: "asks your rules before a tool is used",
  tool: "adds the rules for files that are used, and checks edits",
  compacting: "tells the summary what it need not repeat",
  summary: "records what the summary kept",
  idle: "checks the answer by your rules, and prepares the next start",
  end: "records that the session is over",
};

/**
 * Explains the hooks in a line per event, because their diff is hundreds of lines of shell. Empty for an agent without
 * hooks, and if the edit removes all.
 */
function hooksInWords(installer: Installer, env: NodeJS.ProcessEnv, changes: readonly Change[]): string[] {
  const text = changes.find(({ file }) => file === installer.settingsFile(env))?.after;
  const all = text === undefined ? [] : (installer.hooksIn?.(text) ?? []);
  if (all.length === 0) return [];
  return [
    `What the hooks do, by event of ${installer.label}:`,
    ...all.map((one) => `  ${one.event}: ${meaningOf(one)}${conditionsOf(one)}`),
    "Without Continuo on this machine they do nothing.",
  ];
}

function meaningOf({ about: { kind, answer }, isOpening }: HooksAt): string {
  // If an agent accepts no text at a start, the first prompt delivers it.
  if (kind === "prompt" && isOpening)
    return "gives a session its rules, notes and last sessions with its first prompt, later what a prompt makes relevant";
  if (kind === "start" && !isOpening) return "records that an earlier session goes on";
  if (kind === "compacting" && answer === "none")
    return "sees to it that the rules are given again afterwards";
  return MEANINGS[kind];
}

/** Most of an event's entries are for further parts: a host shows the model only a limited part of one output. */
function conditionsOf({ entries, further, standIns }: HooksAt): string {
  if (entries === 1) return "";
  const spare = [
    ...(further === 0 ? [] : [`${further} only if the text is too long for one`]),
    ...(standIns === 0 ? [] : [`${standIns} only while the MCP server does not run`]),
  ];
  return ` (${entries} entries: ${spare.join(", ")})`;
}
