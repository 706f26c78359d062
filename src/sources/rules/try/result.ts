import { clipWithin, collapse } from "../../../base/text.ts";
import { redact } from "../../../store/redact.ts";
import type { Breach, Judged } from "../checks/breach.ts";
import { type CheckedRule, refOf } from "../checks/check-set.ts";
import type { TriedSession, Unreadable } from "./past-sessions.ts";

/** What checks would have found in past sessions. */
export interface TryResult {
  /** Newest sessions first, each in its own order, one per place and session; at most as many as requested. */
  readonly found: readonly TriedBreach[];
  /** How often a check was applied, and how often it found a breach then. */
  readonly occasions: number;
  readonly broken: number;
  /** Number of places: one edit can have several. A place that is broken again counts again. */
  readonly breaches: number;
  /** How many would have been reported: each place once per session. */
  readonly told: number;
  /** Occasions with texts that were too long to search. */
  readonly unchecked: number;
  readonly checks: readonly CheckCounts[];
  /** Chronological; weeks without an occasion are left out. */
  readonly weeks: readonly WeekCounts[];
  /** How many sessions were read, and out of how many. */
  readonly sessions: number;
  readonly ofSessions: number;
  readonly sessionsBroken: number;
  readonly bytes: number;
  /** Tool calls, and how many of them failed or were refused and therefore break nothing. */
  readonly calls: number;
  readonly failedCalls: number;
  /** Damaged or too long lines, in sessions that were otherwise read. */
  readonly skippedLines: number;
  readonly unreadable: readonly Unreadable[];
  /** Whether it was stopped before everything was read. */
  readonly isCut: boolean;
}

/** A breach in a past session. Its texts are redacted and on one line; the code that shows them escapes them. */
export interface TriedBreach {
  readonly host: string;
  readonly session: string;
  /** The transcript. */
  readonly transcript: TriedSession;
  readonly at?: number;
  readonly rule: string;
  readonly name: string;
  readonly check: string;
  readonly on: Breach["on"];
  readonly path?: string;
  readonly line?: number;
  readonly text: string;
  readonly message?: string;
  /** Further places of the same check in the same call. */
  readonly more?: number;
}

export interface CheckCounts {
  readonly rule: string;
  readonly check: string;
  readonly on: Breach["on"];
  readonly occasions: number;
  readonly broken: number;
  readonly breaches: number;
}

export interface WeekCounts {
  /** The date of its Monday, `2026-11-16`, in UTC. */
  readonly from: string;
  readonly occasions: number;
  readonly broken: number;
  readonly breaches: number;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };

/** How many places of one session are remembered, so that each is shown once. */
const MOST_PLACES = 10_000;
const LONGEST_TEXT = 160;
/** A secret may begin before the end of the shown part. */
const SEARCHED_FOR_SECRETS = 4_000;
const DAY_MS = 24 * 3_600_000;

/** Sums up findings. `most`: how many breaches are kept. */
export function createResult(rules: readonly CheckedRule[], most: number) {
  const found: TriedBreach[] = [];
  const weeks = new Map<number, Changing<WeekCounts>>();
  const checks = new Map<string, Changing<CheckCounts>>(
    rules.flatMap(({ key, checks }) =>
      checks
        .filter(({ on }) => on !== "run")
        .map(({ id, on }) => [
          refOf(key, id),
          { rule: key, check: id, on, occasions: 0, broken: 0, breaches: 0 },
        ]),
    ),
  );
  const sums = { occasions: 0, broken: 0, breaches: 0, told: 0, unchecked: 0, sessionsBroken: 0 };

  /** Collects for one session. */
  function collector(transcript: TriedSession): (judged: Judged, at: number | undefined) => void {
    const places = new Set<string>();
    let isBroken = false;
    return ({ occasions, breaches }, at) => {
      if (occasions.length === 0 && breaches.length === 0) return;
      const week = weekAt(at ?? transcript.file.modified);
      for (const ref of occasions)
        for (const one of [sums, week, checks.get(ref)]) if (one) one.occasions += 1;
      const brokenChecks = new Set<string>();
      for (const breach of breaches) {
        if (breach.isUnknown === true) {
          sums.unchecked += 1;
          continue;
        }
        const ref = refOf(breach.rule, breach.check);
        const counts = [sums, week, checks.get(ref)];
        const count = 1 + (breach.more ?? 0);
        for (const one of counts) if (one) one.breaches += count;
        if (!brokenChecks.has(ref)) for (const one of counts) if (one) one.broken += 1;
        brokenChecks.add(ref);
        if (!isBroken) sums.sessionsBroken += 1;
        isBroken = true;
        const place = `${ref}\n${breach.place}`;
        if (places.has(place)) continue;
        if (places.size < MOST_PLACES) places.add(place);
        sums.told += 1;
        if (found.length < most) found.push(shown(breach, transcript, at));
      }
    };
  }

  function weekAt(time: number): Changing<WeekCounts> {
    const day = Math.floor(time / DAY_MS);
    const monday = day - ((((day + 3) % 7) + 7) % 7); // 1970 began on a Thursday
    const known = weeks.get(monday);
    if (known !== undefined) return known;
    const week = { from: dateOf(monday * DAY_MS), occasions: 0, broken: 0, breaches: 0 };
    weeks.set(monday, week);
    return week;
  }

  return {
    collector,
    sum: () => ({
      ...sums,
      found,
      checks: [...checks.values()],
      weeks: [...weeks].sort(([a], [b]) => a - b).map(([, week]) => week),
    }),
  };
}

function shown(breach: Breach, transcript: TriedSession, at: number | undefined): TriedBreach {
  const { rule, name, check, on, path, line, message, more } = breach;
  return {
    host: transcript.file.host,
    session: transcript.file.id,
    transcript,
    at,
    rule,
    name,
    check,
    on,
    ...(path === undefined ? {} : { path: plain(path) }),
    line,
    text: plain(breach.text),
    message,
    more,
  };
}

/** Redacted before it is cut, because half a secret would not be recognised. */
const plain = (text: string): string =>
  clipWithin(collapse(redact(text.slice(0, SEARCHED_FOR_SECRETS))), LONGEST_TEXT);

/** A wrong clock must not stop the reading. */
function dateOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "unknown" : date.toISOString().slice(0, 10);
}
