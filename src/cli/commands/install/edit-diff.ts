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

/**
 * Folds entries that repeat the previous one except for the part number; one line says how many. Only Continuo's own
 * entries are folded: everything else in an edit is shown.
 */
export function foldRepeats(diff: string): string {
  const shown: string[] = [];
  for (let at = 0; at <= diff.length; ) {
    const entry = entryAt(diff, at);
    const lines = entry?.lines ?? diff.slice(at).split("\n", 1).join();
    shown.push(lines);
    at += lines.length + 1;
    if (entry === undefined) continue;
    let last = entry.part;
    for (let next = entryAt(diff, at); next?.text === entry.text; next = entryAt(diff, at)) {
      if (next.part !== last + 1) break;
      last = next.part;
      at += next.lines.length + 1;
    }
    const many = last - entry.part;
    const [first, joint] = [entry.part + 1, many === 2 ? "and" : "to"];
    const parts = many === 1 ? `part ${first}` : `parts ${first} ${joint} ${last}`;
    const entries = count(many, "more entry", "more entries");
    if (many > 0)
      shown.push(
        `${entry.indent}… ${entries} like this one, for ${parts} of a text that is too long for one`,
      );
  }
  return shown.join("\n");
}

/** An object in a list, either completely added or completely removed. */
const OBJECT = /([+-][ \t]*)\{\n(?:\1 .*\n)*\1\},?(?=\n|$)/y;
/** The part number in one of Continuo's hook commands. */
const PART = /(\bcontinuo\.cjs'? hook [\w-]+ \w+ )(\d+)\b/g;

/**
 * The entry at this position, if it is Continuo's hook entry for a further part. `text` has `#` instead of the part's
 * number.
 */
function entryAt(diff: string, at: number) {
  OBJECT.lastIndex = at;
  const [lines, indent] = OBJECT.exec(diff) ?? [];
  const [found, ...more] = lines?.matchAll(PART) ?? [];
  if (lines === undefined || found === undefined || more.length > 0) return undefined;
  const part = Number(found[2]);
  // The number is also the name of the file that the entry's shell checks for. The last entry of a list has no comma.
  const text = lines.replace(PART, "$1#").replace(`/${part}\\" ]`, '/#\\" ]').replaceAll(/,$/gm, "");
  return { lines, indent, part, text };
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
