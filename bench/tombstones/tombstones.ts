import { openMeaning } from "../../src/search/meaning/embed.ts";
import { coreOf } from "../../src/sources/seed/learning/extraction/extract.ts";
import { compareWishes } from "../../src/sources/seed/learning/same-wish.ts";
import { normalise } from "../../src/sources/seed/text.ts";
import { readText } from "../../src/store/read-file.ts";
import { printTable } from "../measure.ts";
import { type Half, WISHES, type Wish } from "./set.ts";

/**
 * A rejected wish must not come back in other words, and a different wish must still be heard. By letters: values are
 * compared as they are without a table of meaning.
 */
export async function run(): Promise<void> {
  const meaning = openMeaning();
  const { isSame } = compareWishes((text) => meaning.embed(text));
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
  judgeSet(ways.meaning);
  if (process.argv.includes("--wrong"))
    for (const one of halves.flatMap((half) => WISHES[half]))
      if (ways.meaning(one.rejected, one.different))
        console.log(`not heard: "${one.different}", after "${one.rejected}"`);
  meaning.close();
}

/** A set that the author of the comparison has not seen, named by `--set FILE`; only counts are printed. */
function judgeSet(same: (a: string, b: string) => boolean): void {
  const at = process.argv.indexOf("--set");
  if (at < 0) return;
  const { wishes } = JSON.parse(
    readText(process.argv[at + 1] ?? "", { maxBytes: 16 * 1024 * 1024 }),
  ) as BlindSet;
  for (const lang of [...new Set(wishes.map((one) => one.lang)), "all"]) {
    const some = wishes.filter((one) => lang === "all" || one.lang === lang);
    const again = some.flatMap((one) => one.rewordings.map((text) => same(one.wish, text)));
    const other = some.flatMap((one) => one.different.map((text) => same(one.wish, text)));
    console.log(
      `set, ${lang}: ${share(again.filter(Boolean).length, again.length)} not asked again in other words, ` +
        `${share(other.filter(Boolean).length, other.length)} different ones not heard`,
    );
  }
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
