import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import { knownProject } from "../../src/moments/project/known-project.ts";
import { defaultSeed } from "../../src/sources/profile/file/schema.ts";
import { generateSessionContext } from "../../src/sources/profile/session-context.ts";
import { seed } from "../../src/sources/profile/source.ts";
import type { Learning, Proposal, SeedConfig } from "../../src/sources/profile/types.ts";
import { homeAt } from "../../src/store/home.ts";
import { machine, printTable, quantiles } from "../measure.ts";

const LEARNINGS = 10_000;
const PROPOSALS = 1_000;
const ROUNDS = 100;

/** What a seed costs at the start of a session, from no seed to a very large one. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "continuo-bench-seed-"));
  try {
    const large = join(folder, "large", "seed.json");
    const usual = join(folder, "usual", "seed.json");
    put(large, makeSeed(LEARNINGS, PROPOSALS));
    put(usual, makeSeed(40, 4));
    const cases: Record<string, () => unknown> = {
      "JSON.parse of the large one": () => JSON.parse(readFileSync(large, "utf8")),
      "large: load and format": () => generateSessionContext(large, { mode: "full" }),
      "large: start in a session": () => ask(large, folder, "start"),
      "large: prompt in a session": () => ask(large, folder, "prompt"),
      "usual: load and format": () => generateSessionContext(usual, { mode: "full" }),
      "usual: start in a session": () => ask(usual, folder, "start"),
      "none: start in a session": () => ask(join(folder, "none.json"), folder, "start"),
    };
    const times = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
    for (let round = -10; round < ROUNDS; round++) {
      for (const [name, work] of Object.entries(cases)) {
        const begun = performance.now();
        await work();
        if (round >= 0) times.get(name)?.push(performance.now() - begun);
      }
    }
    const [parse = Number.NaN] = quantiles(times.get("JSON.parse of the large one") ?? [], [0.5]);
    console.log(`Machine: ${machine()}. ${ROUNDS} rounds, all cases interleaved in each round.`);
    console.log(`Large: ${LEARNINGS} learnings and ${PROPOSALS} proposals; usual: 40 and 4.\n`);
    printTable(
      ["in process, warm", "best ms", "p50 ms", "p95 ms", "p50 / parse", "target"],
      [...times].map(([name, sample]) => {
        const [best = 0, p50 = 0, p95 = 0] = quantiles(sample, [0, 0.5, 0.95]);
        return [
          name,
          best.toFixed(2),
          p50.toFixed(2),
          p95.toFixed(2),
          (p50 / parse).toFixed(2),
          TARGETS[name] ?? "",
        ];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TARGETS: Record<string, string> = {
  "large: load and format": "50 ms",
  "usual: start in a session": "20 ms",
  "none: start in a session": "next to nothing",
};

function ask(path: string, folder: string, name: "start" | "prompt"): unknown {
  const moment = {
    name,
    session: { host: "opencode" as const, id: "s" },
    project: { id: folder, root: folder, label: "shop" },
    cwd: folder,
    at: Date.now(),
    prompt: "please mend the parser of the shop's import, and run the tests before you commit",
  };
  return seed.answers[name]?.(moment as never, {
    settings: { path, proposals: "present", learnings: 5, mode: "full" },
    history: loadHistory,
    env: {},
    home: folder,
    knownProject: () => knownProject(moment.project, { home: homeAt(folder), env: {} }),
    memo: undefined,
    workingSet: [],
    readOnly: true,
    reviewCommand: "continuo review",
    deadlineMs: 800,
    signal: new AbortController().signal,
    report: (code, message) => {
      throw new Error(`${code}: ${message}`);
    },
  });
}

const WORDS =
  "prefers tests before commits small parser shop import uses the blue script for migrations of data".split(
    " ",
  );

function sentence(i: number): string {
  return Array.from({ length: 12 }, (_, word) => WORDS[(i * 7 + word * (1 + (i % 5))) % WORDS.length]).join(
    " ",
  );
}

function makeSeed(learnings: number, proposals: number): SeedConfig {
  const base = defaultSeed();
  const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString();
  const learned = Array.from({ length: learnings }, (_, i): Learning => {
    const tags = i % 10 === 0 ? ["project:~/elsewhere"] : [];
    const id = `learning-${i}`;
    return {
      id,
      content: `${sentence(i)} ${i}`,
      source: "s",
      extractedAt: at(i),
      confirmedAt: at(i),
      confirmed: true,
      tags,
    };
  });
  const pending = Array.from({ length: proposals }, (_, i): Proposal => {
    const id = `proposal-${i}`;
    return {
      id,
      type: "pattern",
      content: `${sentence(i)} ${i}`,
      source: "s",
      extractedAt: at(i),
      status: "pending",
    };
  });
  const third = Math.floor(learnings / 3);
  return {
    ...base,
    identity: { ...base.identity, principalName: "Daniel" },
    learned: {
      patterns: learned.slice(0, third),
      insights: learned.slice(third, 2 * third),
      selfKnowledge: learned.slice(2 * third),
    },
    state: { proposals: pending, activeProjects: ["shop"] },
  };
}

function put(path: string, config: SeedConfig): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  const evidence = config.state.proposals.map(({ id, extractedAt }) =>
    JSON.stringify({ kind: "evidence", at: extractedAt, id, quote: "the user said so", session: "s" }),
  );
  writeFileSync(join(path, "..", "seed.continuo.jsonl"), `${evidence.join("\n")}\n`);
}
