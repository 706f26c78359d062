import type { SessionFile, TranscriptReader } from "../../../moments/ports/history.ts";
import { cleanName } from "../../../moments/state/session-name.ts";
import { makeName } from "../indexing/name.ts";
import { isRequest, redactedStart } from "../standing/steps.ts";

const MOST_REQUESTS = 5;
const MOST_TURNS = 200;
const MOST_OF_A_REQUEST = 4_000;

/**
 * The name of a session that is not indexed: the host's title, else one derived from its first requests; "" if there
 * are none.
 */
export function nameOfFile(reader: TranscriptReader, file: SessionFile): string {
  const { title, branch } = reader.headerOf(file);
  const titled = title === undefined ? "" : cleanName(redactedStart(title.text, MOST_OF_A_REQUEST));
  return titled || (makeName({ requests: firstRequests(reader, file), branch }) ?? "");
}

function firstRequests(reader: TranscriptReader, file: SessionFile): string[] {
  const requests: string[] = [];
  let turns = 0;
  for (const turn of reader.read(file, { isOver: () => true })) {
    if (isRequest(turn)) requests.push(redactedStart(turn.text, MOST_OF_A_REQUEST));
    if (requests.length >= MOST_REQUESTS || ++turns >= MOST_TURNS) break;
  }
  return requests;
}
