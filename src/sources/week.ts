import type { WeekNumbers, Weeks } from "../moments/ports/week.ts";
import type { LedgerLine } from "../moments/state/ledger.ts";
import { eachEntry } from "../moments/state/ledger-files.ts";
import { receivedOf } from "../moments/state/received.ts";
import type { Home } from "../store/home.ts";
import { createFigures, WEEK_MS } from "./rules/report/figures.ts";

/** The last seven days and the seven before, to the millisecond, from the ledger. */
export async function weeksUntil(home: Home, now: number): Promise<Weeks> {
  const weeks = [counting(now), counting(now)] as const;
  const having = ["delivered", "replayed", "broken", "looked"].map((kind) => `"kind":"${kind}"`);
  const lines: [line: LedgerLine, at: number][] = [];
  await eachEntry(home, { since: now - 2 * WEEK_MS, having }, (line, at) => void lines.push([line, at]));
  const { isMissing } = receivedOf(lines.map(([line]) => line));
  for (const [line, at] of lines)
    if (line.kind !== "looked" && !(line.kind === "delivered" && isMissing(line)))
      weeks[now - at < WEEK_MS ? 0 : 1].add(line, at);
  const [last, before] = weeks.map((week) => week.sum());
  return { lastWeek: last ?? NOTHING, ...(before === undefined ? {} : { weekBefore: before }) };
}

const NOTHING: WeekNumbers = { given: 0, broken: 0, stopped: 0, resumed: 0, tokens: 0 };

type Figures = ReturnType<typeof createFigures>;

function counting(now: number): { readonly add: Figures["add"]; sum(): WeekNumbers | undefined } {
  const figures = createFigures({ now, projectOf: (id) => id });
  const resumed = new Set<string>();
  let tokens = 0;
  let isEmpty = true;
  return {
    add(line, at) {
      isEmpty = false;
      figures.add(line, at);
      if (line.kind === "delivered" && Number.isSafeInteger(line.tokens)) tokens += Math.max(0, line.tokens);
      const isResumed =
        line.kind === "replayed" ||
        (line.kind === "delivered" && (line.moment === "resume" || hasNamedSession(line.items)));
      if (isResumed) resumed.add(`${line.host}\n${line.session}`);
    },
    sum() {
      if (isEmpty) return undefined;
      const { rules } = figures.sum();
      const all = (of: (rule: (typeof rules)[number]) => number) =>
        rules.reduce((sum, one) => sum + of(one), 0);
      return {
        given: all(({ sessions }) => sessions),
        broken: all(({ broken }) => broken),
        stopped: all(({ refused, asked }) => refused + asked),
        resumed: resumed.size,
        tokens,
      };
    },
  };
}

/** A past session named in a prompt has the key `host/id`. The ledger may be damaged. */
const NAMED = /^(?!left-off\/|unresolved\/)[^/]+\/./;

function hasNamedSession(items: unknown): boolean {
  return (
    Array.isArray(items) && items.some((item) => item?.source === "sessions" && NAMED.test(String(item.key)))
  );
}
