import type { SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import { redact } from "../../../store/redact.ts";

/** One step at the end of a session: a request, an answer, or tool calls. */
export interface Said {
  readonly by: "user" | "agent" | "calls";
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
}

export interface SessionEnd {
  /** In order, the last step last. */
  readonly said: readonly Said[];
  /** Files that were edited, the last one first. */
  readonly edited: readonly string[];
  /** Whether these are all steps of the session. */
  readonly isWhole: boolean;
}

/** The second is for sessions that end with long tool outputs. */
const TAILS = [256 * 1024, 2 * 1024 * 1024];
/** Enough for the sentences that are looked for. Secrets are looked for in it, which takes time. */
export const MOST_OF_A_TEXT = 4_000;
/** Longer than keys and addresses are. */
const LONGEST_SECRET = 4_000;

/** The end of a session, from its transcript. `isOver` is asked while reading. */
export function endOfTranscript(
  reader: TranscriptReader,
  file: SessionFile,
  isOver: () => boolean,
): SessionEnd | undefined {
  let end: SessionEnd | undefined;
  for (const tailBytes of TAILS) {
    const reading = reader.read(file, { tailBytes, isOver });
    const turns = [...reading].filter(isOwn);
    const { isCut, failure, from } = reading.report();
    // Cut by the time: its end was not reached, so nothing is known about it.
    if (isCut === true || failure !== undefined) return end;
    end = { said: saidIn(turns), edited: editedIn(turns), isWhole: from === 0 };
    if (end.isWhole || file.key !== undefined || end.said.some(({ by }) => by === "user")) break;
  }
  return end;
}

/** Turns that belong to this session and its current branch. */
function isOwn({ marks }: Turn): boolean {
  return !(marks.sidechain || marks.otherBranch || marks.copied || marks.error || marks.injected);
}

/** Whether a person asked for something in this turn. */
export function isRequest(turn: Turn): boolean {
  return isOwn(turn) && turn.role === "user" && turn.text !== "" && !turn.marks.machineMade;
}

/** Redacted before it is cut: half a secret would not be recognised. */
export function redactedStart(text: string, most: number): string {
  return redact(text.slice(0, most + LONGEST_SECRET)).slice(0, most);
}

function saidIn(turns: readonly Turn[]): Said[] {
  return turns.flatMap((turn): Said[] => {
    const at = turn.at === undefined ? {} : { at: turn.at };
    const text = redactedStart(turn.text, MOST_OF_A_TEXT);
    if (isRequest(turn)) return [{ by: "user", text, ...at }];
    if (turn.role !== "assistant") return [];
    return [
      ...(text.trim() === "" ? [] : [{ by: "agent" as const, text, ...at }]),
      ...(turn.calls.length === 0 ? [] : [{ by: "calls" as const, text: "", ...at }]),
    ];
  });
}

function editedIn(turns: readonly Turn[]): string[] {
  const files = turns.flatMap(({ calls }) => calls.flatMap((call) => call.files));
  const edited = files.filter(({ access }) => access === "edit").map(({ path }) => path);
  return [...new Set(edited.reverse())];
}
