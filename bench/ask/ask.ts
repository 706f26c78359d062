import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { loadHistory } from "../../src/hosts/index.ts";
import { MOST_RANKED, materialFor } from "../../src/sources/sessions/answers/request.ts";
import { openSessions, type Sessions } from "../../src/sources/sessions/library.ts";
import { askSession, confidenceOf } from "../../src/sources/sessions/quotes.ts";
import { homeAt } from "../../src/store/home.ts";
import { quantiles } from "../measure.ts";
import { dataFolder } from "../retrieval/data.ts";
import { locomoQuestions } from "./locomo.ts";
import { type LabelledQuestion, labelledQuestions, type RecordedSession } from "./questions.ts";

const history = await loadHistory();

/** Whether `query_session` cites the turn that answers, on recorded coding sessions in the format of Claude Code. */
export async function run(): Promise<void> {
  const data = join(dataFolder, "coding-sessions/sessions-dev.jsonl.gz");
  if (!existsSync(data)) return console.info(`no recorded sessions at ${data}; set CONTINUO_BENCH_DATA`);
  const recorded = gunzipSync(readFileSync(data))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordedSession);
  const folder = mkdtempSync(join(tmpdir(), "continuo-ask-"));
  try {
    const sessions = recorded.map((one, i) => ({ ...one, session_id: uuid(i) }));
    writeTranscripts(join(folder, "user"), sessions);
    const env = { HOME: join(folder, "user"), CONTINUO_HOME: join(folder, "home") };
    const library = openSessions({ home: homeAt(env.CONTINUO_HOME), history, env });
    try {
      await library.sync();
      const questions = labelledQuestions(sessions);
      report(library, questions);
      reportMaterial(library, questions);
    } finally {
      library.close();
    }
    await reportOwnWords(join(folder, "own-words"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Conversations that confidence was chosen with; the others report it. */
const CHOSEN_WITH = new Set(["conv-26", "conv-30"]);

/**
 * Questions in the words of somebody else than the speakers (LoCoMo): does the confidence know whether the quotes have the
 * answer? Each is asked of its session, of another of the same two people, and of one of other people.
 */
async function reportOwnWords(folder: string): Promise<void> {
  const { sessions, questions } = locomoQuestions(dataFolder);
  if (questions.length === 0) return console.info(`no LoCoMo in ${dataFolder}`);
  writeTranscripts(join(folder, "user"), sessions);
  const env = { HOME: join(folder, "user"), CONTINUO_HOME: join(folder, "home") };
  const library = openSessions({ home: homeAt(env.CONTINUO_HOME), history, env });
  try {
    await library.sync();
    for (const isChosen of [true, false]) {
      const half = questions.filter(({ conversation }) => CHOSEN_WITH.has(conversation) === isChosen);
      console.info(
        `own words, ${isChosen ? "conversations that thresholds were chosen with" : "other conversations"}: ${half.length} questions`,
      );
      for (const asker of ["session", "samePeople", "others"] as const) {
        const asked = half.map((question) => {
          const session = library.get({ host: "claude-code", id: question[asker] });
          if (session === undefined) throw new Error(`session ${question[asker]} was not indexed`);
          const { confidence, citations } = askSession(library, session, question.question);
          return { confidence, isRight: citations.some(({ entryId }) => question.gold.has(entryId)) };
        });
        const bands = ["high", "medium", "low"].map((band) => {
          const some = asked.filter(({ confidence }) => confidence === band);
          return `${band} ${some.length} (right ${share(some.filter(({ isRight }) => isRight).length, some.length)})`;
        });
        console.info(`  asked of ${asker}: ${bands.join(", ")}`);
      }
    }
  } finally {
    library.close();
  }
}

interface Asked {
  readonly question: LabelledQuestion;
  readonly confidence: string;
  /** The index of the first cited turn that answers; -1 if none does. */
  readonly rank: number;
  readonly score: number;
}

function report(library: Sessions, questions: readonly LabelledQuestion[]): void {
  const times: number[] = [];
  const answers = questions.map((question) => {
    const begun = performance.now();
    const answer = askOne(library, question, question.session);
    times.push(performance.now() - begun);
    return answer;
  });
  for (const set of ["asked", "half-remembered"] as const)
    tell(
      set,
      answers.filter(({ question }) => question.set === set),
    );
  tell("all", answers);
  for (const band of ["high", "medium", "low"])
    tell(
      `  confidence ${band}`,
      answers.filter(({ confidence }) => confidence === band),
    );

  // The same questions to another session, which cannot answer them: how often does it seem to?
  const others = questions.map((question, i) => {
    const other = questions
      .slice(i + 1)
      .concat(questions)
      .find(({ session }) => session !== question.session);
    return askOne(library, question, other?.session ?? question.session);
  });
  const bands = ["high", "medium", "low"].map(
    (band) =>
      `${band} ${share(others.filter(({ confidence }) => confidence === band).length, others.length)}`,
  );
  console.info(`asked of another session: ${bands.join(", ")}`);
  // Thresholds were chosen on the sessions with an even first byte of SHA-1, and are reported on the others.
  for (const isTuned of [true, false]) {
    const own = answers.filter(({ question }) => isChosenOn(question.session) === isTuned);
    const foreign = others.filter(({ question }) => isChosenOn(question.session) === isTuned);
    const low = (all: readonly Asked[]) =>
      share(all.filter((one) => one.confidence === "low").length, all.length);
    console.info(
      `${isTuned ? "half that thresholds were chosen on" : "other half"}: low for the right session ${low(own)} of ${own.length}, for another ${low(foreign)} of ${foreign.length}`,
    );
  }
  const cuts = [0.1, 0.25, 0.5, 0.75, 0.9];
  const scores = (all: readonly Asked[]) =>
    quantiles(
      all.map(({ score }) => score),
      cuts,
    )
      .map((one) => one.toFixed(2))
      .join(" ");
  console.info(
    `best scores at ${cuts.join(" ")}: right ${scores(answers.filter(({ rank }) => rank >= 0 && rank < 3))}; wrong ${scores(answers.filter(({ rank }) => rank < 0 || rank > 2))}; another session ${scores(others)}`,
  );
  const [p50 = 0, p95 = 0] = quantiles(times, [0.5, 0.95]);
  console.info(`one question: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
}

/** How often the answering turn is in what a model would be given. No model is called. */
function reportMaterial(library: Sessions, questions: readonly LabelledQuestion[]): void {
  for (const maxBytes of [10_000, 20_000, 50_000, 100_000]) {
    const given = questions.map(({ session, question, from, gold }) => {
      const key = { host: "claude-code", id: session };
      const others = library.allPassages(key).filter(({ turn }) => placeOf(turn) !== from);
      const places = new Map(others.map(({ at }, place) => [at, place]));
      const best = library
        .passages(key, question, MOST_RANKED)
        .flatMap(({ at }) => places.get(at) ?? [])
        .map((at) => ({ at }));
      const passages = others.map((passage, at) => ({ ...passage, at }));
      const { text, truncated } = materialFor(passages, best, maxBytes);
      const turns = [...text.matchAll(/ id="([^"]+)"/g)].map(([, turn = ""]) => placeOf(turn));
      return { truncated, has: turns.some((turn) => gold.has(turn)) };
    });
    const cut = given.filter(({ truncated }) => truncated);
    const has = (some: typeof given) => share(some.filter((one) => one.has).length, some.length);
    console.info(
      `given ${maxBytes} bytes: the answering turn is there in ${has(given)}; in ${has(cut)} of the ${cut.length} whose session did not fit`,
    );
  }
}

function askOne(library: Sessions, question: LabelledQuestion, id: string): Asked {
  const session = library.get({ host: "claude-code", id });
  if (session === undefined) throw new Error(`session ${id} was not indexed`);
  const { citations } = askSession(library, session, question.question);
  const turns = citations.map(({ entryId }) => placeOf(entryId)).filter((turn) => turn !== question.from);
  const score =
    library.passages(session, question.question, 20).find(({ turn }) => placeOf(turn) !== question.from)
      ?.score ?? 0;
  return {
    question,
    confidence: confidenceOf(score),
    rank: turns.findIndex((turn) => question.gold.has(turn)),
    score,
  };
}

function tell(name: string, answers: readonly Asked[]): void {
  const hit = (most: number) =>
    share(answers.filter(({ rank }) => rank >= 0 && rank < most).length, answers.length);
  console.info(`${name}: ${answers.length} questions, hit@1 ${hit(1)}, hit@3 ${hit(3)}`);
}

const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(3));
const isChosenOn = (session: string): boolean =>
  (createHash("sha1").update(session).digest()[0] ?? 0) % 2 === 0;
const placeOf = (turn: string) => Number(turn.split("#")[1]);
const uuid = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`;

function writeTranscripts(home: string, sessions: readonly RecordedSession[]): void {
  const folder = join(home, ".claude/projects/-bench");
  mkdirSync(folder, { recursive: true });
  for (const { session_id: sessionId, messages } of sessions) {
    const lines = messages.map(([role, timestamp, text], i) => {
      const id = `${sessionId}#${i}`;
      const where = { uuid: id, sessionId, cwd: "/bench", timestamp, isSidechain: false };
      const content = role === "assistant" ? [{ type: "text", text }] : text;
      return JSON.stringify({ ...where, type: role, message: { id, role, content } });
    });
    writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.join("\n")}\n`);
  }
}
