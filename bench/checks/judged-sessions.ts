import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import type { Turn } from "../../src/moments/ports/turn.ts";
import type { Breach } from "../../src/sources/rules/checks/breach.ts";
import { type CheckedRule, type CheckSet, compileChecks } from "../../src/sources/rules/checks/check-set.ts";
import { after, afterStop, NOTHING_SO_FAR } from "../../src/sources/rules/checks/commands-so-far.ts";
import { judgeCall, judgeStop } from "../../src/sources/rules/checks/judge.ts";
import { parseRule } from "../../src/sources/rules/parsing/parse.ts";
import { SessionFiles } from "../../src/sources/rules/try/try-checks.ts";
import { statFile } from "../../src/store/read-file.ts";
import { hashOf, type Label, type LabelledSession } from "./labels.ts";

export const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");

/** A breach that the judge found, in the form of a label. */
export interface Found extends Pick<Label, "file" | "call" | "stop" | "check" | "line"> {
  readonly text: string;
}

export interface LabelledRule {
  readonly rule: CheckedRule;
  readonly kind: "edits never" | "edits must" | "commands" | "before" | "answer" | "done";
}

/** The rules in `labelled/`. Throws if one cannot be read as its author meant it. */
export async function readRules(): Promise<LabelledRule[]> {
  const folder = join(import.meta.dirname, "labelled");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return Promise.all(
    names.sort().map(async (file) => {
      const name = file.slice(0, -".md".length);
      const parsed = await parseRule(readFileSync(join(folder, file), "utf8"), { name, dialect: "continuo" });
      if (parsed.kind !== "rule") throw new Error(`${file} is refused: ${parsed.message}`);
      const { checks } = parsed.rule;
      const [check] = checks;
      if (check === undefined || checks.length !== 1 || parsed.lints.length > 0)
        throw new Error(`${file} does not have exactly one check: ${JSON.stringify(parsed.lints)}`);
      return { rule: { key: name, name, checks }, kind: kindOf(check) };
    }),
  );
}

function kindOf(check: CheckedRule["checks"][number]): LabelledRule["kind"] {
  switch (check.on) {
    case "edits":
      return check.never === undefined ? "edits must" : "edits never";
    case "commands":
      return check.ran === undefined ? "commands" : "before";
    case "answer":
    case "done":
      return check.on;
    default:
      throw new Error(`no labels for checks of the kind ${check.on}`);
  }
}

/** What was read, to be compared with what the labels were made from. */
export interface Read {
  readonly sessions: number;
  readonly edits: number;
  readonly commands: number;
  readonly stops: number;
}

const history = await loadHistory();

/** Every call and stop of these sessions, judged in their order as the hooks would. */
export function judgeSessions(
  rules: readonly CheckedRule[],
  sessions: readonly LabelledSession[],
): { found: Found[]; read: Read } {
  const set = compileChecks(rules);
  const judged = sessions.map((session) => judgeSession(set, session));
  const sum = (of: (one: (typeof judged)[number]) => number): number =>
    judged.reduce((total, one) => total + of(one), 0);
  return {
    found: judged.flatMap(({ found }) => found),
    read: {
      sessions: sessions.length,
      edits: sum(({ edits }) => edits),
      commands: sum(({ commands }) => commands),
      stops: sum(({ stops }) => stops),
    },
  };
}

function judgeSession(
  set: CheckSet,
  session: LabelledSession,
): { found: Found[]; edits: number; commands: number; stops: number } {
  const turns = turnsOf(session);
  const answers = new Map(
    turns.flatMap(({ answers, text }) => answers.map((one) => [one.call, { ...one, text }] as const)),
  );
  const files = new SessionFiles();
  const stops = stopsOf(session, turns);
  const found: Found[] = [];
  let [soFar, edits, commands] = [NOTHING_SO_FAR, 0, 0];
  for (const turn of turns) {
    for (const call of turn.calls) {
      const { id } = call;
      const answer = id === undefined ? undefined : answers.get(id);
      // A call that was never answered was interrupted before it ran.
      const hasFailed = answer === undefined || answer.failed === true;
      const step = {
        call,
        hasFailed,
        ...(answer === undefined ? {} : { result: answer.text }),
        ...(answer?.before === undefined ? {} : { before: answer.before }),
      };
      if (call.command !== undefined) commands++;
      else if ((call.edits?.() ?? []).length > 0) edits++;
      if (id !== undefined && !hasFailed)
        for (const breach of judgeCall(set, files.completed(step), soFar).breaches)
          found.push({ file: session.file, call: id, ...labelOf(breach) });
      files.add(step);
      soFar = after(soFar, set, { ...call, hasFailed });
    }
    const stop = stops.get(turn);
    if (stop === undefined) continue;
    for (const breach of judgeStop(set, { answer: turn.text, soFar }).breaches)
      found.push({ file: session.file, stop, ...labelOf(breach) });
    soFar = afterStop(soFar);
  }
  return { found, edits, commands, stops: stops.size };
}

function turnsOf({ host, file }: LabelledSession): Turn[] {
  const path = join(DATA, "transcripts", host, file);
  const stat = statFile(path);
  const reader = history.get(host);
  if (stat === undefined || reader === undefined) throw new Error(`${path} cannot be read`);
  return [...reader.read({ host, id: file, path, ...stat })];
}

/** The turn of each stop. A turn begins at its offset; several lines can belong to one. */
function stopsOf({ host, file, stops }: LabelledSession, turns: readonly Turn[]): Map<Turn, number> {
  const bytes = readFileSync(join(DATA, "transcripts", host, file));
  const starts = [0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  const said = turns.filter(({ role }) => role === "assistant");
  return new Map(
    stops.flatMap((stop) => {
      const turn = said.findLast(({ offset }) => offset <= (starts[stop - 1] ?? 0));
      return turn === undefined ? [] : [[turn, stop] as const];
    }),
  );
}

/** Labels of edits and answers name the line; those of commands are about the whole call. */
function labelOf({ rule, on, text }: Breach): Omit<Found, "file"> {
  const hasLine = (on === "edits" || on === "answer") && text !== "";
  return { check: rule, text, ...(hasLine && { line: hashOf(text) }) };
}
