/** Brace expansion as in a shell: `src/{a,b}.ts` becomes `src/a.ts src/b.ts`. */

/** The most braces in a word, and the most words from one. */
const MOST_BRACES = 20;
const MOST_WORDS = 100;

/**
 * `shape` is the text with every quoted or expanded character replaced by a placeholder. Without a list in braces the
 * result is just the text; undefined if there are too many results.
 */
export function expandedBraces(text: string, shape: string): readonly string[] | undefined {
  if (shape.split("{").length - 1 > MOST_BRACES) return undefined;
  const open = [{ text, shape, from: 0 }];
  const done: string[] = [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (open.length + done.length > MOST_WORDS) return undefined;
    const { begin, ends } = firstList(one.shape, one.from) ?? { begin: -1, ends: [] };
    if (begin === -1) done.push(one.text);
    const after = (ends.at(-1) ?? begin) + 1;
    // Pushed in reverse, so that the first item is read first.
    for (let i = ends.length - 1; i >= 0; i--) {
      const from = (ends[i - 1] ?? begin) + 1;
      const join = (all: string) => all.slice(0, begin) + all.slice(from, ends[i]) + all.slice(after);
      open.push({ text: join(one.text), shape: join(one.shape), from: begin });
    }
  }
  return done;
}

/** The first braces with a list: their beginning, and the end of each item. */
function firstList(shape: string, from: number): { begin: number; ends: number[] } | undefined {
  for (let begin = shape.indexOf("{", from); begin !== -1; begin = shape.indexOf("{", begin + 1)) {
    const ends: number[] = [];
    let depth = 0;
    for (let at = begin; at < shape.length; at++) {
      const character = shape[at];
      if (character === "{") depth++;
      else if (character === "," && depth === 1) ends.push(at);
      else if (character === "}" && --depth === 0) {
        if (ends.length > 0) return { begin, ends: [...ends, at] };
        break;
      }
    }
  }
  return undefined;
}
