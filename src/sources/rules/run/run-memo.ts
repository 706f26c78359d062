import { isRecord } from "../../../base/json.ts";

/** What is remembered of the commands that rules run in a session. */
export interface RunMemo {
  /** By `rule key#check id`: when its last run was started. Files that were written later have changed. */
  readonly started: Readonly<Record<string, number>>;
  /** A fingerprint of the commands that wait for the person's consent and were named in this session. */
  readonly named: string | null;
}

export const NO_RUNS: RunMemo = { started: {}, named: null };

/** More checks than any rule set has; the memo is read at every hook. */
const MAX_STARTED = 100;

/** As read from the state; a field of the wrong type counts as absent. */
export function readRunMemo(value: unknown): RunMemo {
  if (!isRecord(value)) return NO_RUNS;
  const { started, named } = value;
  const times = isRecord(started) ? Object.entries(started) : [];
  return {
    started: Object.fromEntries(
      times.filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
    ),
    named: typeof named === "string" ? named : null,
  };
}

export function withStarted(memo: RunMemo, ids: readonly string[], at: number): RunMemo {
  return { ...memo, started: latest({ ...memo.started, ...Object.fromEntries(ids.map((id) => [id, at])) }) };
}

/** After another process changed the memo meanwhile: the later start of each check counts. */
export function mergeRunMemo(newest: RunMemo, { started, named }: RunMemo): RunMemo {
  const later = Object.entries(started).filter(([id, at]) => at > (newest.started[id] ?? 0));
  return {
    started: latest({ ...newest.started, ...Object.fromEntries(later) }),
    named: named ?? newest.named,
  };
}

function latest(started: RunMemo["started"]): RunMemo["started"] {
  const all = Object.entries(started);
  return all.length <= MAX_STARTED
    ? started
    : Object.fromEntries(all.sort(([, a], [, b]) => a - b).slice(-MAX_STARTED));
}
