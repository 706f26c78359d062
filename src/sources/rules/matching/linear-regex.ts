import { type Automaton, toAutomaton } from "./automaton.ts";
import { readRegex } from "./regex-tree.ts";

/** Steps that matching may still take. They are counted, not timed: the same input gives the same answer on any machine. */
export interface Budget {
  left: number;
}

/** Whether a text holds the pattern; "unknown" when the budget ended before that was clear. */
export type Finder = (text: string, budget: Budget) => boolean | "unknown";

export interface Reading {
  readonly maxStates: number;
  readonly ignoreCase: boolean;
  /** Whether `(?=` and `(?!` are understood. Rule authors get along without; what globs are compiled to does not. */
  readonly lookahead: boolean;
}

const GUARD: Reading = { maxStates: 5000, ignoreCase: false, lookahead: false };
const MAX_PATTERN = 1000;

/**
 * Makes of a regular expression a function that tells whether a text holds it, in time that grows at most with the
 * automaton's size times the text's length: all ways of matching are followed at once, where JavaScript's own engine tries
 * one after the other and can take hours for an innocent `curl.*\|.*sh`. It means what JavaScript means (a test holds both
 * equal). undefined for what is no regular expression, is too large, or is not regular.
 */
export function toFinder(source: string, reading: Reading = GUARD): Finder | undefined {
  if (reading === GUARD && source.length > MAX_PATTERN) return undefined;
  const tree = readRegex(source, reading.lookahead);
  const automaton = tree && toAutomaton(tree, reading.maxStates, reading.ignoreCase);
  if (automaton === undefined) return undefined;
  let simulation: Simulation | undefined; // most finders are made only to see whether the pattern is taken
  return (text, budget) => {
    simulation ??= new Simulation(automaton);
    return simulation.finds(text, budget);
  };
}

/** The states from which a match can be completed at some place of a text, and what they become one character before. */
interface Front {
  readonly members: Uint8Array;
  readonly isMatch: boolean;
  readonly before: Map<number, Front>;
  /** The same for ASCII inside the text, by its code, with 128 added at a word's edge: that is most of every text. */
  readonly plain: (Front | undefined)[];
}

/** What is kept for reuse stays small; a text made to need more of it pays for each front anew. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const MAX_KEPT_STEPS = 20_000;

const AT_START = 1;
const AT_END = 2;
const AT_EDGE = 4;

/**
 * Goes through a text from its end to its beginning. In that direction a lookahead is decided where it stands, from what
 * is already known about the text behind it.
 */
class Simulation {
  readonly #automaton: Automaton;
  /** For each state those that lead to it without a character, apart from a lookahead's look. */
  readonly #leading: readonly (readonly number[])[];
  /** By depth: the states that are past a character. */
  readonly #consuming: readonly (readonly number[])[];
  readonly #usesEdges: boolean;
  readonly #fronts = new Map<string, Front>();
  #first = new Map<number, Front>();
  readonly #maxFronts: number;
  #keptSteps = 0;

  constructor(automaton: Automaton) {
    const { states, maxDepth } = automaton;
    this.#automaton = automaton;
    const leading: number[][] = states.map(() => []);
    const consuming: number[][] = Array.from({ length: maxDepth + 1 }, () => []);
    states.forEach((state, i) => {
      if (state.test !== undefined) consuming[state.depth]?.push(i);
      else for (const to of state.to) leading[to]?.push(i);
    });
    this.#leading = leading;
    this.#consuming = consuming;
    this.#usesEdges = states.some(({ at }) => at === "edge" || at === "inside");
    this.#maxFronts = Math.max(2, Math.floor(MAX_KEPT_BYTES / states.length));
  }

  finds(text: string, budget: Budget): boolean | "unknown" {
    let front = this.#step(undefined, -1, this.#place(text, text.length), budget);
    for (let index = text.length - 1; index >= 0 && !front.isMatch; index--) {
      if (--budget.left < 0) return "unknown";
      const unit = text.charCodeAt(index);
      const place = this.#place(text, index);
      const known: Front | undefined = isPlain(unit, place) ? front.plain[plainKey(unit, place)] : undefined;
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
    const known = after?.before ?? this.#first;
    const key = (unit + 1) * 8 + place;
    const before = known.get(key);
    if (before !== undefined) return before;
    const members = this.#members(after, unit, place, budget);
    const name = nameOf(members);
    budget.left -= members.length >> 3;
    let front = this.#fronts.get(name);
    if (this.#fronts.size >= this.#maxFronts || ++this.#keptSteps > MAX_KEPT_STEPS) {
      this.#fronts.clear();
      this.#first = new Map();
      for (const one of [after, front]) {
        one?.before.clear();
        if (one !== undefined) one.plain.length = 0;
      }
      this.#keptSteps = 0;
    }
    if (front === undefined) {
      front = { members, isMatch: members[this.#automaton.start] === 1, before: new Map(), plain: [] };
      this.#fronts.set(name, front);
    }
    if (after !== undefined && isPlain(unit, place)) after.plain[plainKey(unit, place)] = front;
    else known.set(key, front);
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

/** Eight states a character. */
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

const WORD_UNITS = Uint8Array.from({ length: 128 }, (_, unit) =>
  Number(/\w/.test(String.fromCharCode(unit))),
);

function isWord(text: string, index: number): boolean {
  return index >= 0 && WORD_UNITS[text.charCodeAt(index)] === 1;
}
