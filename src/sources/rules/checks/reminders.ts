import { count } from "../../../base/when.ts";
import type { Broken } from "../../../moments/state/ledger.ts";
import type { Check } from "../rule.ts";
import type { Breach, Judged } from "./breach.ts";
import { refOf } from "./check-set.ts";
import { lineOf, recordedText, type Tense } from "./lines.ts";
import { type BrokenRule, type CheckMemo, MAX_COUNTED } from "./memo.ts";
import { countOccasions, FIRST_OCCASIONS, isAlwaysBroken } from "./occasions.ts";
import { byCheck, type Edited, KnownPlaces, type Place, placesIn } from "./places.ts";

/** What checks found in a call or a stop, and what else is known about it. */
export interface Happened {
  readonly judged: Judged;
  /** The actual reaction, given trust and the moment. */
  readonly reactionTo: (breach: Breach) => "deny" | "remind" | "report";
  readonly checkOf: (breach: Breach) => Check | undefined;
  readonly tense: Tense;
  readonly tool?: string;
  readonly edits: readonly Edited[];
}

export interface Line {
  readonly key: string;
  /** The rule's name. */
  readonly name: string;
  readonly text: string;
  /** For the user, who sees one short line. */
  readonly found?: { readonly text: string; readonly line?: number };
}

export interface Decision {
  readonly memo: CheckMemo;
  /** The lines for the model. */
  readonly lines: readonly Line[];
  /** The breaches for which the stop is refused. */
  readonly refusals: readonly Breach[];
  readonly entries: readonly Broken[];
  /** Rules that the user is asked about, because three reminders had no effect. */
  readonly questions: readonly { readonly breach: Breach; readonly breaches: number }[];
  /** Checks that match so often that they, or their rules, are probably wrong. */
  readonly noisy: readonly { readonly breach: Breach; readonly why: string }[];
  /** Checks that could not examine all of their input, each once per session. */
  readonly unchecked: readonly Breach[];
}

const MAX_LINES = 5;
const MAX_ENTRIES = 20;
const MAX_REMINDERS = 3;
/** A check that finds this many places in one call counts as noisy. */
const NOISY_PLACES = 30;

const NEVER_BROKEN: BrokenRule = { breaches: 0, reminders: 0 };

/**
 * Decides what happens with breaches. Pure: the engine applies it once more to the newest memo, under the session's
 * lock, to get the memo that is stored. Two simultaneous calls may both be reported; their changes are merged.
 * `mayAsk`: whether the user was really asked about a rule. Only then does the rule count as asked; otherwise the next
 * breach asks.
 */
