import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CheckedRule, compileChecks } from "../../src/sources/rules/checks/check-set.ts";
import { NOTHING_SO_FAR } from "../../src/sources/rules/checks/commands-so-far.ts";
import { judgeCall } from "../../src/sources/rules/checks/judge.ts";
import { readChecks } from "../../src/sources/rules/parsing/read-checks.ts";
import { machine, printTable, quantiles } from "../measure.ts";

const RULES = 1000;
const LINES = 2000;
const ROUNDS = Number(process.env["ROUNDS"] ?? 100);

/** What people forbid, with a word in place of `W`. Every tenth word is one that the edit has. */
const SHAPES = [
  "\\bW\\b",
  "\\bW\\(",
  "console\\.W\\(",
  "from ['\"]W['\"]",
  "import .* from ['\"]@?W/",
  "(?i)todo: W",
  "W|noWay|W_never",
  ":\\s*W\\b",
  "^\\s*export default W",
  "process\\.env\\.W\\b",
];

/** Nothing in them must occur in every match, so each line is searched. */
const WITHOUT_LITERAL = ["[A-Z]{5,}_[A-Z]+", "\\d{6,}", "\\s+$", ".{161,}", "[^\\x00-\\x7f]"];

interface Case {
  readonly name: string;
  /** The rules are not those of the moment before. */
  readonly isChanged?: boolean;
  readonly rules: readonly CheckedRule[];
  readonly text: string;
}

/** One edit and many rules with checks, in a living process. Figures are ratios within one run. */
export async function run(): Promise<void> {
  const lines = sourceLines(LINES * 10);
  const edit = lines.slice(0, LINES).join("\n");
  const words = [...new Set(edit.match(/[A-Za-z]{5,}/g) ?? [])];
  const usual = await rulesOf(RULES, 0, words);
  const cases: Case[] = [
    { name: "1 rule, 2,000 lines", rules: usual.slice(0, 1), text: edit },
    { name: "1,000 rules, 1 line", rules: usual, text: lines[100] ?? "" },
    { name: "1,000 rules, 2,000 lines", rules: usual, text: edit },
    { name: "the same after a change of the rules", rules: usual, text: edit, isChanged: true },
    {
      name: "1,000 rules, 10 of them without a literal, 2,000 lines",
      rules: await rulesOf(RULES, 100, words),
      text: edit,
    },
    { name: "1,000 rules, 20,000 lines", rules: usual, text: lines.join("\n") },
    { name: "10,000 rules, 2,000 lines", rules: await rulesOf(RULES * 10, 0, words), text: edit },
  ];
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]));
  const breaches = new Map<string, number>();
  for (let round = -10; round < ROUNDS; round++) {
    for (const one of cases) {
      if (one.isChanged) compileChecks([]);
      else compileChecks(one.rules);
      const begun = cpuMs();
      const set = compileChecks(one.rules);
      const call = {
        name: "Write",
        input: {},
        edits: () => [{ path: "src/a/b.ts", kind: "part" as const, hunks: [{ text: one.text }] }],
      };
      const { breaches: found } = judgeCall(set, call, NOTHING_SO_FAR);
      if (round >= 0) times.get(one.name)?.push(cpuMs() - begun);
      breaches.set(one.name, found.filter(({ isUnknown }) => !isUnknown).length);
      if (found.some(({ isUnknown }) => isUnknown)) throw new Error(`${one.name}: the steps did not suffice`);
    }
  }
  // The processor's clock is coarse, so single rounds say little: the mean of all rounds is shown.
  const mean = (name: string): number => {
    const all = times.get(name) ?? [];
    return all.reduce((sum, one) => sum + one, 0) / all.length;
  };
  console.log(`${machine()}; ${ROUNDS} rounds, all cases interleaved in each round\n`);
  printTable(
    ["an edit", "characters", "breaches", "CPU ms, mean", "CPU ms, p95", "against 1,000 rules, 2,000 lines"],
    cases.map(({ name, text }) => [
      name,
      text.length,
      breaches.get(name) ?? 0,
      mean(name).toFixed(2),
      ...quantiles(times.get(name) ?? [], [0.95]).map((ms) => ms.toFixed(2)),
      (mean(name) / mean("1,000 rules, 2,000 lines")).toFixed(2),
    ]),
  );
}

/** Processor time of this thread: other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Real code: Continuo's own, from its beginning again if there is not enough. */
function sourceLines(count: number): string[] {
  const root = join(import.meta.dirname, "..", "..", "src");
  const all: string[] = [];
  while (all.length < count)
    for (const path of globSync("**/*.ts", { cwd: root }).sort())
      all.push(...readFileSync(join(root, path), "utf8").split("\n"));
  return all.slice(0, count);
}

/** Every `each`th pattern has no literal; none if `each` is 0. */
async function rulesOf(count: number, each: number, words: readonly string[]): Promise<CheckedRule[]> {
  const rules: CheckedRule[] = [];
  const globs = ["src/**/*.ts", "**/*.ts", "src/**", "test/**/*.ts", "**/*.{ts,tsx}", "**/*.py"];
  for (let i = 0; i < count; i++) {
    const word = i % 10 === 0 ? (words[(i * 7) % words.length] ?? "x") : `absent${i}Word`;
    const shape = SHAPES[Math.floor(i / 10) % SHAPES.length] ?? "W";
    const without = each > 0 && i % each === each - 1;
    const never = without
      ? (WITHOUT_LITERAL[Math.floor(i / each) % WITHOUT_LITERAL.length] ?? "")
      : shape.replaceAll("W", word);
    const front = { checks: { edits: { never, files: globs[i % globs.length] } } };
    const around = { name: `rule ${i}`, body: "", files: { include: [], exclude: [] } };
    const { checks, lints } = await readChecks(front, around);
    if (lints.length > 0) throw new Error(JSON.stringify(lints));
    rules.push({ key: `rules/${i}.md`, name: `rule ${i}`, checks });
  }
  return rules;
}
