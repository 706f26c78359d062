import { oneLine } from "../../../base/for-terminal.ts";
import { clip } from "../../../base/text.ts";
import { count } from "../../../base/when.ts";
import type { Item } from "../../../compose/section.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import type { Session } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import type { Breach } from "../checks/breach.ts";
import { hasResults } from "./result-folder.ts";
import { markTold, type RunResult, readResults } from "./results.ts";

/** What commands of rules found since the session was last told. */
export interface RunResults {
  readonly found: readonly FoundByRun[];
  /** For the person: commands that gave no result. */
  readonly notices: readonly string[];
  /** To be called once the session has received the items and the person the notices. */
  readonly told: () => void;
}

export interface FoundByRun {
  readonly breach: Breach;
  /** What the model is told. */
  readonly item: Item;
}

const NOTHING: RunResults = { found: [], notices: [], told: () => undefined };

/** Asked at every prompt and tool call: without results it is one look at the disk. */
export function runResults(
  session: Session,
  { home, isMuted, report }: Pick<SourceContext, "home" | "report"> & Partial<Pick<SourceContext, "isMuted">>,
): RunResults {
  const place = homeAt(home);
  if (session.parent !== undefined || !hasResults(place, session)) return NOTHING;
  const results = readResults(place, session).filter(
    ({ rule, found }) => isMuted?.(rule) !== true && !(found.kind === "failed" && found.isTold === true),
  );
  if (results.length === 0) return NOTHING;
  return {
    found: results.flatMap((result) => found(result) ?? []),
    notices: results.flatMap((result) => notice(result) ?? []),
    told: () => {
      try {
        for (const result of results) markTold(place, session, result);
      } catch (error) {
        report("run-told", `what a check found may be told twice: ${(error as Error).message}`);
      }
    },
  };
}

function found(result: RunResult): FoundByRun | undefined {
  if (result.found.kind !== "broken") return undefined;
  const { rule, name, check, reaction, message, command, at } = result;
  const { code, output } = result.found;
  const text = output === "" ? `exit code ${code}, without output` : output;
  const breach: Breach = {
    rule,
    name,
    check,
    on: "run",
    reaction,
    ...(message === undefined ? {} : { message }),
    text: `${command}: ${text}`,
    // Each run is an occasion of its own: the same output again means that the problem is still there.
    place: `run ${rule}#${check} ${at}`,
  };
  const said = message === undefined ? "" : `\n${oneLine(message)}`;
  const item: Item = {
    key: `run:${rule}#${check}@${at.toString(36)}`,
    name,
    text: `${oneLine(command)} found problems (rule "${oneLine(name)}"):\n${text}${said}`,
    reason: `a command of the rule failed, from ${rule}`,
    priority: 0,
  };
  return { breach, item };
}

function notice({ found, command, name }: RunResult): string | undefined {
  if (found.kind !== "failed") return undefined;
  const what = clip(oneLine(command), 200);
  return `The check "${what}" of the rule "${oneLine(name)}" gave no result: ${oneLine(found.detail)}`;
}

/** How the line for the user counts them. */
export function countFound(delivered: number): string {
  return count(delivered, "failed check");
}
