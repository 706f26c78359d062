import { loadavg } from "node:os";
import { intervalOf, shown } from "../bootstrap.ts";
import {
  HALVES,
  type Half,
  halfOf,
  KINDS,
  OWN_WORDS,
  type SetPrompt,
  setNotes,
  setPrompts,
  setQuestions,
} from "../meaning/questions.ts";
import { printTable } from "../measure.ts";
import { type Corpus, dataFolder, tasks } from "../retrieval/data.ts";
import { type Store, storeOf } from "./store.ts";

/** A project that no note belongs to. */
const ELSEWHERE = "elsewhere";

/** What a prompt got. */
interface Outcome {
  readonly isRight: boolean;
  readonly isWrong: boolean;
}

/** Prompts that are about a note must get it; prompts of other projects must get nothing. */
export async function run(): Promise<void> {
  await ownSet();
  const all = cases();
  if (all === undefined) console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  else await publicData(all);
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
}

/** All notes in one store, each of its project; a question is asked in the project of its note. */
async function ownSet(): Promise<void> {
  const notes = setNotes();
  const projects = new Map(notes.map(({ id, project }) => [id, project]));
  const names = [...new Set(projects.values())];
  const store = await storeOf(notes);
  const questions = setQuestions();
  const asked: Outcome[] = [];
  const elsewhere: Outcome[] = [];
  for (const { note, query } of questions) {
    asked.push(await outcome(store, query, projects.get(note) ?? "", new Set([note])));
    elsewhere.push(await outcome(store, query, ELSEWHERE, new Set([note])));
  }
  for (const half of HALVES) {
    console.log(`200 notes of five projects, ${half} half of the questions.\n`);
    const groups = {
      "all in other words": (kind: string) => kind !== "own words",
      ...Object.fromEntries(KINDS.map((kind) => [kind, (one: string) => one === kind])),
    };
    printTable(
      ["prompts", "n", "right note added", "a wrong one added", "nothing", "asked elsewhere: right", "wrong"],
      Object.entries(groups).map(([name, isIn]) => {
        const of = (list: readonly Outcome[]) =>
          list.filter((_, at) => {
            const question = questions[at];
            return question !== undefined && halfOf(question) === half && isIn(question.kind);
          });
        return [name, of(asked).length, ...shares(of(asked)), ...shares(of(elsewhere)).slice(0, 2)];
      }),
    );
  }
  const rows: (string | number)[][] = [];
  const strangers = setPrompts().filter(({ id }) => id.startsWith("s-"));
  const others = setPrompts().filter(({ id }) => id.startsWith("t-"));
  const none = new Set<string>();
  const add = async (
    name: string,
    prompts: readonly SetPrompt[],
    projects: readonly string[] | "its own",
  ) => {
    const shares: { readonly half: Half; readonly share: number }[] = [];
    for (const { id, prompt, project = ELSEWHERE } of prompts) {
      const seenFrom = projects === "its own" ? [project] : projects;
      let wrong = 0;
      for (const one of seenFrom) if ((await outcome(store, prompt, one, none)).isWrong) wrong++;
      shares.push({ half: halfOf({ note: id }), share: wrong / seenFrom.length });
    }
    const ofHalf = (half: Half) => shares.filter((one) => one.half === half).map(({ share }) => share);
    rows.push([
      name,
      prompts.length,
      ...HALVES.map((half) => `${shown(intervalOf(ofHalf(half)))} of ${ofHalf(half).length}`),
    ]);
  };
  await add("of unrelated projects, asked there", strangers, [ELSEWHERE]);
  await add("the same, asked in each of the five projects", strangers, names);
  await add("topics that no note has, asked in their project", others, "its own");
  console.log("Prompts that no note answers.\n");
  printTable(["prompts", "n", ...HALVES.map((half) => `a note added, ${half} half`)], rows);
  await preference(store);
  store.close();
  console.log(
    "By origin of the prompt: questions in other words, whose note is in the store only where it says so.\n",
  );
  printTable(["prompts", "n", ...HALVES.map((half) => `a wrong note added, ${half} half`)], await byOrigin());
}

/** What it gains and costs that a search prefers the notes of the project where it is asked. */
async function preference(store: Store): Promise<void> {
  const projects = new Map(setNotes().map(({ id, project }) => [id, project]));
  const names = [...new Set(projects.values())];
  const questions = setQuestions().filter(({ kind }) => kind !== OWN_WORDS);
  const from: Readonly<Record<string, (own: string) => readonly (string | undefined)[]>> = {
    "no project": () => [undefined],
    "the note's project": (own) => [own],
    "another project": (own) => names.filter((name) => name !== own),
  };
  const rows: (string | number)[][] = [];
  for (const [name, placesOf] of Object.entries(from)) {
    const found = { first: new Map<Half, number[]>(), three: new Map<Half, number[]>() };
    for (const question of questions) {
      const half = halfOf(question);
      for (const place of placesOf(projects.get(question.note) ?? "")) {
        const ids = await store.firstThree(question.query, place);
        found.first.set(half, [...(found.first.get(half) ?? []), ids[0] === question.note ? 1 : 0]);
        found.three.set(half, [...(found.three.get(half) ?? []), ids.includes(question.note) ? 1 : 0]);
      }
    }
    const cells = HALVES.flatMap((half) =>
      [found.first, found.three].map((one) => shown(intervalOf(one.get(half) ?? []))),
    );
    rows.push([`asked from ${name}`, ...cells]);
  }
  console.log("A search in other words: the right note is first, or among the first three.\n");
  printTable(["search", ...HALVES.flatMap((half) => [`first, ${half}`, "first three"])], rows);
}

