import { localTime } from "../../../base/when.ts";
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
const FRAME_TOKENS = 46;
const MOST = { name: 20, outcome: 30, part: 16, files: 20, olderName: 14 };
const LONGEST_NAME = 80;
const LONGEST_TEXT = 300;

/** An unanswered request this young may just be in work. */
const IN_WORK_MS = 10 * 60_000;

/** The newest first. `uncommitted`: of the newest. */
export function lastSessionsText(
  [newest, ...older]: readonly LastSession[],
  uncommitted: readonly string[],
  now: number,
): string {
  if (newest === undefined) return "";
  const hint = "query_session answers questions about them.";
  let left = MOST_TOKENS - FRAME_TOKENS - tokenBound(hint) - 1;
  const lines: string[] = [];
  const add = (line: string): void => {
    const cost = tokenBound(line) + 1;
    if (line === "" || cost > left) return;
    left -= cost;
    lines.push(line);
  };
  const head = `${localTime(newest.at)}, ${newest.host}, ${reference(newest, MOST.name)}`;
  const outcome = clipToTokens(oneLine(newest.ending.outcome ?? "", LONGEST_TEXT), MOST.outcome);
  add(outcome === "" ? head : `${head}: ${outcome}`);
  add(openLine(newest, uncommitted, now));
  for (const one of older)
    add(`${localTime(one.at).slice(0, 10)}, ${one.host}, ${reference(one, MOST.olderName)}`);
  return [...lines, hint].join("\n");
}

/** True when the session began and dated by that, because the text stays while these things change. */
function openLine({ ending, at }: LastSession, uncommitted: readonly string[], now: number): string {
  const { unanswered, failing } = ending;
  const quoted = (text: string): string => `"${clipToTokens(oneLine(text, LONGEST_TEXT), MOST.part)}"`;
  const request = now - at < IN_WORK_MS ? "request in work" : "request not answered";
  const parts = [
    ...(unanswered === undefined ? [] : [`${request}: ${quoted(unanswered)}`]),
    ...(failing === undefined ? [] : [`said: ${quoted(failing)}`]),
    ...(uncommitted.length === 0 ? [] : [`uncommitted: ${filesText(uncommitted)}`]),
  ];
  return parts.length === 0 ? "" : `Open when this session began: ${parts.join("; ")}`;
}

function filesText(files: readonly string[]): string {
  const shown: string[] = [];
  for (const file of files) {
    const name = oneLine(file, LONGEST_TEXT);
    if (tokenBound([...shown, name].join(", ")) > MOST.files) break;
    shown.push(name);
  }
  const more = files.length - shown.length;
  if (shown.length === 0) return `${more} ${more === 1 ? "file" : "files"} of it`;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * What a person types and `query_session` accepts. A cut name still finds its session, by its beginning; a name that says
 * nothing is replaced by the id.
 */
function reference({ name, id }: LastSession, most: number): string {
  const plain = clipToTokens(oneLine(name, LONGEST_NAME).replaceAll('"', "'"), most);
  if (/[\p{L}\p{N}]/u.test(plain)) return `@@"${plain}"`;
  return `@@${clipToTokens(oneLine(id, LONGEST_NAME), most).replace(/ …$/, "")}`;
}
