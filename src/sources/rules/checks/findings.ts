import { fingerprint } from "../../../base/fingerprint.ts";
import { optimiseAgain } from "../../../base/v8-flags.ts";
import type { Budget } from "../matching/linear-regex.ts";
import { type Breach, type Judged, MAX_BREACH_TEXT } from "./breach.ts";
import type { RuleCheck } from "./check-set.ts";

/**
 * The step limit per call: once for the checks of the user's own rules, and once more for all others, which cannot use
 * up the former. About a fifth of a second each, whatever the patterns and the text are: a step takes about 10 ns in
 * optimised code.
 */
const MAX_STEPS = 20_000_000;
/** After this many steps, optimising code pays off. */
const LONG_WORK = 500_000;

/** How many places of one check are listed per call. */
const MAX_LISTED = 20;
/** How many places of all checks are listed. Beyond that, each check lists only its first place. */
const MAX_LISTED_IN_ALL = 200;
/** The cost of a listed place, and of one that is only counted. */
const STEPS_PER_LISTED = 1000;
const STEPS_PER_COUNTED = 10;
/** The most checks per call that are reported as incomplete. */
const MAX_UNKNOWN = 20;
/** Lines that differ only after this many characters count as one place. */
const MAX_PLACE_TEXT = 10_000;

/** How many of a project's checks are always made, however slow the machine is. */
const SURE_CHECKS = 100;

export interface JudgeLimits {
  /** Counted instead of timed, so that the result is the same on every machine. */
  readonly steps?: number | CallSteps;
  /** Whether there is no time left for a project's checks. The user's own are always judged. */
  readonly isOver?: () => boolean;
}

export interface JudgeOptions extends JudgeLimits {
  /** Whether a file that a call writes as a whole may be new, if the call does not say. Without this, none may. */
  readonly mayBeNew?: (path: string) => boolean;
}

export interface Place {
  readonly path?: string;
  readonly line?: number;
  readonly text: string;
  readonly mayBeOld?: boolean;
  readonly isHidden?: boolean;
}

/** The steps of one call, shared by everything that examines it. */
export interface CallSteps {
  readonly own: Budget;
  readonly others: Budget;
}

export function stepsForCall(steps = MAX_STEPS): CallSteps {
  return { own: { left: steps }, others: { left: steps } };
}

export function stepsOf({ isUsers }: Pick<RuleCheck, "isUsers">, { own, others }: CallSteps): Budget {
  const budget = isUsers ? own : others;
  if (budget.left < MAX_STEPS - LONG_WORK) optimiseAgain();
  return budget;
}

/** Collects what checks find in one call, answer or stop. */
export class Findings {
  readonly #steps: CallSteps;
  /** Counts of the user's own checks and of others, which cannot take the former's space. */
  readonly #listed = { own: 0, others: 0 };
  readonly #breaches = new Map<string, { readonly listed: Breach[]; more: number }>();
  readonly #unknown = new Map<string, Breach>();
  readonly #occasions = { own: new Set<string>(), others: new Set<string>() };

  readonly #isOver: () => boolean;
  #projects = 0;

  constructor({ steps, isOver = () => false }: JudgeLimits = {}) {
    this.#steps = typeof steps === "object" ? steps : stepsForCall(steps);
    this.#isOver = isOver;
  }

  budgetOf(by: RuleCheck): Budget {
    return stepsOf(by, this.#steps);
  }

  /** Whether a check is skipped because there is no time for it. */
  leavesOut(by: RuleCheck): boolean {
    if (by.isUsers || this.#projects++ < SURE_CHECKS || !this.#isOver()) return false;
    this.unknown(by);
    return true;
  }

  occasion({ ref, isUsers }: RuleCheck): void {
    this.#occasions[isUsers ? "own" : "others"].add(ref);
  }

  /** `placeOf` is called only for a place that is listed. */
  breach(by: RuleCheck, placeOf: () => Place): void {
    const found = this.#breaches.get(by.ref) ?? { listed: [], more: 0 };
    this.#breaches.set(by.ref, found);
    const whose = by.isUsers ? "own" : "others";
    const most = this.#listed[whose] < MAX_LISTED_IN_ALL ? MAX_LISTED : 1;
    const budget = this.budgetOf(by);
    if (found.listed.length >= most) {
      found.more++;
      budget.left -= STEPS_PER_COUNTED;
      return;
    }
    const place = placeOf();
    budget.left -= STEPS_PER_LISTED + Math.min(place.text.length, MAX_PLACE_TEXT);
    this.#listed[whose]++;
    found.listed.push(toBreach(by, place));
  }

  /** The input was too long, or the steps were not enough. */
  unknown(by: RuleCheck, path?: string): void {
    // Earlier findings are more informative.
    if (this.#unknown.has(by.ref) || this.#breaches.has(by.ref)) return;
    this.#unknown.set(by.ref, {
      ...toBreach(by, { text: "", ...(path !== undefined && { path }) }),
      isUnknown: true,
    });
  }

  judged(): Judged {
    const breaches = [...this.#breaches.values()].flatMap(({ listed, more }) =>
      more === 0 ? listed : listed.map((one, i) => (i === listed.length - 1 ? { ...one, more } : one)),
    );
    // The user's own first, because only some are reported. Then those that would have blocked the call, because the
    // user is asked.
    const others = ({ isUsers }: Breach) => (isUsers === true ? 0 : 1);
    const stops = ({ reaction }: Breach) => (reaction === "deny" || reaction === "ask" ? 0 : 1);
    const unknown = [...this.#unknown.values()]
      .sort((a, b) => others(a) - others(b) || stops(a) - stops(b))
      .slice(0, MAX_UNKNOWN);
    const sorted = [...breaches.sort((a, b) => others(a) - others(b)), ...unknown];
    const { own, others: rest } = this.#occasions;
    return {
      breaches: sorted,
      occasions: [...own, ...rest],
      ...(own.size > 0 && { ownOccasions: own.size }),
    };
  }
}

function toBreach(
  { rule, name, check, isUsers }: RuleCheck,
  { path, line, text, mayBeOld, isHidden }: Place,
): Breach {
  const { id, on, reaction, message } = check;
  return {
    rule,
    name,
    check: id,
    on,
    reaction,
    ...(isUsers && { isUsers }),
    ...(message !== undefined && { message }),
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    text: text.slice(0, MAX_BREACH_TEXT),
    place: fingerprint(JSON.stringify([rule, id, path ?? "", text.trim().slice(0, MAX_PLACE_TEXT)])),
    ...(mayBeOld === true && { mayBeOld }),
    ...(isHidden === true && { isHidden }),
  };
}
