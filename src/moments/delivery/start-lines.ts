import { existsSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../../base/for-terminal.ts";
import type { Composition } from "../../compose/compose.ts";
import { fileNameFor, type Home } from "../../store/home.ts";
import { writeFileAtomic } from "../../store/write-file.ts";
import type { CompactedMoment, ResumeMoment, StartMoment } from "../types.ts";

/** Hosts show a line where there is little room. */
const MAX_LINE = 200;

/** What the user sees when an epoch begins: what was delivered, at what cost, and what waits for them. */
export function startLines(
  home: Home,
  moment: StartMoment | ResumeMoment | CompactedMoment,
  made: Composition,
  notices: readonly string[],
): string[] {
  const given = made.summaries.join(", ");
  const lines = given === "" ? nothingYet(home, moment, made) : [deliveredLine(moment, given, made.tokens)];
  return [...lines, ...notices].map(shortLine);
}

function deliveredLine({ name }: { readonly name: string }, given: string, tokens: number): string {
  return `Continuo: ${name === "compacted" ? `restored ${given}` : given} (${tokens} tokens)`;
}

/** Once for each project, to show that Continuo works. At every start it would be noise. */
function nothingYet(
  home: Home,
  moment: StartMoment | ResumeMoment | CompactedMoment,
  { text }: Composition,
): string[] {
  if (moment.name !== "start" || text !== "") return [];
  const mark = join(home.root, "greeted", fileNameFor(moment.project.id));
  if (existsSync(mark)) return [];
  try {
    writeFileAtomic(mark, "", { durable: false });
  } catch {
    return []; // a home that cannot be written: the line would come at every start
  }
  return ["Continuo: no rules, notes or past sessions for this project yet"];
}

function shortLine(line: string): string {
  const shown = oneLine(line);
  return shown.length <= MAX_LINE ? shown : `${shown.slice(0, MAX_LINE - 1).toWellFormed()}…`;
}
