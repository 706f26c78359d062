import { count, localTime } from "../../../base/when.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { oneLine } from "../labels.ts";
import type { Ending } from "./ending.ts";
import { clipToTokens, tokenBound } from "./token-bound.ts";

/** A past session that gets a line. */
export interface LastSession {
  readonly host: string;
  readonly id: string;
  readonly name: string;
  /** When something was last said in it. */
  readonly at: number;
  readonly ending: Ending;
}

/** What the whole section may cost, with its frame, by a real tokenizer. */
export const MOST_TOKENS = 150;
/** The section's tags and its sentence on quoted data. */
const FRAME_TOKENS = 43;
const MOST = { name: 20, outcome: 30, part: 16, files: 20, olderName: 14 };
const LONGEST_NAME = 80;
const LONGEST_TEXT = 300;

/** An unanswered request this young may just be in work. */
const IN_WORK_MS = 10 * 60_000;

/** A line, and which parts of it come from transcripts. */
interface Line {
  readonly text: string;
  readonly foreign: readonly string[];
}

/** The newest first. `uncommitted`: of the newest. */
export function lastSessionsText(
  [newest, ...older]: readonly LastSession[],
  uncommitted: readonly string[],
  now: number,
): string {
  if (newest === undefined) return "";
  const hint = "query_session answers questions about them.";
  let left = MOST_TOKENS - FRAME_TOKENS - costOf({ text: hint, foreign: [] });
  const lines: string[] = [];
  const add = (line: Line | undefined): void => {
    const cost = line === undefined ? 0 : costOf(line);
    if (line === undefined || cost > left) return;
    left -= cost;
    lines.push(line.text);
  };
  add(newestLine(newest));
  add(openLine(newest, uncommitted, now));
  for (const one of older) add(olderLine(one));
  return [...lines, hint].join("\n");
}

/** Continuo's own words cost what is estimated; for the others there is a bound. One token for the line feed. */
function costOf({ text, foreign }: Line): number {
  return foreign.reduce((sum, one) => sum + tokenBound(one) - countTokens(one), countTokens(text) + 1);
}

function newestLine({ host, id, name, at, ending }: LastSession): Line {
  const reference = referenceTo({ name, id }, MOST.name);
  const outcome = clipToTokens(oneLine(ending.outcome ?? "", LONGEST_TEXT), MOST.outcome);
  const head = `${localTime(at)} ${host} ${reference}`;
  return { text: outcome === "" ? head : `${head}: ${outcome}`, foreign: [nameIn(reference), outcome] };
}

function olderLine({ host, id, name, at }: LastSession): Line {
  const reference = referenceTo({ name, id }, MOST.olderName);
  return { text: `${localTime(at).slice(0, 10)} ${host} ${reference}`, foreign: [nameIn(reference)] };
}

/** True when the session began and dated by that, because the text stays while these things change. */
function openLine(
  { ending, at }: LastSession,
  uncommitted: readonly string[],
  now: number,
): Line | undefined {
  const clipped = (text = ""): string => clipToTokens(oneLine(text, LONGEST_TEXT), MOST.part);
  const [unanswered, failing] = [clipped(ending.unanswered), clipped(ending.failing)];
  const files = filesText(uncommitted);
  const request = now - at < IN_WORK_MS ? "request in work" : "request not answered";
  const parts = [
    ...(unanswered === "" ? [] : [`${request}: "${unanswered}"`]),
    ...(failing === "" ? [] : [`said: "${failing}"`]),
    ...(files === "" ? [] : [`uncommitted: ${files}`]),
  ];
  if (parts.length === 0) return undefined;
  return {
    text: `Open when this session began: ${parts.join("; ")}`,
    foreign: [unanswered, failing, files],
  };
}

function filesText(files: readonly string[]): string {
  const shown: string[] = [];
  for (const file of files) {
    const name = oneLine(file, LONGEST_TEXT);
    if (tokenBound([...shown, name].join(", ")) > MOST.files) break;
    shown.push(name);
  }
  const more = files.length - shown.length;
  if (shown.length === 0) return more === 0 ? "" : count(more, "file that it edited", "files that it edited");
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * What a person types and `query_session` accepts. A cut name still finds its session, by its beginning; a name that says
 * nothing is replaced by the id.
 */
function referenceTo({ name, id }: Pick<LastSession, "name" | "id">, most: number): string {
  const plain = clipToTokens(oneLine(name, LONGEST_NAME).replaceAll('"', "'"), most);
  if (/[\p{L}\p{N}]/u.test(plain)) return `@@"${plain}"`;
  return `@@${clipToTokens(oneLine(id, LONGEST_NAME), most).replace(/ …$/, "")}`;
}

/** Without the marks, which are Continuo's. */
const nameIn = (reference: string): string => reference.replace(/^@@"?|"$/g, "");
