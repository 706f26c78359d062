import type { History, SessionFile, TranscriptReader } from "../../../../moments/ports/history.ts";
import type { Moment } from "../../../../moments/types.ts";
import { sizeOf } from "../../../../store/file-size.ts";

export interface SessionHistory {
  readonly reader: TranscriptReader;
  readonly file: SessionFile;
}

/** Where the host keeps the session of this moment; undefined where it keeps none that can be read. */
export function historyOf(
  { session, transcript, cwd }: Pick<Moment, "session" | "transcript" | "cwd">,
  env: NodeJS.ProcessEnv,
  history: History,
): SessionHistory | undefined {
  const reader = history.get(session.host);
  if (reader === undefined) return undefined;
  if (transcript === undefined) return inDatabase(reader, session.id, env);
  const found = sizeOf(transcript);
  const host: string = session.host;
  return found === undefined
    ? undefined
    : { reader, file: { host, id: session.id, path: transcript, cwd, ...found } };
}

/** Hosts with a file for each session name it; OpenCode has one database, and says nothing of it. */
function inDatabase(
  reader: TranscriptReader,
  id: string,
  env: NodeJS.ProcessEnv,
): SessionHistory | undefined {
  if (reader.host !== "opencode") return undefined;
  const file = reader.discover(env).find((one) => one.id === id);
  return file === undefined ? undefined : { reader, file };
}
