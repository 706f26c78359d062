import { type Automaton, readRegex, toAutomaton } from "./automaton.ts";

/** The steps left for matching. Counted instead of timed, so that the result is the same on every machine. */
export interface Budget {
  left: number;
}

export interface Finder {
  /** Whether a text contains the pattern; "unknown" if the budget ran out first. */
  (text: string, budget: Budget): boolean | "unknown";
  /** The size of its automaton. */
  readonly states: number;
  /** Its approximate current memory, which grows because it caches results. */
  readonly bytes: () => number;
}

interface FinderOptions {
  readonly maxStates: number;
  readonly ignoreCase: boolean;
  /** Whether `(?=` and `(?!` are allowed. Compiled globs need them; checks must not use them. */
  readonly lookahead: boolean;
}

/** For the patterns of checks. */
export const CHECK_OPTIONS: FinderOptions = { maxStates: 5000, ignoreCase: false, lookahead: false };
export const MAX_PATTERN = 1000;

/**
 * Compiles a regular expression to a function that searches a text in time O(automaton size × text length). It follows
 * all ways of matching at once. JavaScript's engine backtracks and can take hours even for `curl.*\|.*sh`. The results
 * are the same as JavaScript's (a test compares them). Returns undefined for an expression that is invalid, too large
 * or not regular.
 */
export function toFinder(source: string, options: FinderOptions = CHECK_OPTIONS): Finder | undefined {
  if (options === CHECK_OPTIONS && source.length > MAX_PATTERN) return undefined;
  const tree = readRegex(source, options.lookahead);
  const automaton = tree && toAutomaton(tree, options.maxStates, options.ignoreCase);
  if (automaton === undefined) return undefined;
  let simulation: Simulation | undefined; // created on first use: most finders only check that the pattern is accepted
  const find = (text: string, budget: Budget): boolean | "unknown" => {
    simulation ??= new Simulation(automaton);
    return simulation.finds(text, budget);
  };
  const states = automaton.states.length;
  const bytes = () => FINDER_BYTES + states * STATE_BYTES + (simulation?.frontBytes() ?? 0);
  return Object.assign(find, { states, bytes });
}

/** Measured in Node 24: a finder without states, a state with its links, a front without its members. */
const FINDER_BYTES = 4000;
const STATE_BYTES = 150;
const FRONT_BYTES = 2000;

/** The set of states from which a match can be completed at one position, with links to the sets one character earlier. */
interface Front {
  readonly members: Uint8Array;
  readonly isMatch: boolean;
  before: Map<number, Front> | undefined;
  /**
   * The same for ASCII characters, by code, plus 128 at a word boundary: the common case. A text built to be slow gives
   * each front only one link, so the first link has its own field and the list is created for the second.
   */
  firstKey: number;
  first: Front | undefined;
  plain: (Front | undefined)[] | undefined;
}

/** Limits on cached fronts. A text built to exceed them pays for each front again. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_STEPS = 20_000;

/** The extra cost of creating a front, relative to reading a character whose front is known. */
const FRONT_STEPS = 200;

const NO_LINKS = { before: undefined, firstKey: -1, first: undefined, plain: undefined };

const NONE: number[] = [];

const AT_START = 1;
const AT_END = 2;
const AT_EDGE = 4;

/**
 * Reads a text backwards. In that direction a lookahead is decided at its own position, because the text after it has
 * already been read.
 */
class Simulation {
  readonly #automaton: Automaton;
  /** For each state, the states that lead to it without consuming a character. */
  readonly #leading: readonly (readonly number[])[];
  /** By depth: the states that consume a character. */
  readonly #consuming: readonly (readonly number[])[];
  readonly #usesEdges: boolean;
  readonly #fronts = new Map<string, Front>();
  #first = new Map<number, Front>();
  /** In bytes, including its name. */
  readonly #frontSize: number;
  readonly #maxFronts: number;
  #keptSteps = 0;

  constructor(automaton: Automaton) {
    const { states, maxDepth } = automaton;
    this.#automaton = automaton;
    const leading: number[][] = Array.from({ length: states.length }, () => NONE);
    const consuming: number[][] = Array.from({ length: maxDepth + 1 }, () => []);
    states.forEach((state, i) => {
      if (state.test !== undefined) consuming[state.depth]?.push(i);
      else
        for (const to of state.to) {
          const known = leading[to] ?? NONE;
          // Most have at most one: an array that grows by push would reserve space for many.
          if (known === NONE) leading[to] = [i];
          else known.push(i);
        }
    });
    this.#leading = leading;
    this.#consuming = consuming;
    this.#usesEdges = states.some(({ at }) => at === "edge" || at === "inside");
    this.#frontSize = FRONT_BYTES + Math.ceil(states.length * 1.125);
    this.#maxFronts = Math.max(2, Math.floor(MAX_KEPT_BYTES / this.#frontSize));
  }