/**
 * More prompts than `prompts.json` has. A question whose note is left out of the store is about a topic that no note has;
 * a question about one project, asked in another, is a technical prompt of another project.
 */
async function byOrigin(): Promise<(string | number)[][]> {
  const notes = setNotes();
  const projects = new Map(notes.map(({ id, project }) => [id, project]));
  const names = [...new Set(projects.values())];
  const questions = setQuestions().filter(({ kind }) => kind !== OWN_WORDS);
  const missing: { readonly half: Half; readonly share: number }[] = [];
  const foreign: typeof missing = [];
  const none = new Set<string>();
  for (const rest of [0, 1]) {
    const here = notes.filter((_, at) => at % 2 === rest);
    const ids = new Set(here.map(({ id }) => id));
    const store = await storeOf(here);
    for (const question of questions) {
      const { note, query } = question;
      const own = projects.get(note) ?? "";
      const half = halfOf(question);
      if (!ids.has(note)) {
        missing.push({ half, share: (await outcome(store, query, own, none)).isWrong ? 1 : 0 });
        continue;
      }
      const others = names.filter((name) => name !== own);
      let wrong = 0;
      for (const one of others) if ((await outcome(store, query, one, new Set([note]))).isWrong) wrong++;
      foreign.push({ half, share: wrong / others.length });
    }
    store.close();
  }
  const row = (name: string, list: typeof missing) => [
    name,
    list.length,
    ...HALVES.map((half) =>
      shown(intervalOf(list.filter((one) => one.half === half).map(({ share }) => share))),
    ),
  ];
  return [
    row("of this project, its note is not in the store (100 notes)", missing),
    row("of another project, asked in the other four (100 notes)", foreign),
  ];
}

async function outcome(
  store: Store,
  prompt: string,
  project: string,
  gold: ReadonlySet<string>,
  from?: string,
): Promise<Outcome> {
  const added = (await store.added(prompt, project)).filter((id) => id !== from);
  return { isRight: added.some((id) => gold.has(id)), isWrong: added.some((id) => !gold.has(id)) };
}

/** Right, wrong, nothing. */
function shares(list: readonly Outcome[]): string[] {
  return [
    (one: Outcome) => one.isRight,
    (one: Outcome) => one.isWrong,
    (one: Outcome) => !one.isRight && !one.isWrong,
  ].map((test) => shown(intervalOf(list.map((one) => (test(one) ? 1 : 0)))));
}

/** A store of notes, prompts that one of the notes answers, and prompts of other projects that none answers. */
interface Case {
  readonly name: string;
  readonly corpus: Corpus;
  readonly strangers: readonly string[];
}

async function publicData(all: readonly Case[]): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const { name, corpus, strangers } of all) {
    const store = await storeOf(corpus.documents);
    const relevant: Outcome[] = [];
    for (const { query, gold, from } of corpus.questions)
      relevant.push(await outcome(store, query, ELSEWHERE, gold, from));
    const others: Outcome[] = [];
    for (const query of strangers) others.push(await outcome(store, query, ELSEWHERE, new Set()));
    store.close();
    for (const [half, rest] of [
      ["even", 0],
      ["odd", 1],
    ] as const) {
      const of = (list: readonly Outcome[]) => list.filter((_, at) => at % 2 === rest);
      const [right = "", wrong = ""] = shares(of(relevant));
      rows.push([
        name,
        half,
        of(relevant).length,
        right,
        wrong,
        of(others).length,
        shares(of(others))[1] ?? "",
      ]);
    }
  }
  console.log("Public data; no note belongs to a project. A stranger is a prompt of another project.\n");
  printTable(
    ["store", "half", "relevant n", "right added", "wrong added", "strangers n", "a note added"],
    rows,
  );
}

function cases(): Case[] | undefined {
  const all = tasks();
  if (all === undefined) return undefined;
  const corpus = (name: string): Corpus => {
    const corpora = all.find((task) => task.name === name)?.corpora ?? [];
    return {
      documents: corpora.flatMap(({ documents }, c) =>
        documents.map((one) => ({ ...one, id: `${c}/${one.id}` })),
      ),
      questions: corpora.flatMap(({ questions }, c) =>
        questions.map((one) => ({
          ...one,
          gold: new Set([...one.gold].map((id) => `${c}/${id}`)),
          ...(one.from === undefined ? {} : { from: `${c}/${one.from}` }),
        })),
      ),
    };
  };
  const coding = corpus("coding sessions");
  const vault = corpus("vault logseq-docs");
  const locomo = corpus("LoCoMo session");
  const prompts = (from: Corpus) => from.questions.map(({ query }) => query);
  const beam = prompts(corpus("BEAM 100K"));
  return [
    { name: "coding sessions", corpus: coding, strangers: [...prompts(vault), ...beam, ...prompts(locomo)] },
    { name: "vault", corpus: vault, strangers: [...prompts(coding), ...beam, ...prompts(locomo)] },
    { name: "LoCoMo sessions, pooled", corpus: locomo, strangers: [...prompts(coding), ...prompts(vault)] },
  ];
}
