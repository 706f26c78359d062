import { wordOf } from "../words.ts";

/** Fewer letters begin too many words. */
export const SHORTEST_PREFIX = 4;
/** Endings that stemming removes: the term of "deployment" is "deploy", which does not begin with "deploym". */
const ENDINGS =
  "able ables ance ances ation ations ed ence ences ers ible ing ings ional ions ities ity ive ization ize ized ments ness".split(
    " ",
  );

/** The terms of words that begin with these letters where the letters reach into the ending, with the classes of their forms. */
export function completionsOf(prefix: string): Map<string, number> {
  const terms = new Map<string, number>();
  for (const ending of ENDINGS) {
    for (let typed = 1; typed < ending.length; typed++) {
      if (!prefix.endsWith(ending.slice(0, typed))) continue;
      const { term, form } = wordOf(prefix + ending.slice(typed));
      if (term.length >= SHORTEST_PREFIX && !term.startsWith(prefix))
        terms.set(term, (terms.get(term) ?? 0) | form);
    }
  }
  return terms;
}
