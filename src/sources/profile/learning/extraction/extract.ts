import type { History, SessionFile, TranscriptReader } from "../../../../moments/ports/history.ts";
import type { Heard, SourceContext } from "../../../../moments/ports/source.ts";
import type { Moment } from "../../../../moments/types.ts";
import { homeAt } from "../../../../store/home.ts";
import { statFile } from "../../../../store/read-file.ts";
import type { Place } from "../profile.ts";
import { tagFor } from "../relevance.ts";
import type { WishMeaning } from "../same-wish.ts";
import { candidatesIn, type Found } from "./candidates.ts";
import type { Progress } from "./progress.ts";
import { recordRepeats } from "./repeats.ts";

/**
 * A host waits for its hook, and a long-running process cannot do anything else meanwhile. What is not read within this
 * time is read at the next idle moment.
 */
const READING_MS = 200;
const READING_IN_HOST_MS = 30;
const FIRST_TURN_MS = 1000;
/** Longer than any line that users type. */
const MAX_LINE_BYTES = 1024 * 1024;
/**
 * After a turn with which this many are found, reading stops and continues at the next idle moment; the end of a
 * session reads everything.
 */
export const PER_MOMENT = 3;
const LOCK_WAIT_MS = 200;

type ExtractMoment = Pick<Moment, "name" | "session" | "project" | "cwd" | "at" | "transcript">;
type ExtractContext = Pick<SourceContext, "env" | "home" | "history" | "knownProject" | "signal"> &
  Partial<Pick<SourceContext, "isOwnProcess" | "tell">>;

/** Turns what the user wrote since the last call into proposals. Undefined if there was nothing to read. */
export async function extract(
  place: Place,
  moment: ExtractMoment,
  before: Progress,
  { env, home, history: loadHistory, knownProject, signal, isOwnProcess, tell }: ExtractContext,
): Promise<Progress | undefined> {
  if (before.isChild || moment.session.parent !== undefined) return undefined;
  const history = historyOf(moment, env, await loadHistory());
  if (history === undefined) return undefined;
  if (before.resumeAt === 0 && history.reader.headerOf(history.file).parent !== undefined)
    return { ...before, isChild: true };
  const { found, ...read } = readNewTurns(
    history,
    before,
    signal,
    moment.name === "end" || isOwnProcess === true ? READING_MS : READING_IN_HOST_MS,
    moment.name === "end" ? Number.POSITIVE_INFINITY : PER_MOMENT,
  );
  const project = tagFor(moment.project, env);
  const { host, id } = moment.session;
  const repeated = await recordRepeats(home, found, { session: `${host}/${id}`, project, at: moment.at });
  const wishes = [...found.filter((one) => !one.isWeak), ...repeated];
  if (wishes.length === 0) return { proposed: before.proposed, ...read };
  const suggested = (await tell?.(wishes.map(heardIn))) ?? [];
  const candidates = wishes.filter(({ evidence }) => !suggested.includes(evidence));
  if (candidates.length === 0) return { proposed: before.proposed, ...read };
  const { isSame, nearest } = await meaningIn(home);
  // Includes the code that changes the seed and its git history, so it is loaded only if there is something to propose.
  const { propose } = await import("../propose.ts");
  const { proposed, skipped } = await propose(
    candidates.toSorted((a, b) => b.confidence - a.confidence),
    {
      place,
      sessionId: id,
      host,
      project,
      projectName: knownProject().name,
      now: moment.at,
      lockWaitMs: LOCK_WAIT_MS,
      coreOf,
      isSame,
      nearest,
    },
  );
  // Read again once some of the pending ones are decided.
  if (skipped.some((one) => one.because === "full")) return undefined;
  return { ...read, proposed: before.proposed + proposed.length };
}

/** For other sources: the whole sentence, as the user typed it. */
function heardIn({ evidence, turn, saidAt, scope }: Found): Heard {
  return { sentence: evidence, turn, at: saidAt, scope };
}

/** Loaded only if there is something to compare: most idle moments have no candidates. */
export async function meaningIn(home: string): Promise<WishMeaning> {
  const [{ sharedMeaning }, { wishMeaning }] = await Promise.all([
    import("../../../../search/meaning/shared.ts"),
    import("../same-wish.ts"),
  ]);
  return wishMeaning(sharedMeaning(homeAt(home)));
}

function readNewTurns(
  { reader, file }: SessionTranscript,
  { resumeAt: from, isWithin = false }: Progress,
  signal: AbortSignal,
  readingMs: number,
  atMost: number,
): { found: Found[]; resumeAt: number; isWithin?: boolean } {
  const begun = Date.now();
  let turns = 0;
  // Even on a busy machine, each idle moment processes at least one turn.
  const isOver = (): boolean =>
    signal.aborted || Date.now() - begun > (turns === 0 ? FIRST_TURN_MS : readingMs);
  const reading = reader.read(file, { from, isWithin, maxLineBytes: MAX_LINE_BYTES, isOver });
  const found: Found[] = [];
  for (const turn of reading) {
    if (isOver() || found.filter((one) => !one.isWeak).length >= atMost)
      return { found, resumeAt: turn.offset };
    turns++;
    found.push(...candidatesIn(turn));
  }
  const report = reading.report();
  return { found, resumeAt: report.resumeAt, ...(report.isWithin === true && { isWithin: true }) };
}

export interface SessionTranscript {
  readonly reader: TranscriptReader;
  readonly file: SessionFile;
}

/** The transcript of this moment's session; undefined if the host has none that can be read. */
function historyOf(
  { session, transcript, cwd }: Pick<Moment, "session" | "transcript" | "cwd">,
  env: NodeJS.ProcessEnv,
  history: History,
): SessionTranscript | undefined {
  const reader = history.get(session.host);
  if (reader === undefined) return undefined;
  if (transcript === undefined) return inDatabase(reader, session.id, env);
  const found = statFile(transcript);
  const host: string = session.host;
  return found === undefined
    ? undefined
    : { reader, file: { host, id: session.id, path: transcript, cwd, ...found } };
}

/** Hosts with one file per session name it in the moment. OpenCode has a single database and does not name it. */
function inDatabase(
  reader: TranscriptReader,
  id: string,
  env: NodeJS.ProcessEnv,
): SessionTranscript | undefined {
  if (reader.host !== "opencode") return undefined;
  const file = reader.discover(env).find((one) => one.id === id);
  return file === undefined ? undefined : { reader, file };
}

/** Words that make an instruction firmer or more polite without changing it. Not "never" and "not". */
const FILLERS = new Set(
  "always please also just you we i should must need to want make sure that the a an in this our repo repository project codebase here from now on going forward".split(
    " ",
  ),
);

/**
 * A normalised value without fillers, so that someone who rejected "always use pnpm in this repo" is not asked about
 * "use pnpm".
 */
export function coreOf(value: string): string {
  const core = value.split(" ").filter((word) => !FILLERS.has(word));
  return core.length === 0 ? value : core.join(" ");
}