  frontBytes(): number {
    return this.#fronts.size * this.#frontSize;
  }

  finds(text: string, budget: Budget): boolean | "unknown" {
    let front = this.#step(undefined, -1, this.#place(text, text.length), budget);
    for (let index = text.length - 1; index >= 0 && !front.isMatch; index--) {
      if (--budget.left < 0) return "unknown";
      const unit = text.charCodeAt(index);
      const place = this.#place(text, index);
      const known: Front | undefined = isPlain(unit, place)
        ? plainBefore(front, plainKey(unit, place))
        : undefined;
      front = known ?? this.#step(front, unit, place, budget);
    }
    return budget.left < 0 ? "unknown" : front.isMatch;
  }

  #place(text: string, index: number): number {
    let place = 0;
    if (index === 0) place |= AT_START;
    if (index === text.length) place |= AT_END;
    if (this.#usesEdges && isWord(text, index - 1) !== isWord(text, index)) place |= AT_EDGE;
    return place;
  }

  #step(after: Front | undefined, unit: number, place: number, budget: Budget): Front {
    const key = (unit + 1) * 8 + place;
    const before = (after === undefined ? this.#first : after.before)?.get(key);
    if (before !== undefined) return before;
    const members = this.#members(after, unit, place, budget);
    const name = nameOf(members);
    budget.left -= FRONT_STEPS + (members.length >> 3);
    let front = this.#fronts.get(name);
    if (this.#fronts.size >= this.#maxFronts || ++this.#keptSteps > MAX_KEPT_STEPS) {
      this.#fronts.clear();
      this.#first = new Map();
      for (const one of [after, front]) if (one !== undefined) Object.assign(one, NO_LINKS);
      this.#keptSteps = 0;
    }
    if (front === undefined) {
      front = { members, isMatch: members[this.#automaton.start] === 1, ...NO_LINKS };
      this.#fronts.set(name, front);
    }
    if (after === undefined) this.#first.set(key, front);
    else if (isPlain(unit, place)) linkPlain(after, plainKey(unit, place), front);
    else {
      after.before ??= new Map();
      after.before.set(key, front);
    }
    return front;
  }

  #members(after: Front | undefined, unit: number, place: number, budget: Budget): Uint8Array {
    const { states, ends, maxDepth } = this.#automaton;
    const members = new Uint8Array(states.length);
    let steps = 0;
    for (let depth = maxDepth; depth >= 0; depth--) {
      const open = ends.filter((end) => states[end]?.depth === depth);
      for (const end of open) members[end] = 1;
      if (after !== undefined) {
        for (const one of this.#consuming[depth] ?? []) {
          const state = states[one];
          steps++;
          if (after.members[state?.to[0] ?? 0] !== 1 || !state?.test?.(unit)) continue;
          members[one] = 1;
          open.push(one);
        }
      }
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        for (const leader of this.#leading[one] ?? []) {
          steps++;
          if (members[leader] === 1 || !this.#leadsOn(leader, members, place)) continue;
          members[leader] = 1;
          open.push(leader);
        }
      }
    }
    budget.left -= steps;
    return members;
  }

  #leadsOn(one: number, members: Uint8Array, place: number): boolean {
    const { at, ahead } = this.#automaton.states[one] ?? {};
    if (ahead !== undefined) return (members[ahead.start] === 1) !== ahead.isNegative;
    switch (at) {
      case undefined:
        return true;
      case "start":
        return (place & AT_START) !== 0;
      case "end":
        return (place & AT_END) !== 0;
      case "edge":
        return (place & AT_EDGE) !== 0;
      case "inside":
        return (place & AT_EDGE) === 0;
    }
  }
}

/** A map key for a set of states: eight states per character. */
function nameOf(members: Uint8Array): string {
  const units = new Uint8Array(Math.ceil(members.length / 8));
  for (let i = 0; i < members.length; i++) {
    if (members[i] === 1) units[i >> 3] = (units[i >> 3] ?? 0) | (1 << (i & 7));
  }
  let name = "";
  for (let i = 0; i < units.length; i += 4096) name += String.fromCharCode(...units.subarray(i, i + 4096));
  return name;
}

const isPlain = (unit: number, place: number) => unit < 128 && (place & (AT_START | AT_END)) === 0;
const plainKey = (unit: number, place: number) => (place === AT_EDGE ? unit + 128 : unit);

function plainBefore(front: Front, key: number): Front | undefined {
  return front.firstKey === key ? front.first : front.plain?.[key];
}

function linkPlain(after: Front, key: number, front: Front): void {
  if (after.firstKey === -1) {
    after.firstKey = key;
    after.first = front;
    return;
  }
  after.plain ??= [];
  after.plain[key] = front;
}

const WORD_UNITS = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(/\w/.test(String.fromCharCode(unit))),
);

function isWord(text: string, index: number): boolean {
  return index >= 0 && WORD_UNITS[text.charCodeAt(index)] === 1;
}
