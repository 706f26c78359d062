import type { Shows } from "../../moments/types.ts";
import { type LineKind, shownIn } from "../shared/history/shown.ts";

/** Lines of the conversation begin with their parent's id. Those of requests and states have none. */
const INPUT =
  /^\{"parentUuid":(?:null|"[^"]*"),.{0,200}?"isSidechain":false,.{0,200}?(?:"type":"user"|"type":"hook_additional_context"|"role":"user")/s;
const ANSWER = /^\{"parentUuid":(?:null|"[^"]*"),.{0,200}?"isSidechain":false,.{0,200}?"role":"assistant"/s;
/** The host's own words, such as that a request failed. */
const SYNTHETIC = /^.{0,500}"<synthetic>"/s;

/** Inside a text both would have backslashes. */
const TIME = /"uuid":"[0-9a-f-]{36}","timestamp":"([^"]+)"/;
const VERSION = /"sessionId":"[^"]*","version":"(\d+)\.(\d+)\.(\d+)/;

/** From then on it is known that the transcript keeps what hooks gave; 2.0.77 keeps nothing of it. */
const KEEPS_SINCE = [2, 1, 325] as const;

/**
 * Claude Code keeps what hooks gave the model as attachments. What a hook printed is in others, which is not what the model
 * got.
 */
export function shownInTranscript(path: string): Shows {
  return shownIn(path, {
    kindOf(line): LineKind | undefined {
      if (!isKept(line)) return undefined;
      if (INPUT.test(line)) return "input";
      return ANSWER.test(line) && !SYNTHETIC.test(line) ? "answer" : undefined;
    },
    timeOf: (line) => Date.parse(TIME.exec(line)?.[1] ?? "") || undefined,
  });
}

function isKept(line: string): boolean {
  const version = VERSION.exec(line)?.slice(1).map(Number) ?? [];
  const at = KEEPS_SINCE.findIndex((least, i) => version[i] !== least);
  return at === -1 || (version[at] ?? 0) > (KEEPS_SINCE[at] ?? 0);
}
