/** One step of looking for a pattern: to `to`, past a character that passes `test`, or where `at` holds. */
interface State {
  to: number[];
  readonly test?: (unit: number) => boolean;
  readonly at?: (text: string, index: number) => boolean;
}
/** Adds the states of one part of a pattern, given the state that follows it, and returns the first of them. */
type Part = (next: number) => number;

const MAX_PATTERN = 1000;
const MAX_STATES = 5000;

/**
 * Makes of a regular expression a function that tells whether a text holds it, in time that grows only with the text's
 * length: all ways of matching are followed at once, where JavaScript's own engine tries one after the other and can
 * take hours for an innocent `curl.*\|.*sh`. It means what JavaScript means (a test holds both equal). undefined for
 * what is no regular expression, is too large, or needs more than that: lookaround, back-references, flags.
 */
export function toFinder(source: string): ((text: string) => boolean) | undefined {
  if (source.length > MAX_PATTERN) return undefined;
  const states: State[] = [{ to: [] }]; // the first is the end of a match
  try {
    new RegExp(source); // whatever the grammar below does not check
    const start = compile(source, states);
    return (text) => holds(states, start, text);
  } catch {
    return undefined; // the caller says so
  }
}

const TOKEN = /\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|.)|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<\w+>|.))?|./gs;
const COUNT = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;

function compile(source: string, states: State[]): number {
  let at = 0;
  const part = alternatives();
  if (at < source.length) throw new SyntaxError("unexpected )");
  return part(0);

  function add(state: State): number {
    if (states.length >= MAX_STATES) throw new RangeError("too large");
    return states.push(state) - 1;
  }

  function token(): string {
    TOKEN.lastIndex = at;
    return TOKEN.exec(source)?.[0] ?? "";
  }

  function alternatives(): Part {
    const parts = [sequence()];
    for (; source[at] === "|"; parts.push(sequence())) at++;
    return (next) => add({ to: parts.map((one) => one(next)) });
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(counted(single()));
    return (next) => parts.reduceRight((after, one) => one(after), next);
  }

  function single(): Part {
    const read = token();
    at += read.length;
    if (read === "(" || read === "(?:" || /^\(\?<\w+>$/.test(read)) {
      const inner = alternatives();
      at++; // its closing parenthesis: the expression is known to be valid
      return inner;
    }
    if (read.startsWith("(") || /^\\([\dkpP]|c$)/.test(read)) throw new SyntaxError("not regular");
    const assertion = ASSERTIONS.get(read);
    if (assertion !== undefined) return (next) => add({ to: [next], at: assertion });
    const test = unitTest(read);
    return (next) => add({ to: [next], test });
  }

  function counted(part: Part): Part {
    const found = COUNT.exec(source.slice(at));
    if (found === null) return part;
    at += found[0].length;
    const [sign, low, comma, high] = [found[0][0], found[1], found[2], found[3]];
    const least = sign === "+" ? 1 : Number(low ?? 0);
    const most = sign === "?" ? 1 : low === undefined || (comma && !high) ? Infinity : Number(high || low);
    return (next) => {
      let first = next;
      if (most === Infinity) {
        first = add({ to: [next] });
        states[first]?.to.unshift(part(first));
      } else for (let i = least; i < most; i++) first = add({ to: [part(first), next] });
      for (let i = 0; i < least; i++) first = part(add({ to: [first] }));
      return first;
    };
  }
}

const isWord = (text: string, index: number) => /\w/.test(text.charAt(index));
const isEdge = (text: string, index: number) => isWord(text, index - 1) !== isWord(text, index);
const ASSERTIONS = new Map<string, NonNullable<State["at"]>>([
  ["^", (_, index) => index === 0],
  ["$", (text, index) => index === text.length],
  ["\\b", isEdge],
  ["\\B", (text, index) => !isEdge(text, index)],
]);

/** Whether one UTF-16 unit passes a class, an escape, a dot or a character: asked of JavaScript, once each. */
function unitTest(source: string): (unit: number) => boolean {
  const regex = new RegExp(`^(?:${/^[\]{}]$/.test(source) ? `\\${source}` : source})$`);
  const known = new Map<number, boolean>();
  return (unit) => {
    const before = known.get(unit);
    if (before !== undefined) return before;
    const passes = regex.test(String.fromCharCode(unit));
    known.set(unit, passes);
    return passes;
  };
}

function holds(states: readonly State[], start: number, text: string): boolean {
  const reached = new Int32Array(states.length).fill(-1); // at which index a state was last reached
  let waiting: number[] = [];
  for (let index = 0; index <= text.length; index++) {
    const next: number[] = [];
    const unit = text.charCodeAt(index - 1);
    const open = [start];
    for (const one of waiting) if (states[one]?.test?.(unit)) open.push(...(states[one]?.to ?? []));
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (reached[one] === index) continue;
      reached[one] = index;
      if (one === 0) return true;
      const state = states[one];
      if (state?.test !== undefined) next.push(one);
      else if (state !== undefined && (state.at?.(text, index) ?? true)) open.push(...state.to);
    }
    waiting = next;
  }
  return false;
}
