import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Moment } from "../../src/moments/types.ts";
import type { FileUse } from "../../src/moments/working-set.ts";
import { readCatalog } from "../../src/sources/rules/catalog/catalog.ts";
import type { CatalogRule } from "../../src/sources/rules/catalog/catalog-rule.ts";
import { evaluate } from "../../src/sources/rules/evaluate.ts";
import { EMPTY_MEMO, observe } from "../../src/sources/rules/memo.ts";
import { factsOf, observationOf } from "../../src/sources/rules/session.ts";
import { homeAt } from "../../src/store/home.ts";
import { benchEngine } from "../engine.ts";
import { machine, printTable, quantiles } from "../measure.ts";

const RULES = 1000;
const PATHS = 5000;
const ROUNDS = 400;

/** A tool moment with many rules and a long session: matching alone, and the whole moment. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-"));
  try {
    const root = join(folder, "project");
    writeRules(root);
    // Rule files are cached two seconds after they were written.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    const home = homeAt(join(folder, "home"));
    const read = () =>
      readCatalog({
        root,
        home: home.root,
        env: {},
        settings: {},
        host: "opencode",
        readOnly: false,
        now: Date.now(),
      });
    const cold = await timed(read);
    const warm: number[] = [];
    for (let i = 0; i < 40; i++) warm.push((await timed(read)).ms);
    console.log(
      `Machine: ${machine()}. ${RULES} rules, ${PATHS} paths in the working set, ${ROUNDS} tool moments.\n`,
    );
    printTable(
      ["what", "p50 ms", "p95 ms", "target p95"],
      [
        ["matching at a tool moment", ...matching(cold.value.rules, root), "3"],
        [
          "the whole tool moment in process (stat of every rule file, state written)",
          ...(await wholeMoment(root, home)),
          "",
        ],
        ["finding that no rule file changed", ...quantiles(warm, [0.5, 0.95]).map((ms) => ms.toFixed(2)), ""],
        ["reading all rule files the first time", cold.ms.toFixed(0), "", ""],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function matching(rules: readonly CatalogRule[], root: string): string[] {
  const project = { id: root, root, label: "bench" };
  let workingSet = paths(PATHS);
  const common = { session: { host: "opencode", id: "s" }, project, cwd: root, at: Date.now() } as const;
  let memo = observe(
    EMPTY_MEMO,
    observationOf({ ...common, name: "resume" }, { rules }, EMPTY_MEMO, { workingSet }),
  );
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const path = `src/mod${i % 100}/new${i}.${["ts", "css", "py", "md", "tsx"][i % 5]}`;
    workingSet = [...workingSet, { path, edited: false, at: i, turn: i, heat: 1 }];
    const moment = {
      ...common,
      name: "tool",
      tool: { name: "Read", input: {}, files: [{ path, access: "read" }] },
    } as const;
    const begun = performance.now();
    memo = observe(memo, observationOf(moment, { rules }, memo, { workingSet }));
    const facts = factsOf(moment, memo, {});
    for (const rule of rules) evaluate(rule, facts);
    times.push(performance.now() - begun);
  }
  return quantiles(times.slice(20), [0.5, 0.95]).map((ms) => ms.toFixed(2));
}

async function wholeMoment(root: string, home: ReturnType<typeof homeAt>): Promise<string[]> {
  const engine = benchEngine(home);
  const at = (moment: Moment) => engine.handle({ kind: "moment", moment });
  const project = { id: root, root, label: "bench" };
  const common = { session: { host: "opencode", id: "s" }, project, cwd: root } as const;
  await at({ ...common, at: Date.now(), name: "start" });
  const files = paths(PATHS).map(({ path }) => ({ path, access: "read" as const }));
  await at({ ...common, at: Date.now(), name: "tool", tool: { name: "Read", input: {}, files } });
  const times: number[] = [];
  for (let i = 0; i < 100; i++) {
    const path = `src/mod${i % 100}/more${i}.ts`;
    const begun = performance.now();
    await at({
      ...common,
      at: Date.now(),
      name: "tool",
      tool: { name: "Read", input: {}, files: [{ path, access: "read" }] },
    });
    times.push(performance.now() - begun);
  }
  return quantiles(times.slice(10), [0.5, 0.95]).map((ms) => ms.toFixed(2));
}

function writeRules(root: string): void {
  const folder = join(root, ".continuo", "rules");
  mkdirSync(folder, { recursive: true });
  const kinds = [
    (i: number) => `globs: ["src/mod${i % 100}/**/*.ts"]`,
    (i: number) => `globs: ["**/*.css", "**/*.scss"]\nkeywords: [word${i}]`,
    (i: number) => `globs: ["lib/part${i}/**"]\nexclude: ["**/*.test.ts"]`,
    (i: number) => `keywords: [topic${i}, "subject ${i}"]`,
    (i: number) => `globs: ["**/*.{ts,tsx}"]\nkeywords: [kind${i}]\nmatch: all`,
  ];
  for (let i = 0; i < RULES; i++) {
    const front = kinds[i % kinds.length]?.(i) ?? "";
    writeFileSync(
      join(folder, `rule-${i}.md`),
      `---\n${front}\n---\nRule ${i}: ${"some words of advice. ".repeat(10)}\n`,
    );
  }
}

function paths(count: number): FileUse[] {
  return Array.from({ length: count }, (_, i) => ({
    path: `src/mod${i % 100}/deep/file${i}.${["ts", "tsx", "css", "json", "md"][i % 5]}`,
    edited: i % 3 === 0,
    at: i,
    turn: i,
    heat: 1,
  }));
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
}
