import { stem } from "./stem.ts";

/**
 * A verb and its particle written apart ("roll back", "timed out", "log in") are also indexed as one word, because that
 * is how people write the noun. These particles join any short word before them, which adds few terms: 3 to 1,000 words
 * of the benchmark's texts.
 */
const PARTICLES: ReadonlySet<string> = new Set("up out off down back".split(" "));

/** After most words these are prepositions ("the file in"), so they join only these verbs. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    in: "build built buy check cut drop lock log mix opt plug sign stand trade walk",
    on: "add bolt log sign",
    over: "carry change cross cut fail hand hang hold left make pop push roll spill stop switch take turn",
    around: "run turn work wrap",
    through: "break click fall follow pass read run walk",
    away: "break give run take throw",
    by: "fly stand",
  }),
);

/** For each particle, its verbs by stem. Created when first needed, because a hook needs few of them. */
const stems = new Map<string, ReadonlyMap<string, string>>();

function verbsBefore(particle: string): ReadonlyMap<string, string> | undefined {
  const verbs = VERBS.get(particle);
  if (verbs === undefined) return undefined;
  const known = stems.get(particle) ?? new Map(verbs.split(" ").map((verb) => [stem(verb), verb]));
  stems.set(particle, known);
  return known;
}

/** In letters, of the stem. */
const LONGEST_VERB = 6;

/** Whether a word may follow a verb in a compound. */
export const isParticle = (word: string): boolean => PARTICLES.has(word) || VERBS.has(word);

/** Whether a word with this stem may be the first of a compound. */
export const isVerb = (stemmed: string): boolean =>
  stemmed.length <= LONGEST_VERB && /^[a-z]{2,}$/.test(stemmed);

/** The compound of a verb, given by its stem ("roll" for "rolled"), and a particle; undefined if they form none. */
export function joined(verb: string, particle: string): string | undefined {
  if (!PARTICLES.has(particle)) {
    const known = verbsBefore(particle)?.get(verb);
    return known && known + particle;
  }
  return (verb.endsWith("i") ? `${verb.slice(0, -1)}y` : verb) + particle;
}
