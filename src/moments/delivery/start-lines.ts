import { existsSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../../base/for-terminal.ts";
import { clipWithin } from "../../base/text.ts";
import { count } from "../../base/when.ts";
import type { Composition } from "../../compose/compose.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { MomentRun } from "../run/moment-run.ts";
import type { Given } from "../state/session-state.ts";
import type { CompactedMoment, Moment, ResumeMoment, StartMoment } from "../types.ts";

/** Hosts have little space for such a line. */
const MAX_LINE = 200;

/** The line for the user when an epoch begins: what was delivered, at what cost, and what is pending. */
export function startLines(
  home: Home,
  moment: StartMoment | ResumeMoment | CompactedMoment,
  made: Composition,
  notices: readonly string[],
): string[] {
  const given = summariesOf(made).join(", ");
  if (made.text !== "") return [deliveredLine(moment, given, made.tokens), ...notices].map(shortLine);
  return notices.length > 0 ? notices.map(shortLine) : nothingYet(home, moment);
}

/** Lines of sources for the user at any other moment. Lines about a subagent are left out, as at its start. */
export function tellPerson(run: MomentRun, { session }: Moment, notices: readonly string[]): void {
  if (session.parent === undefined && !run.config.quiet) run.notices.push(...notices.map(shortLine));
}

/** One phrase per section, such as `3 rules`. */
function summariesOf({ sections }: Composition): string[] {
  return sections.flatMap(({ summary, items }) => summary?.(items.length) ?? []);
}

function deliveredLine({ name }: { readonly name: string }, given: string, tokens: number): string {
  if (given === "") return `Continuo: ${tokens} tokens`;
  return `Continuo: ${name === "compacted" ? `restored ${given}` : given} (${tokens} tokens)`;
}

/** Only once per project, to show that Continuo works. */
function nothingYet(home: Home, moment: StartMoment | ResumeMoment | CompactedMoment): string[] {
  if (moment.name !== "start") return [];
  const mark = join(home.root, "greeted", fileNameFor(moment.project.id));
  if (existsSync(mark)) return [];
  try {
    writeFileAtomic(mark, "", { durable: false });
  } catch {
    return []; // a home that cannot be written: the line would be repeated at every start
  }
  return ["Continuo: no rules, notes or past sessions for this project yet"];
}

/**
 * What the status line shows after this delivery: `3 rules` and `1 rule` become `4 rules`. Texts without a number are
 * left out.
 */
export function givenAfter(before: Given | undefined, made: Composition): Given {
  const counts = [...(before?.counts ?? [])];
  for (const summary of summariesOf(made)) {
    const [, many, thing] = COUNTED.exec(summary) ?? [];
    if (thing === undefined) continue;
    const at = counts.findIndex((one) => COUNTED.exec(one)?.[2] === thing);
    const known = at < 0 ? 0 : numberOf(COUNTED.exec(counts[at] ?? "")?.[1]);
    counts.splice(at < 0 ? counts.length : at, at < 0 ? 0 : 1, count(known + numberOf(many), thing));
  }
  return { counts, tokens: (before?.tokens ?? 0) + made.tokens };
}

const COUNTED = /^([\d,]+) (\w+?)s?$/;
const numberOf = (text = "") => Number(text.replaceAll(",", ""));

function shortLine(line: string): string {
  return clipWithin(oneLine(line), MAX_LINE);
}
