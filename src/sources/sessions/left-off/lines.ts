import { basename } from "node:path";
import { count, localTime } from "../../../base/when.ts";
import { countTokens } from "../../../compose/tokens.ts";
import { oneLine } from "../labels.ts";
import type { Standing } from "../standing/standing.ts";
import { type About, type Piece, type Slot, standingPieces } from "./pieces.ts";
import { clipToTokens, tokenBound } from "./token-bound.ts";

/** A past session that gets a line. */
export interface LastSession {
  readonly host: string;
  readonly id: string;
  readonly name: string;
  /** When something was last said in it. */
  readonly at: number;
  readonly standing: Standing;
  /** Files that it edited, the last one first. */
  readonly edited?: readonly string[];
}

export interface LastLine {
  readonly text: string;
  /** Delivered only if rules and notes leave room. */
  readonly isSpare?: true;
  /** It says more of the session that the first line names. */
  readonly isDetail?: true;
}

/** The most tokens of the whole section with its frame, by a real tokenizer: without and with the optional lines. */
export const MOST_TOKENS = { kept: 185, all: 300 };
/** The section's heading and its sentence on quoted data. */
const FRAME_TOKENS = 25;
const MOST = { name: 16, files: 14, olderName: 12 };
const LONGEST_NAME = 80;
const LONGEST_TEXT = 400;
/** An unanswered request younger than this may still be in progress. */
export const IN_WORK_MS = 10 * 60_000;

/** The order of a session's lines. */
const ORDER: readonly Slot[] = ["asked", "state", "said", "open", "cause", "decided", "goal"];
const LABEL: Record<Slot, string> = {
  asked: "",
  // Facts of tool calls only: what the agent said of them is another line.
  state: "state: ",
  said: "said: ",
  open: "open: ",
  cause: "cause: ",
  decided: "decided: ",
  goal: "goal: ",
};

/** The lines of the last session, one per slot; each of the other sessions gets a single line. */
export function lastSessionsLines(
  [first, ...others]: readonly LastSession[],
  uncommitted: readonly string[] | undefined,
  now: number,
): LastLine[] {
  if (first === undefined) return [];
  const older = others.map(shortLine);
  const head = headOf(first);
  const room = MOST_TOKENS.kept - FRAME_TOKENS - head.cost;
  const spareRoom = MOST_TOKENS.all - MOST_TOKENS.kept - older.reduce((sum, { cost }) => sum + cost, 0);
  const about = aboutOf(first, uncommitted, now);
  const { kept, spare } = standingPieces(
    first.standing,
    about,
    { kept: room, spare: spareRoom },
    LONGEST_TEXT,
  );
  const asked = joined(kept.filter(({ slot }) => slot === "asked"));
  const detail = (text: string) => ({ text, isDetail: true as const });
  return [
    { text: asked === "" ? head.text : `${head.text}. ${asked}` },
    ...slotLines(kept.filter(({ slot }) => slot !== "asked")).map(detail),
    ...slotLines(spare).map((text) => ({ ...detail(text), isSpare: true as const })),
    ...older.map(({ text }) => ({ text, isSpare: true as const })),
  ];
}

interface Line {
  readonly text: string;
  readonly cost: number;
}

function headOf(session: LastSession): Line {
  const { host, at } = session;
  const reference = referenceTo(session, MOST.name);
  const head = `${dayOf(at)} ${host} ${reference.text}`;
  // Two for the mark of the list and the line feed.
  return { text: head, cost: countTokens(`${dayOf(at)} ${host} `) + reference.cost + 2 };
}

function aboutOf(session: LastSession, uncommitted: readonly string[] | undefined, now: number): About {
  const { standing, name, at, edited = [] } = session;
  const changed = filesText(uncommitted ?? []);
  const worked = standing.isOpen ? filesText(edited) : "";
  const files = changed !== "" ? `uncommitted: ${changed}` : worked !== "" ? `worked on: ${worked}` : "";
  return { name, files, isYoung: now - at < IN_WORK_MS, isGitKnown: uncommitted !== undefined };
}

/** One line for each slot with pieces. */
function slotLines(pieces: readonly Piece[]): string[] {
  return ORDER.flatMap((slot) => {
    const text = joined(pieces.filter((one) => one.slot === slot));
    return text === "" ? [] : [`${LABEL[slot]}${text}`];
  });
}

/** A piece that does not end like a sentence is followed by a semicolon. */
function joined(pieces: readonly Piece[]): string {
  let lead = "";
  return pieces.reduce((all, one) => {
    const text = one.lead === undefined || one.lead === lead ? one.text : `${one.lead}${one.text}`;
    lead = one.lead ?? "";
    return all === "" ? text : /[.!?…。！？]$/.test(all) ? `${all} ${text}` : `${all}; ${text}`;
  }, "");
}

function shortLine(session: LastSession): Line {
  const reference = referenceTo(session, MOST.olderName);
  const head = `${dayOf(session.at)} ${session.host} `;
  return { text: head + reference.text, cost: countTokens(head) + reference.cost + 2 };
}

function dayOf(at: number): string {
  return localTime(at).slice(0, 10);
}

/** Names without folders: the agent sees the paths in git. */
function filesText(files: readonly string[]): string {
  const shown: string[] = [];
  for (const file of files) {
    const name = oneLine(basename(file), LONGEST_TEXT);
    if (tokenBound([...shown, name].join(", ")) > MOST.files) break;
    shown.push(name);
  }
  const more = files.length - shown.length;
  if (shown.length === 0) return more === 0 ? "" : count(more, "file");
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/**
 * The text that `query_session` accepts, or that a user can type after `@@`. A cut name still finds its session, by its
 * beginning; an uninformative name is replaced by the id.
 */
function referenceTo({ name, id }: Pick<LastSession, "name" | "id">, most: number): Line {
  const plain = clipToTokens(oneLine(name, LONGEST_NAME).replaceAll('"', "'"), most);
  const text = /[\p{L}\p{N}]/u.test(plain)
    ? `"${plain}"`
    : `${clipToTokens(oneLine(id, LONGEST_NAME), most).replace(/ …$/, "")}`;
  return { text, cost: tokenBound(text) };
}
