/**
 * What a session is given at its start, in 30 situations with five facts each that a person would want. The situations were
 * written before the code, by people who did not know it. `development` may be looked at; `report` may not.
 *
 * And at 64 starts after real sessions (`real.ts`), whose facts an author wrote who did not see the code either.
 *
 * Prints tokens (a real tokenizer) and, as a quick estimate, how many facts have most of their keywords in the text. The
 * figure that counts is judged blind: CONTINUO_JUDGE_OUT names a folder for one page per situation.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { buildReal, realStarts } from "./real.ts";
import { build, type Place, type Stamps, type World } from "./situation.ts";

const root = resolve(import.meta.dirname, "../..");
const outFolder = process.env["CONTINUO_JUDGE_OUT"];

export async function run(): Promise<void> {
  for (const half of ["development", "report"] as const) {
    const { worlds } = JSON.parse(readFileSync(join(import.meta.dirname, "set", `${half}.json`), "utf8")) as {
      worlds: World[];
    };
    for (const stamps of ["stamped", "folders"] as const) {
      for (const isIndexed of [true, false]) measure(half, worlds, stamps, isIndexed);
    }
  }
  for (const half of ["development", "report"] as const) measureReal(half);
}

function measureReal(half: string): void {
  const starts = realStarts(half);
  if (starts === undefined) {
    console.log("no benchmark data: set CONTINUO_BENCH_DATA");
    return;
  }
  const rows = starts.map((start) =>
    inFolder((folder) => rowOf(`real-${half}`, start, buildReal(folder, start))),
  );
  tell(`${half}, real sessions`, rows);
  const kinds = Map.groupBy(
    rows.flatMap(({ found, start }) =>
      start.facts.map((fact, i) => ({ kind: fact.kind, isFound: found[i] })),
    ),
    ({ kind }) => kind,
  );
  const shares = [...kinds].map(
    ([kind, all]) => `${kind} ${all.filter(({ isFound }) => isFound).length}/${all.length}`,
  );
  console.log(`  by kind: ${shares.join(", ")}`);
}

interface Wanted {
  readonly id: string;
  readonly facts: readonly {
    readonly fact: string;
    readonly kind?: string;
    readonly keywords: readonly string[];
  }[];
}

function rowOf<T extends Wanted>(group: string, start: T, place: Place, isIndexed = false) {
  const text = startText(place, isIndexed);
  judgePage(group, start, text);
  return { start, tokens: encode(text).length, found: factsIn(text, start) };
}

function inFolder<T>(made: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "continuo-starts-"));
  try {
    return made(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(half: string, worlds: readonly World[], stamps: Stamps, isIndexed: boolean): void {
  const group = `${half}-${stamps}-${isIndexed ? "indexed" : "first"}`;
  const rows = worlds.flatMap((world) =>
    world.situations.map((situation) =>
      inFolder((folder) => rowOf(group, situation, build(folder, world, situation, stamps), isIndexed)),
    ),
  );
  tell(`${half}, notes ${stamps}, ${isIndexed ? "indexed" : "first start"}`, rows);
}

function tell(
  what: string,
  rows: readonly { readonly tokens: number; readonly found: readonly boolean[] }[],
): void {
  const tokens = rows.map((row) => row.tokens).sort((a, b) => a - b);
  const facts = rows.map(({ found }) => found.filter(Boolean).length);
  const mean = facts.reduce((sum, one) => sum + one, 0) / rows.length;
  console.log(
    `${what}: n ${rows.length}, tokens median ${tokens[tokens.length >> 1]}, most ${tokens.at(-1)}; ` +
      `facts by keywords ${mean.toFixed(2)} of 5, three or more in ${facts.filter((one) => one >= 3).length}`,
  );
}

function startText({ root: cwd, env }: Place, isIndexed: boolean): string {
  const call = (args: readonly string[], input = "") =>
    execFileSync(join(root, "node_modules/.bin/node"), [join(root, "dist/continuo.cjs"), ...args], {
      cwd,
      env,
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    });
  if (isIndexed) {
    call(["sync"]);
    call(["sessions", "index"]);
  }
  const payload = { session_id: "11111111-2222-4333-8444-555555555555", cwd, source: "startup" };
  const printed = call(["hook", "claude-code", "SessionStart"], JSON.stringify(payload));
  const answer = printed.trim() === "" ? {} : JSON.parse(printed);
  return answer.hookSpecificOutput?.additionalContext ?? "";
}

/** A fact counts if all but one of its keywords are there: a rough estimate, for work on the development half. */
function factsIn(text: string, { facts }: Wanted): boolean[] {
  const plain = text.toLowerCase();
  return facts.map(({ keywords }) => {
    const found = keywords.filter((word) => plain.includes(word.toLowerCase())).length;
    return found >= Math.max(1, keywords.length - 1);
  });
}

function judgePage(group: string, { id, facts }: Wanted, text: string): void {
  if (outFolder === undefined) return;
  mkdirSync(join(outFolder, group), { recursive: true });
  const list = facts.map(({ fact }, i) => `${i + 1}. ${fact}`).join("\n");
  const page = `# ${id}\n\n## What the session was given\n\n${text}\n\n## Facts\n\n${list}\n`;
  writeFileSync(join(outFolder, group, `${id}.md`), page);
}

if (import.meta.main) await run();
