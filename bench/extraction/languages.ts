import { existsSync } from "node:fs";
import { join } from "node:path";
import { makeTurn } from "../../src/hosts/shared/history/turns.ts";
import { candidatesIn } from "../../src/sources/profile/learning/extraction/candidates.ts";
import { readText } from "../../src/store/read-file.ts";
import { argument, printTable } from "../measure.ts";

/** One sentence that a user may have typed, and whether it says how they want to work. */
interface Sentence {
  readonly lang: string;
  readonly text: string;
  readonly wish: boolean;
}

/**
 * How many wishes are heard, and how many other sentences are taken for wishes, per language. Prints no sentence: whoever
 * changes the patterns must not see the report half. `--half report` takes that one, `--set FILE` another set.
 */
export async function run(): Promise<void> {
  const path =
    argument("--set") ?? join(import.meta.dirname, `set/wishes-${argument("--half") ?? "development"}.json`);
  if (!existsSync(path)) {
    console.log(`skipped: there is no set at ${path}; name one with --set FILE`);
    return;
  }
  const all = sentencesOf(readText(path, { maxBytes: 16 * 1024 * 1024 }));
  const languages = [...new Set(all.map((one) => one.lang))];
  const rows = [...languages, "all"].map((lang) =>
    rowOf(
      lang,
      all.filter((one) => lang === "all" || one.lang === lang),
    ),
  );
  printTable(["language", "wishes", "heard", "recall", "others", "false alarms", "precision"], rows);
}

/** A list, or an object that holds it as `sentences`. */
function sentencesOf(text: string): Sentence[] {
  const value = JSON.parse(text) as Sentence[] | { readonly sentences: Sentence[] };
  return Array.isArray(value) ? value : value.sentences;
}

function rowOf(lang: string, all: readonly Sentence[]): string[] {
  const wishes = all.filter((one) => one.wish);
  const others = all.filter((one) => !one.wish);
  const heard = wishes.filter(isHeard).length;
  const alarms = others.filter(isHeard).length;
  return [
    lang,
    String(wishes.length),
    String(heard),
    percent(heard, wishes.length),
    String(others.length),
    String(alarms),
    percent(heard, heard + alarms),
  ];
}

function isHeard({ text }: Sentence): boolean {
  const turn = makeTurn({ id: "t", role: "user", text, offset: 0, at: 0, marks: {} });
  return candidatesIn(turn).some((one) => !one.isWeak);
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${Math.round((100 * part) / whole)}%`;
}