export function decide(
  memo: CheckMemo,
  happened: Happened,
  mayAsk: (rule: string) => boolean = () => true,
): Decision {
  const { judged, reactionTo, edits } = happened;
  const places = new KnownPlaces(memo.places, edits, judged.breaches);
  const broken = new Map(Object.entries(memo.broken));
  const quiet = new Set(memo.quiet);
  const refusals: Breach[] = [];
  const entries: { readonly own: Broken[]; readonly others: Broken[] } = { own: [], others: [] };
  const noisy: Decision["noisy"][number][] = [];
  const unchecked: Breach[] = [];
  const toRemind = new Map<string, Place[]>();
  const record = (reaction: Broken["reaction"], found: readonly Place[]) => {
    for (const one of found)
      entries[one.breach.isUsers === true ? "own" : "others"].push(entryOf(one, reaction, memo, happened));
  };
  const countBreaches = (rule: string, found: readonly Place[]) => {
    const before = broken.get(rule) ?? NEVER_BROKEN;
    if (broken.size < MAX_COUNTED || broken.has(rule))
      broken.set(rule, { ...before, breaches: before.breaches + placesIn(found) });
  };

  for (const [check, all] of byCheck(judged.breaches)) {
    if (all[0]?.breach.isUnknown === true) {
      if (places.isFirst(`unchecked ${check}`)) unchecked.push(all[0].breach);
      continue;
    }
    const found = all.filter(({ breach }) => !memo.asked.includes(breach.place));
    const [head] = found;
    if (head === undefined) continue;
    const { rule } = head.breach;
    const reaction = reactionTo(head.breach);
    if (reaction !== "remind") {
      countBreaches(rule, found);
      record(reaction, found);
      if (reaction === "deny") refusals.push(...found.map(({ breach }) => breach));
      continue;
    }
    if (quiet.has(check) || broken.get(rule)?.isAsked === true) {
      countBreaches(rule, found);
      record("none", [summed(head, found)]);
      continue;
    }
    const fresh = found.filter((one) => !places.has(one));
    record(
      "none",
      found.filter((one) => places.has(one)),
    );
    const [first] = fresh;
    if (first === undefined) continue;
    countBreaches(rule, fresh);
    for (const one of fresh) places.add(one);
    const many = placesIn(fresh);
    const isNoisy = many >= NOISY_PLACES;
    toRemind.set(rule, [...(toRemind.get(rule) ?? []), ...(isNoisy ? [summed(first, fresh)] : fresh)]);
    if (!isNoisy) continue;
    quiet.add(check);
    noisy.push({ breach: first.breach, why: `it matched ${many} places at once` });
  }

  const reminded: Place[][] = [];
  const questions: Decision["questions"][number][] = [];
  for (const [rule, found] of toRemind) {
    const before = broken.get(rule) ?? NEVER_BROKEN;
    const [first, ...others] = found;
    if (first === undefined) continue;
    if (before.reminders < MAX_REMINDERS || !mayAsk(rule)) {
      reminded.push(found);
      record("remind", found);
      continue;
    }
    broken.set(rule, { ...before, isAsked: true });
    questions.push({ breach: first.breach, breaches: before.breaches });
    record("question", [first]);
    record("none", others);
  }
  const { shown, rest } = chosenLines(reminded);
  for (const rule of new Set(shown.map(({ breach }) => breach.rule))) {
    const before = broken.get(rule) ?? NEVER_BROKEN;
    broken.set(rule, { ...before, reminders: before.reminders + 1 });
  }
  const seen = countOccasions(memo.seen, judged);
  for (const breach of judged.breaches) {
    const ref = refOf(breach.rule, breach.check);
    if (quiet.has(ref) || !isAlwaysBroken(ref, memo.seen, seen)) continue;
    quiet.add(ref);
    noisy.push({ breach, why: `it was broken at each of its first ${FIRST_OCCASIONS} occasions` });
  }
  return {
    memo: {
      ...memo,
      seen,
      broken: Object.fromEntries(broken),
      places: places.toMemo(),
      quiet: [...quiet].slice(-MAX_COUNTED),
    },
    lines: [
      ...shown.map((one) => toLine(one, memo.broken[one.breach.rule]?.reminders ?? 0, happened)),
      ...restLine(rest),
    ],
    refusals,
    entries: [...entries.own, ...entries.others].slice(0, MAX_ENTRIES),
    questions,
    noisy,
    unchecked,
  };
}

/**
 * The memo to store after a decision, based on the newest one, because another process may have stored its own
 * meanwhile.
 */
export function afterDecision(newest: CheckMemo, happened: Happened, { questions }: Decision): CheckMemo {
  const asked = new Set(questions.map(({ breach }) => breach.rule));
  return decide(newest, happened, (rule) => asked.has(rule)).memo;
}

/** One place that represents all of them. */
function summed(head: Place, all: readonly Place[]): Place {
  return { ...head, more: placesIn(all) - 1 };
}

/** One line for each rule before a second line for any. */
function chosenLines(reminded: readonly (readonly Place[])[]): { shown: Place[]; rest: Place[] } {
  const inTurn = [...reminded.map((all) => all.slice(0, 1)), ...reminded.map((all) => all.slice(1))].flat();
  return { shown: inTurn.slice(0, MAX_LINES), rest: inTurn.slice(MAX_LINES) };
}

function toLine({ breach, more }: Place, reminders: number, { checkOf, tense }: Happened): Line {
  // For a command that found problems, the text is the command itself.
  const text = breach.on === "run" ? "" : recordedText(breach);
  return {
    // A place that is reported again later gets a new line.
    key: `broken/${breach.place}/${reminders + 1}`,
    name: breach.name,
    text: lineOf(breach, checkOf(breach), tense, more),
    ...(text === "" ? {} : { found: { text, line: breach.line } }),
  };
}

function restLine(rest: readonly Place[]): Line[] {
  const [first] = rest;
  if (first === undefined) return [];
  const text = `and ${count(placesIn(rest), "more place")}`;
  return [{ key: `broken/${first.breach.place}/rest`, name: "more broken rules", text }];
}

export function entryOf(
  { breach, more }: Place,
  reaction: Broken["reaction"],
  memo: CheckMemo,
  { tool }: Pick<Happened, "tool">,
): Broken {
  const { rule, name, check, on, path, line } = breach;
  return {
    kind: "broken",
    ...{ rule, name, check, on, reaction },
    ...(tool === undefined ? {} : { tool }),
    ...(path === undefined ? {} : { path }),
    ...(line === undefined ? {} : { line }),
    text: recordedText(breach),
    ...(more > 0 ? { more } : {}),
    ...(memo.isCompacted ? { isAfterCompaction: true } : {}),
    ...((memo.broken[rule]?.reminders ?? 0) > 0 ? { isAfterReminder: true } : {}),
  };
}
