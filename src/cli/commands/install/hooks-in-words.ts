import type { EventKind } from "../../../hosts/port/hook-host.ts";
import type { HooksAt, Installer } from "../../../hosts/port/installer.ts";
import type { Change } from "../../../hosts/shared/install/wire.ts";

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
 * Says what the hooks are for, a line per event: their diff is hundreds of lines of shell. Empty for an agent without hooks, and
 * if the edit leaves none.
 */
export function hooksInWords(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  changes: readonly Change[],
): string[] {
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
  // Where an agent takes no text at a start, the first prompt brings it.
  if (kind === "prompt" && isOpening)
    return "gives a session its rules, notes and last sessions with its first prompt, later what a prompt makes relevant";
  if (kind === "start" && !isOpening) return "records that an earlier session goes on";
  if (kind === "compacting" && answer === "none")
    return "sees to it that the rules are given again afterwards";
  return MEANINGS[kind];
}

/** Most entries of an event with several are spare: a host shows the model only so much of the output of one. */
function conditionsOf({ entries, further, standIns }: HooksAt): string {
  if (entries === 1) return "";
  const spare = [
    ...(further === 0 ? [] : [`${further} only if the text is too long for one`]),
    ...(standIns === 0 ? [] : [`${standIns} only while the MCP server does not run`]),
  ];
  return ` (${entries} entries: ${spare.join(", ")})`;
}
