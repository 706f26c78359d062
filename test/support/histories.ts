import { loadHistory } from "../../src/hosts/index.ts";
import type { Discovery, SessionFile, TranscriptReader } from "../../src/moments/ports/history.ts";

export const history = await loadHistory();

export function readerOf(host: string): TranscriptReader {
  const reader = history.get(host);
  if (reader === undefined) throw new Error(`no reader for ${host}`);
  return reader;
}

/** The sessions of all hosts that have transcripts on this machine. */
export const discoverSessions = (env: NodeJS.ProcessEnv, options: Discovery = {}): SessionFile[] =>
  [...history.values()].flatMap((reader) => reader.discover(env, options));

export const lastRequest = (host: string, path: string) => readerOf(host).lastRequest?.(path);
