import { STOP_WORDS } from "../../src/search/words.ts";
import { intervalOf, shown } from "../bootstrap.ts";
import { corpusOf, halfOf, setNotes } from "../meaning/questions.ts";
import { printTable } from "../measure.ts";
import { type Engine, evaluate } from "../retrieval/metrics.ts";

const LETTERS = "etaoinsr";

/** Two words of a note's title find the note; then the first one with a letter missing, added, replaced or swapped. */
export async function typos(engines: Readonly<Record<string, Engine>>): Promise<void> {
  const pairs = setNotes()
    .filter(({ id }) => halfOf({ note: id }) === "development")
    .flatMap(({ id, title }, at) => {
      const words = [...new Set(title.match(/\p{L}{5,}/gu) ?? [])].filter(
        (word) => !STOP_WORDS.has(word.toLowerCase()),
      );
      const [first, second] = words.toSorted((a, b) => b.length - a.length);
      if (first === undefined || second === undefined) return [];
      return [
        {
          note: id,
          right: `${first} ${second}`,
          wrong: `${misspelled(first, at)} ${second}`,
          only: misspelled(first, at),
        },
      ];
    });
  const rows: string[][] = [];
  for (const [name, engine] of Object.entries(engines)) {
    const row = [name];
    for (const kind of ["right", "wrong", "only"] as const) {
      const questions = pairs.map((one) => ({ note: one.note, kind, query: one[kind] }));
      const { "any@3": found } = await evaluate({ corpora: [corpusOf(questions)] }, engine);
      row.push(shown(intervalOf(found)));
    }
    rows.push(row);
  }
  console.log(`Two words of a note's title: the note is among the first three. ${pairs.length} notes.\n`);
  printTable(["engine", "as written", "the first misspelled", "the misspelled one alone"], rows);
}

function misspelled(word: string, seed: number): string {
  const at = 1 + (seed % (word.length - 2));
  const letter = LETTERS[seed % LETTERS.length] ?? "e";
  const [before, after] = [word.slice(0, at), word.slice(at)];
  switch (seed % 4) {
    case 0:
      return before + after.slice(1);
    case 1:
      return before + letter + after;
    case 2:
      return before + letter + after.slice(1);
    default:
      return before + (after[1] ?? "") + (after[0] ?? "") + after.slice(2);
  }
}
