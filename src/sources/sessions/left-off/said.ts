import type { SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import type { Turn } from "../../../moments/ports/turn.ts";
import type { SessionSteps } from "../standing/standing.ts";
import { isOwn, stepsIn } from "../standing/steps.ts";

/** The second size is for sessions that end with long tool outputs. */
const TAILS = [256 * 1024, 2 * 1024 * 1024];

/** The end of a session, from its transcript. `isOver` is called while reading. */
export function endOfTranscript(
  reader: TranscriptReader,
  file: SessionFile,
  isOver: () => boolean,
): SessionSteps | undefined {
  let end: SessionSteps | undefined;
  for (const tailBytes of TAILS) {
    const reading = reader.read(file, { tailBytes, isOver });
    const turns = [...reading].filter(isOwn);
    const { isCut, failure, from } = reading.report();
    // Reading ran out of time before the end, so nothing is known about it.
    if (isCut === true || failure !== undefined) return end;
    end = { steps: stepsIn(turns), edited: editedIn(turns), isWhole: from === 0 };
    if (end.isWhole || file.key !== undefined || end.steps.some(({ by }) => by === "user")) break;
  }
  return end;
}

function editedIn(turns: readonly Turn[]): string[] {
  const files = turns.flatMap(({ calls }) => calls.flatMap((call) => call.files));
  const edited = files.filter(({ access }) => access === "edit").map(({ path }) => path);
  return [...new Set(edited.reverse())];
}
