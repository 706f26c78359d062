import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { EntryCounts } from "../../../hosts/port/installer.ts";
import { shortPath } from "../../../moments/project/known-project.ts";

/** Sentences about what is added to an agent's settings. */

const IN_WORDS = {
  events: (many) => `hooks for ${count(many, "event")}`,
  plugins: (many) => count(many, "plugin"),
  servers: (many) => count(many, "MCP server"),
  statusLines: (many) => count(many, "status line"),
  permissions: (many) => count(many, "permission"),
} as const satisfies Record<Exclude<keyof EntryCounts, "hooks">, (many: number) => string>;

/** `hooks for 8 events and 1 MCP server`. How many hooks an event has says nothing to people: most of them are spare. */
export function entriesInWords(counts: EntryCounts): string {
  return listed(
    (Object.keys(IN_WORDS) as (keyof typeof IN_WORDS)[])
      .filter((kind) => (counts[kind] ?? 0) > 0)
      .map((kind) => IN_WORDS[kind](counts[kind] ?? 0)),
  );
}

/** `~/.claude/settings.json and ~/.claude.json` */
export function filesInWords(files: readonly string[], env: NodeJS.ProcessEnv): string {
  return listed(files.map((file) => pathInWords(file, env)));
}

export function pathInWords(path: string, env: NodeJS.ProcessEnv): string {
  return oneLine(shortPath(path, env));
}

/** What to do about the failure of one of several agents. Its "nothing was changed" would be read as if it meant all of them. */
export function hintLines(hint: string | undefined): string[] {
  if (hint === undefined) return [];
  const own = withoutReassurance(hint);
  return [`  ${own.charAt(0).toUpperCase()}${own.slice(1)}`];
}

/** A hint without "nothing was changed", for where nothing was to be changed. */
export function withoutReassurance(hint: string): string {
  return hint.replace(/; nothing was (?:changed|touched)$/, "");
}

function listed(words: readonly string[]): string {
  if (words.length < 3) return words.join(" and ");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
