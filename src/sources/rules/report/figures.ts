import { isRecord } from "../../../base/json.ts";
import type { Broken, LedgerLine } from "../../../moments/state/ledger.ts";
import { scopeOfKey } from "../files/folders.ts";

const DAY_MS = 24 * 3_600_000;
export const WEEK_MS = 7 * DAY_MS;

/** The ledger's figures for one rule. */
export interface RuleFigures {
  /** The rule's key. */
  readonly key: string;
  /** Its most recent name in the ledger. */
  readonly name: string;
  /** The project's id; undefined for a user's rule, which counts once for all projects. */
  readonly project?: string;
  /** The number of sessions that got it. */
  readonly sessions: number;
  /** How often one of its checks was applied. */
  readonly occasions: number;
  /** How often one of its commands could not do its work. These are not occasions. */
  readonly noResult: number;
  /** At how many of these occasions it was broken. */
  readonly broken: number;
  /** The number of places at which it was broken: one edit can break a rule several times. */
  readonly breaches: number;
  readonly afterCompaction: number;
  readonly afterReminder: number;
  /** Calls and stops that were refused, and those that the user was asked about. */
  readonly refused: number;
  readonly asked: number;
  /** Periods of seven days, the latest first. */
  readonly weeks: readonly WeekFigures[];
}

export interface WeekFigures {
  readonly occasions: number;
  readonly broken: number;
  readonly breaches: number;
}

export interface Figures {
  readonly rules: readonly RuleFigures[];
  /** Sessions with any entry about rules, and their hosts. */
  readonly sessions: number;
  readonly hosts: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
  /** The oldest entry that was counted. */
  readonly first: number | undefined;
  /** How many rules were not counted, because there are too many. */
  readonly left: number;
}

interface FiguresOptions {
  readonly now: number;
  /** The project for which entries with this id count, for example another clone's; undefined if they do not count. */
  readonly projectOf: (id: string) => string | undefined;
}

type Changing<T> = { -readonly [K in keyof T]: T[K] };
interface Counting extends Omit<Changing<RuleFigures>, "sessions" | "weeks"> {
  readonly given: Numbers;
  readonly weeks: Changing<WeekFigures>[];
  /** The last call or stop that broke it, and which of its checks, because several entries may be about one. */
  last: { readonly call: string; readonly checks: Set<string>; isRefused: boolean };
}

/** Limited, because keys come from repositories. */
const MOST_RULES = 20_000;
const MOST_WEEKS = 53;

/** Sums up any number of ledger entries: memory grows with rules and sessions, not with entries. */
export function createFigures({ now, projectOf }: FiguresOptions): {
  add(line: LedgerLine, at: number): void;
  sum(): Figures;
} {
  const rules = new Map<string, Counting>();
  const left = new Set<string>();
  const sessions = new Map<string, number>();
  const hosts = new Set<string>();
  const projects = new Set<string>();
  let first: number | undefined;

  const ruleOf = (project: string, key: string, name: string): Counting | undefined => {
    const scope = scopeOfKey(key);
    if (scope === undefined) return undefined; // a line about rules in general, such as one for rules on request
    const own = scope === "global" ? {} : { project };
    const id = `${scope === "global" ? "" : project}\n${key}`;
    let rule = rules.get(id);
    if (rule === undefined) {
      if (rules.size >= MOST_RULES) {
        if (left.size < MOST_RULES) left.add(id);
        return undefined;
      }
      rule = { key, name, ...own, ...NONE, given: createNumbers(), weeks: [], last: lastOf("") };
      rules.set(id, rule);
    }
    if (name !== "") rule.name = name;
    return rule;
  };

  return {
    add(line, at) {
      const project = projectOf(line.project);
      if (project === undefined || Number.isNaN(at)) return;
      if (line.kind !== "delivered" && line.kind !== "broken" && line.kind !== "checked") return;
      const session = numberOf(sessions, `${line.host}\n${line.session}`);
      hosts.add(line.host);
      projects.add(project);
      first = Math.min(first ?? at, at);
      const week = Math.floor((now - at) / WEEK_MS);
      if (line.kind === "delivered") {
        for (const item of listed(line.items)) {
          if (item.source !== "rules" || item.withdraws === true || typeof item.key !== "string") continue;
          ruleOf(project, item.key, plainTitle(item.title))?.given.add(session);
        }
      } else if (line.kind === "checked") {
        for (const [check, count] of Object.entries(isRecord(line.counts) ? line.counts : {})) {
          const rule = ruleOf(project, keyOf(check), "");
          if (rule === undefined || !isCount(count)) continue;
          rule.occasions += count;
          weekOf(rule, week).occasions += count;
        }
        for (const [check, count] of Object.entries(isRecord(line.noResult) ? line.noResult : {})) {
          const rule = ruleOf(project, keyOf(check), "");
          if (rule === undefined || !isCount(count)) continue;
          rule.noResult += count;
          rule.occasions -= count;
          weekOf(rule, week).occasions -= count;
        }
      } else if (typeof line.rule === "string") {
        const rule = ruleOf(project, line.rule, String(line.name));
        if (rule !== undefined) addBroken(rule, line, `${session} ${line.at}`, week);
      }
    },
    sum: () => ({
      rules: [...rules.values()].map(figuresOf),
      sessions: sessions.size,
      hosts,
      projects,
      first,
      left: left.size,
    }),
  };
}

