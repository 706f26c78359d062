import type { Judged } from "./breach.ts";
import { refOf } from "./check-set.ts";
import { type CheckMemo, MAX_COUNTED, type Seen } from "./memo.ts";

export const FIRST_OCCASIONS = 20;

/** Counts how often every check was applied. */
export function countOccasions(
  before: CheckMemo["seen"],
  { occasions, breaches, ownOccasions = 0 }: Judged,
): CheckMemo["seen"] {
  if (occasions.length === 0) return before;
  const seen: Record<string, Seen> = { ...before };
  const broken = new Set(
    breaches.flatMap(({ rule, check, isUnknown }) => (isUnknown === true ? [] : [refOf(rule, check)])),
  );
  const used = Object.keys(seen).length;
  // A project with many checks leaves space for the user's own.
  const own = new Set(occasions.slice(0, ownOccasions));
  let room = { own: 2 * MAX_COUNTED - used, others: MAX_COUNTED - used };
  for (const check of new Set(occasions)) {
    const known = seen[check];
    if (known === undefined) {
      if (room[own.has(check) ? "own" : "others"] <= 0) continue;
      room = { own: room.own - 1, others: room.others - 1 };
    }
    const [unrecorded, first, times] = known ?? [0, 0, 0];
    const isCounted = first < FIRST_OCCASIONS;
    seen[check] = [
      unrecorded + 1,
      isCounted ? first + 1 : first,
      isCounted && broken.has(check) ? times + 1 : times,
    ];
  }
  return seen;
}

/** Removes an occasion of each of these checks, because it turned out that nothing was checked. */
export function withoutOccasion(seen: CheckMemo["seen"], checks: readonly string[]): CheckMemo["seen"] {
  return withoutCounts(seen, Object.fromEntries(checks.map((check) => [check, 1])));
}

/** Whether a check has now been broken at all of its first occasions. */
export function isAlwaysBroken(check: string, before: CheckMemo["seen"], now: CheckMemo["seen"]): boolean {
  const [, first = 0, times = 0] = now[check] ?? [];
  return first === FIRST_OCCASIONS && times === first && before[check]?.[1] === first - 1;
}

/** The counts that are not in any ledger entry yet. */
export function unrecordedCounts(seen: CheckMemo["seen"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(seen).flatMap(([check, [unrecorded]]) => (unrecorded > 0 ? [[check, unrecorded]] : [])),
  );
}

/** Removes recorded counts. Others may have been counted meanwhile. */
export function withoutCounts(
  seen: CheckMemo["seen"],
  recorded: Readonly<Record<string, number>>,
): CheckMemo["seen"] {
  const left = ([check, [unrecorded, first, times]]: [string, Seen]): [string, Seen] => [
    check,
    [Math.max(0, unrecorded - (recorded[check] ?? 0)), first, times],
  ];
  return Object.fromEntries(Object.entries(seen).map(left));
}
