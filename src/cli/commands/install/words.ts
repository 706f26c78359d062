import { oneLine } from "../../../base/for-terminal.ts";
import { count } from "../../../base/when.ts";
import type { EntryCounts } from "../../../hosts/port/installer.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { withoutReassurance } from "../../../setup/agents.ts";
import { type Ask, interrupted } from "../../terminal/input.ts";
import type { Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

/** Phrases for what is added to an agent's settings. */

const IN_WORDS = {
  events: (many) => `hooks for ${count(many, "event")}`,
  plugins: (many) => count(many, "plugin"),
  servers: (many) => count(many, "MCP server"),
  statusLines: (many) => count(many, "status line"),
  permissions: (many) => count(many, "permission"),
} as const satisfies Record<Exclude<keyof EntryCounts, "hooks">, (many: number) => string>;

/**
 * `hooks for 8 events and 1 MCP server`. The number of hooks per event is not useful, because most are for further
 * parts.
 */
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

/**
 * The hint for a failure of one among several agents. Without "nothing was changed", which would seem to refer to all
 * of them.
 */
export function hintLines(hint: string | undefined): string[] {
  if (hint === undefined) return [];
  const own = withoutReassurance(hint);
  return [`  ${own.charAt(0).toUpperCase()}${own.slice(1)}`];
}

function listed(words: readonly string[]): string {
  if (words.length < 3) return words.join(" and ");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

interface Question {
  /** Whether another question came before: then an empty line improves readability. */
  readonly isFurther?: boolean;
  /** What will be done, in lines. */
  readonly about: readonly string[];
  /** `Connect Cursor?` */
  readonly question: string;
  /** Whether to offer allowing the read-only tools too. */
  readonly offersTools?: boolean;
  /** The answer that Enter stands for. */
  readonly usual: "yes" | "no";
  /** Shows the edit, in a pager if it is long. */
  show(): Promise<void>;
}

export type Answer = "yes" | "tools" | "no";

/** Asks about an edit of settings until there is an answer. Cancelling is an error: nothing was changed yet. */
export async function askAbout(
  ask: Ask,
  screen: Screen,
  { isFurther, about, question, offersTools, usual, show }: Question,
): Promise<Answer> {
  const tools = offersTools === true ? " / yes with [t]ools" : "";
  const [yes, no] = usual === "yes" ? ["[Y]es", "[n]o"] : ["[y]es", "[N]o"];
  let before = `${isFurther === true ? "\n" : ""}${about.join("\n")}\n`;
  for (;;) {
    const asked = `${before}${question} ${yes}${tools} / ${no} / [d]iff`;
    const typed = (await ask(`${wrapOn(asked, screen, { hang: 2 })} `))?.toLowerCase();
    if (typed === undefined) throw interrupted();
    if (typed === "") return usual;
    if (typed === "y" || typed === "yes") return "yes";
    if (typed === "n" || typed === "no") return "no";
    if (offersTools === true && (typed === "t" || typed === "tools")) return "tools";
    const isDiff = typed === "d" || typed === "diff";
    if (isDiff) await show();
    before = isDiff ? "" : "Answer with one of the letters in brackets.\n";
  }
}
