import { existsSync } from "node:fs";
import { argument, printTable } from "../measure.ts";
import { DATA, type Found, judgeSessions, readRules } from "./judged-sessions.ts";
import { type Half, keyOf, type Label, type Labels, readLabels } from "./labels.ts";

/** Precision and recall of the checks against hand-made labels (labelled/README.md). `--show` prints the texts too. */
export async function run(): Promise<void> {
  if (!existsSync(DATA)) {
    console.log(`skipped: ${DATA} is not there; CONTINUO_BENCH_DATA names the folder with the data sets`);
    return;
  }
  const labels = readLabels();
  const rules = await readRules();
  const half = argument("--half");
  for (const one of (["choose", "report"] as const).filter((name) => half === undefined || name === half)) {
    const { found, read } = judgeSessions(
      rules.map(({ rule }) => rule),
      labels.sessions.filter((session) => session.half === one),
    );
    const scored = score(labels, one, found);
    console.log(
      `## ${one}: ${read.sessions} sessions, ${read.edits} edits, ${read.commands} commands, ${read.stops} stops\n`,
    );
    const kinds = [...new Set(rules.map(({ kind }) => kind))];
    const row = (name: string, checks: ReadonlySet<string>): string[] =>
      rowOf(
        name,
        scored.filter(({ check }) => checks.has(check)),
      );
    const namesOf = (kind: string): Set<string> =>
      new Set(rules.filter((rule) => rule.kind === kind).map(({ rule }) => rule.name));
    const head = ["labelled", "found", "right", "precision", "recall", "doubtful", "found of these"];
    printTable(
      ["kind", ...head],
      [
        ...kinds.map((kind) => row(kind, namesOf(kind))),
        row("all", new Set(rules.map(({ rule }) => rule.name))),
      ],
    );
    printTable(
      ["check", ...head],
      rules.map(({ rule }) => row(rule.name, new Set([rule.name]))),
    );
    for (const { outcome, key, text } of scored)
      if (outcome === "missed" || outcome === "wrong")
        console.log(
          `${outcome}  ${key}${process.argv.includes("--show") && text !== undefined ? `  ${text}` : ""}`,
        );
    console.log("");
  }
}

interface Scored {
  readonly check: string;
  readonly key: string;
  readonly outcome: "right" | "missed" | "wrong" | "doubtful" | "doubtful, found";
  readonly text?: string;
}

function score(labels: Labels, half: Half, found: readonly Found[]): Scored[] {
  const files = new Set(labels.sessions.filter((one) => one.half === half).map((one) => one.file));
  const labelled = new Map<string, Label>(
    labels.labels.filter((one) => files.has(one.file)).map((one) => [keyOf(one), one]),
  );
  const judged = new Map(found.map((one) => [keyOf(one), one]));
  return [
    ...[...labelled].map(([key, { check, label }]): Scored => {
      const isFound = judged.has(key);
      if (label === "doubtful") return { check, key, outcome: isFound ? "doubtful, found" : "doubtful" };
      return { check, key, outcome: isFound ? "right" : "missed" };
    }),
    ...[...judged]
      .filter(([key]) => !labelled.has(key))
      .map(([key, { check, text }]): Scored => ({ check, key, outcome: "wrong", text })),
  ];
}

function rowOf(name: string, scored: readonly Scored[]): string[] {
  const count = (...outcomes: Scored["outcome"][]): number =>
    scored.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [right, missed, wrong] = [count("right"), count("missed"), count("wrong")];
  const share = (part: number, whole: number): string =>
    whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`;
  return [
    name,
    String(right + missed),
    String(right + wrong),
    String(right),
    share(right, right + wrong),
    share(right, right + missed),
    String(count("doubtful", "doubtful, found")),
    String(count("doubtful, found")),
  ];
}
