import { join } from "node:path";
import { openMeaning } from "../../src/search/meaning/embed.ts";
import { coreOf } from "../../src/sources/profile/learning/extraction/extract.ts";
import { compareWishes, type WishComparison } from "../../src/sources/profile/learning/same-wish.ts";
import { normalise } from "../../src/sources/profile/text.ts";
import { readText } from "../../src/store/read-file.ts";
import { argument, printTable } from "../measure.ts";
import { type Half, WISHES, type Wish } from "./set.ts";

/**
 * A rejected wish must not come back in other words, and a different wish must still be heard. By letters: values are
 * compared as they are without a table of meaning.
 */
export async function run(): Promise<void> {
  const meaning = openMeaning();
  const { isSame, nearest } = compareWishes((text) => meaning.embed(text));
  const byLetters = (a: string, b: string) => coreOf(normalise(a)) === coreOf(normalise(b));
  const ways = { letters: byLetters, meaning: (a: string, b: string) => byLetters(a, b) || isSame(a, b) };
  const halves = Object.keys(WISHES) as Half[];
  printTable(
    [
      "half",
      "by",
      "in other words: not asked again",
      "different: not heard",
      "other topics: taken for the same",
    ],
    halves.flatMap((half) =>
      Object.entries(ways).map(([name, same]) => {
        const all = WISHES[half];
        const pairs = otherTopics(all);
        return [
          half,
          name,
          share(all.filter((one) => same(one.rejected, one.reworded)).length, all.length),
          share(all.filter((one) => same(one.rejected, one.different)).length, all.length),
          `${pairs.filter(([a, b]) => same(a, b)).length} of ${pairs.length}`,
        ];
      }),
    ),
  );
  judgeSet(ways.meaning, nearest);
  if (process.argv.includes("--wrong"))
    for (const one of halves.flatMap((half) => WISHES[half]))
      if (ways.meaning(one.rejected, one.different))
        console.log(`not heard: "${one.different}", after "${one.rejected}"`);
  meaning.close();
}

/**
 * A set by another author: what becomes of a wish after a similar one was rejected. Only counts are printed. `--half report`
 * takes the half that nobody looked at.
 */
function judgeSet(same: (a: string, b: string) => boolean, nearest: WishComparison["nearest"]): void {
  const half = argument("--half") ?? "development";
  const path = join(import.meta.dirname, `set/rewordings-${half}.json`);
  const { wishes } = JSON.parse(readText(path, { maxBytes: 16 * 1024 * 1024 })) as BlindSet;
  const row = (lang: string, what: string, pairs: readonly (readonly [string, string])[]): string[] => {
    const suppressed = pairs.filter(([a, b]) => same(a, b)).length;
    const heldBack = pairs.filter(([a, b]) => !same(a, b) && nearest(b, [a]) !== undefined).length;
    const rest = pairs.length - suppressed - heldBack;
    return [
      lang,
      what,
      String(pairs.length),
      String(suppressed),
      String(heldBack),
      share(rest, pairs.length),
    ];
  };
  const rows = [...new Set(wishes.map((one) => one.lang)), "all"].flatMap((lang) => {
    const some = wishes.filter((one) => lang === "all" || one.lang === lang);
    const pairs = (of: "rewordings" | "different") =>
      some.flatMap((one) => one[of].map((text) => [one.wish, text] as const));
    return [row(lang, "in other words", pairs("rewordings")), row(lang, "different", pairs("different"))];
  });
  const unrelated = wishes.flatMap((one) =>
    wishes
      .filter((other) => other !== one)
      .flatMap((other) => [other.wish, ...other.rewordings, ...other.different])
      .map((text) => [one.wish, text] as const),
  );
  console.log(`\nThe other author's set, ${half} half:`);
  printTable(
    ["language", "after a rejection", "n", "suppressed", "held back", "proposed with a notice"],
    [...rows, row("all", "other topics", unrelated)],
  );
}

interface BlindSet {
  readonly wishes: readonly {
    readonly lang: string;
    readonly wish: string;
    readonly rewordings: readonly string[];
    readonly different: readonly string[];
  }[];
}

/** Each rejected wish with everything that is said about other topics. Some topics are close to each other. */
function otherTopics(all: readonly Wish[]): (readonly [string, string])[] {
  return all.flatMap((one) =>
    all
      .filter((other) => other !== one)
      .flatMap((other) => [other.rejected, other.reworded, other.different])
      .map((text) => [one.rejected, text] as const),
  );
}

/** With Wilson's interval of 95%. */
function share(hits: number, n: number): string {
  const z = 1.96;
  const p = hits / n;
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const width = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  const percent = (value: number) => `${Math.round(100 * Math.max(0, value))}%`;
  return `${hits} of ${n}, ${percent(p)} (${percent(middle - width)} to ${percent(middle + width)})`;
}