const NONE = {
  occasions: 0,
  noResult: 0,
  broken: 0,
  breaches: 0,
  afterCompaction: 0,
  afterReminder: 0,
  refused: 0,
  asked: 0,
};

const lastOf = (call: string): Counting["last"] => ({ call, checks: new Set(), isRefused: false });

function addBroken(rule: Counting, line: Broken, call: string, week: number): void {
  if (call !== rule.last.call) rule.last = lastOf(call);
  const { last } = rule;
  const sums = weekOf(rule, week);
  const isRefused = line.reaction === "deny" || line.reaction === "ask";
  if (!last.checks.has(line.check)) {
    last.checks.add(line.check);
    rule.broken += 1;
    sums.broken += 1;
    // A refused call was never made, so it is not counted among the occasions afterwards.
    if (line.reaction === "deny" && line.tool !== undefined) {
      rule.occasions += 1;
      sums.occasions += 1;
    }
  }
  if (isRefused && !last.isRefused) rule[line.reaction === "deny" ? "refused" : "asked"] += 1;
  if (isRefused) last.isRefused = true;
  const places = 1 + (isCount(line.more) ? line.more : 0);
  rule.breaches += places;
  sums.breaches += places;
  if (line.isAfterCompaction === true) rule.afterCompaction += places;
  if (line.isAfterReminder === true) rule.afterReminder += places;
}

function weekOf(rule: Counting, week: number): Changing<WeekFigures> {
  const at = Math.min(Math.max(week, 0), MOST_WEEKS);
  while (rule.weeks.length <= at) rule.weeks.push({ occasions: 0, broken: 0, breaches: 0 });
  return rule.weeks[at] ?? { occasions: 0, broken: 0, breaches: 0 };
}

function figuresOf({ given, last, ...figures }: Counting): RuleFigures {
  const occasions = Math.max(0, figures.occasions);
  return { ...figures, occasions, sessions: given.size() };
}

function numberOf(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  numbers.set(key, numbers.size);
  return numbers.size - 1;
}

/** `rule key#check id`: an id contains no `#`, but a file's name may. */
const keyOf = (check: string): string => check.slice(0, Math.max(0, check.lastIndexOf("#"))) || check;

/** Without the number of a piece of a long rule. */
const plainTitle = (title: unknown): string =>
  typeof title === "string" ? title.replace(/ \(part \d+ of \d+\)$/, "") : "";

const listed = <T>(items: readonly T[]): readonly T[] =>
  Array.isArray(items) ? items.filter((item: T) => isRecord(item)) : [];
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** A set of small integers, one bit each: a thousand rules and ten thousand sessions take a megabyte. */
interface Numbers {
  add(number: number): void;
  size(): number;
}

export function createNumbers(): Numbers {
  let bits = new Uint8Array(8);
  let size = 0;
  return {
    add(number) {
      const at = number >> 3;
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(bits.length * 2, at + 1));
        larger.set(bits);
        bits = larger;
      }
      const before = bits[at] ?? 0;
      const after = before | (1 << (number & 7));
      if (after === before) return;
      bits[at] = after;
      size++;
    },
    size: () => size,
  };
}
