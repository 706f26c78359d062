import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { EntryCounts } from "../../../hosts/port/installer.ts";
import { shortPath } from "../../../moments/known-project.ts";

/** Sentences about what is added to an agent's settings. */

const NAMES = {
  hooks: ["hook", "hooks"],
  plugins: ["plugin", "plugins"],
  servers: ["MCP server", "MCP servers"],
  statusLines: ["status line", "status lines"],
  permissions: ["permission", "permissions"],
} as const satisfies Record<keyof EntryCounts, readonly [string, string]>;

/** `9 hooks and 1 MCP server` */
export function entriesInWords(counts: EntryCounts): string {
  return listed(
    (Object.keys(NAMES) as (keyof EntryCounts)[])
      .filter((kind) => (counts[kind] ?? 0) > 0)
      .map((kind) => {
        const [one, several] = NAMES[kind];
        return count(counts[kind] ?? 0, one, several);
      }),
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
