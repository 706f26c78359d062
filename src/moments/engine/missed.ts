import type { SessionState } from "../state/session-state.ts";
import type { Moment, PastFiles } from "../types.ts";

/**
 * How far before the session's last moment its transcript is looked at: a call is written there when the model makes it,
 * and its moment comes when it has ended.
 */
const LONG_CALL_MS = 10 * 60_000;

/**
 * The moment with what Continuo may have missed: files touched and words said while the host could not reach it. A file
 * that was used since the call is known already; words and names of tools that are known change nothing.
 */
export function withMissed<M extends Moment>(moment: M, state: SessionState | undefined): M {
  if (moment.readPast === undefined) return moment;
  const since = (Date.parse(state?.seenAt ?? "") || 0) - LONG_CALL_MS;
  const { calls, prompts, mentioned = [] } = moment.readPast(since);
  const lastUse = new Map(state?.workingSet.map(({ path, at }) => [path, at]));
  const isNew = (path: string, at: number) => (lastUse.get(path) ?? Number.NEGATIVE_INFINITY) < at;
  const news = <T extends PastFiles>(past: T): T => ({
    ...past,
    files: past.files.filter(({ path }) => isNew(path, past.at)),
  });
  return { ...moment, missed: { calls: calls.map(news), prompts, mentioned: mentioned.map(news) } };
}

/** Files that were touched and that the session's working set does not have yet. */
export function missedFiles({ missed }: Moment): readonly PastFiles[] {
  return [...(missed?.calls ?? []), ...(missed?.mentioned ?? [])];
}

export function hasMissedFiles(moment: Moment): boolean {
  return missedFiles(moment).some(({ files }) => files.length > 0);
}
