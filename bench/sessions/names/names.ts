import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sessions } from "../../../src/sources/sessions/library.ts";
import { printTable } from "../../measure.ts";
import { dataFolder } from "../../retrieval/data.ts";
import { writeSessions } from "../commits.ts";
import { inHome } from "../in-home.ts";
import {
  distractorsFor,
  hashOf,
  type Judged,
  judgedSessions,
  nearestByWords,
  sampleOf,
} from "./candidates.ts";

const MOST_OF_A_HALF = 50;
const SAMPLE = 1200;
const LETTERS = ["A", "B", "C", "D", "E"] as const;

/**
 * Writes questions for blind judges: which of five sessions has this name and record? `CONTINUO_NAMES_OUT` names the
 * folder: `record/` shows name and record, `name/` the name alone with candidates in the assistant's words only, so that
 * a name copied from a request is no advantage. Answers are in `key.json`, names in `names.md`. The folder holds benchmark
 * data and must be outside the repository.
 */
export async function run(): Promise<void> {
  const out = process.env["CONTINUO_NAMES_OUT"];
  if (!existsSync(dataFolder))
    return console.log(`no benchmark data at ${dataFolder}: set CONTINUO_BENCH_DATA`);
  if (out === undefined) return console.log("set CONTINUO_NAMES_OUT to a folder outside the repository");
  await inHome(async (home, { open }) => {
    writeSessions(dataFolder, home);
    copyTranscripts(home);
    const sessions = open();
    await sessions.sync();
    const all = judgedSessions(sessions);
    const distractors = distractorsFor(all);
    const asked = all.filter((one) => distractors(one).length === LETTERS.length - 1);
    const half = (isTuned: boolean): Judged[] =>
      asked.filter((one) => one.isTuned === isTuned).slice(0, MOST_OF_A_HALF);
    const chosen = [...half(true), ...half(false)];
    const nearest = nearestByWords(all);
    const key = chosen.map((one, at) => {
      const number = `q${String(at + 1).padStart(3, "0")}`;
      const candidates = candidatesOf(one, distractors(one));
      const { question, alone } = questionOn(sessions, one, candidates);
      const answer = LETTERS[candidates.indexOf(one)];
      const isNearest = candidates[nearest(one.session.name, candidates)] === one;
      writeQuestion(out, "record", number, question);
      writeQuestion(out, "name", number, alone);
      const half = one.isTuned ? "chosen on" : "reported";
      return { question: number, answer, half, isNearest, ...one.session };
    });
    writeFileSync(join(out, "key.json"), `${JSON.stringify(key, null, 2)}\n`);
    writeFileSync(
      join(out, "names.md"),
      all
        .map(({ session, isTuned }) => `${isTuned ? "c" : "r"} ${session.namedBy}\t${session.name}\n`)
        .join(""),
    );
    const rows = ["chosen on", "reported"].map((half) => {
      const own = key.filter((one) => one.half === half);
      return [half, own.length, own.filter(({ isNearest }) => isNearest).length];
    });
    printTable(["half", "questions", "right one nearest to its name by words"], rows);
    sessions.close();
  });
}

/** The raw transcripts of other projects, once each. */
function copyTranscripts(home: string): void {
  const places = [
    { from: "transcripts/claude-code", to: join(home, ".claude/projects/-transcripts"), prefix: "" },
    {
      from: "transcripts/pi",
      to: join(home, ".pi/agent/sessions/--transcripts--"),
      prefix: "2026-01-01T00-00-00-000Z_",
    },
  ];
  for (const { from, to, prefix } of places) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(join(dataFolder, from)))
      copyFileSync(join(dataFolder, from, name), join(to, `${prefix}${name}`));
  }
}

function candidatesOf(one: Judged, others: readonly Judged[]): Judged[] {
  const place = (hashOf(`place ${one.session.id}`)[0] ?? 0) % LETTERS.length;
  return [...others.slice(0, place), one, ...others.slice(place)];
}

function questionOn(sessions: Sessions, one: Judged, candidates: readonly Judged[]) {
  const shown = (of: (candidate: Judged) => Judged["said"]): string =>
    candidates
      .map((candidate, at) => `### ${LETTERS[at]}\n\n${sampleOf(of(candidate), SAMPLE)}\n`)
      .join("\n");
  const record = sessions.record(one.session);
  const name = `Name: ${one.session.name}`;
  const body = (record?.summary ?? "").replace(/ \[\S+\]$/gm, "");
  const ask = (what: string): string =>
    `Which of the five sessions A to E has this ${what}? Each session is shown as a few of its turns, cut.\n`;
  return {
    question: [
      ask("name and record"),
      "## Name and record\n",
      name,
      `Tags: ${record?.tags.join(", ") ?? ""}\n`,
      `${body}\n`,
      "## Sessions\n",
      shown(({ said }) => said),
    ].join("\n"),
    alone: [
      ask("name"),
      "## Name\n",
      `${name}\n`,
      "## Sessions (what the assistant said)\n",
      shown(({ said }) => said.filter(({ role }) => role === "assistant")),
    ].join("\n"),
  };
}

function writeQuestion(out: string, set: string, number: string, text: string): void {
  mkdirSync(join(out, set), { recursive: true });
  writeFileSync(join(out, set, `${number}.md`), text);
}
