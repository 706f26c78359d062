import { fingerprint } from "../../../base/fingerprint.ts";
import type { Budget } from "../matching/linear-regex.ts";
import type { Breach, Judged } from "./breach.ts";
import type { RuleCheck } from "./check-set.ts";

/** For all checks of a call together: a few tenths of a second. */
const MAX_STEPS = 40_000_000;

/** Places of one check that are listed for one call. */
const MAX_LISTED = 20;
/** Checks that could not look at everything, of one call. */
const MAX_UNKNOWN = 20;
/** More of an offending line is never shown. */
const MAX_TEXT = 1000;

/** So many of a project's checks are made however slow the machine is. */
const SURE_CHECKS = 100;

export interface JudgeLimits {
  /** Counted instead of timed, so that the result is the same on every machine. */
  readonly steps?: number;
  /** Whether there is no time left for a project's checks. The user's own are always judged. */
  readonly isOver?: () => boolean;
}

export interface JudgeOptions extends JudgeLimits {
  /** Whether a file that a call gives as a whole may be new, if the call does not say. Without it, no file may. */
  readonly mayBeNew?: (path: string) => boolean;
}

export interface Place {
  readonly path?: string;
  readonly line?: number;
  readonly text: string;
  readonly mayBeOld?: boolean;
}

/** Of one call, for all that looks at it. */
export function stepsForCall(): Budget {
  return { left: MAX_STEPS };
}

/** Collects what checks find in one call, answer or stop. */
export class Findings {
  readonly budget: Budget;
  readonly #breaches = new Map<string, { readonly listed: Breach[]; more: number }>();
  readonly #unknown = new Map<string, Breach>();
  readonly #occasions = new Set<string>();

  readonly #isOver: () => boolean;
  #projects = 0;

  constructor({ steps = MAX_STEPS, isOver = () => false }: JudgeLimits = {}) {
    this.budget = { left: steps };
    this.#isOver = isOver;
  }

  /** Whether a check is left out because there is no time for it. */
  leavesOut(by: RuleCheck): boolean {
    if (by.isUsers === true || this.#projects++ < SURE_CHECKS || !this.#isOver()) return false;
    this.unknown(by);
    return true;
  }

  occasion({ ref }: RuleCheck): void {
    this.#occasions.add(ref);
  }

  breach(by: RuleCheck, place: Place): void {
    const found = this.#breaches.get(by.ref) ?? { listed: [], more: 0 };
    this.#breaches.set(by.ref, found);
    if (found.listed.length < MAX_LISTED) found.listed.push(toBreach(by, place));
    else found.more++;
  }

  /** The input was too long, or the steps did not suffice. */
  unknown(by: RuleCheck, path?: string): void {
    if (this.#unknown.has(by.ref)) return;
    this.#unknown.set(by.ref, {
      ...toBreach(by, { text: "", ...(path !== undefined && { path }) }),
      isUnknown: true,
    });
  }

  judged(): Judged {
    const breaches = [...this.#breaches.values()].flatMap(({ listed, more }) =>
      more === 0 ? listed : listed.map((one, i) => (i === listed.length - 1 ? { ...one, more } : one)),
    );
    // Those that would have stopped the call come first: the person is asked instead.
    const stops = ({ reaction }: Breach) => (reaction === "deny" || reaction === "ask" ? 0 : 1);
    const unknown = [...this.#unknown.values()].sort((a, b) => stops(a) - stops(b)).slice(0, MAX_UNKNOWN);
    return { breaches: [...breaches, ...unknown], occasions: [...this.#occasions] };
  }
}

function toBreach({ rule, name, check }: RuleCheck, { path, line, text, mayBeOld }: Place): Breach {
  const { id, on, reaction, message } = check;
  return {
    rule,
    name,
    check: id,
    on,
    reaction,
    ...(message !== undefined && { message }),
    ...(path !== undefined && { path }),
    ...(line !== undefined && { line }),
    text: text.slice(0, MAX_TEXT),
    place: fingerprint(JSON.stringify([rule, id, path ?? "", text.trim()])),
    ...(mayBeOld === true && { mayBeOld }),
  };
}
