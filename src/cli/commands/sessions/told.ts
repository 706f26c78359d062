import { oneLine } from "../../../base/for-terminal.ts";
import { minute } from "../../../sources/sessions/labels.ts";
import type { Sessions } from "../../../sources/sessions/library.ts";
import type { PastSession } from "../../../sources/sessions/session.ts";

/** A session as `--json` prints it. */
export function told(session: PastSession, sessions: Sessions) {
  const { started, modified, ...rest } = session;
  return {
    ...rest,
    started: new Date(started).toISOString(),
    modified: new Date(modified).toISOString(),
    resume: sessions.resumeLine(session) ?? null,
  };
}

export function heading(session: PastSession): string {
  const where = [session.host, session.label, session.branch].filter((one) => one !== undefined).join(", ");
  const gone = session.isGone ? ", its transcript is gone" : "";
  return `${oneLine(session.name)}  (${oneLine(where)}, ${minute(session.modified)} UTC${gone})`;
}
