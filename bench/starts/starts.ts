/**
 * What a session is given at its start, in 30 situations with five facts each that a person would want. The situations were
 * written before the code, by people who did not know it. `development` may be looked at; `report` may not.
 *
 * Prints tokens (a real tokenizer) and, as a quick estimate, how many facts have most of their keywords in the text. The
 * figure that counts is judged blind: CONTINUO_JUDGE_OUT names a folder for one page per situation.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { build, type Place, type Situation, type Stamps, type World } from "./situation.ts";

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
}

function measure(half: string, worlds: readonly World[], stamps: Stamps, isIndexed: boolean): void {
  const rows = worlds.flatMap((world) =>
    world.situations.map((situation) => {
      const folder = mkdtempSync(join(tmpdir(), "continuo-starts-"));
      try {
        const text = startText(build(folder, world, situation, stamps), isIndexed);
        judgePage(`${half}-${stamps}-${isIndexed ? "indexed" : "first"}`, situation, text);
        return { id: situation.id, tokens: encode(text).length, facts: factsIn(text, situation) };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
  );
  const tokens = rows.map((row) => row.tokens).sort((a, b) => a - b);
  const facts = rows.map((row) => row.facts);
  const mean = facts.reduce((sum, one) => sum + one, 0) / rows.length;
  console.log(
    `${half}, notes ${stamps}, ${isIndexed ? "indexed" : "first start"}: n ${rows.length}, ` +
      `tokens median ${tokens[tokens.length >> 1]}, most ${tokens.at(-1)}; ` +
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
function factsIn(text: string, { facts }: Situation): number {
  const plain = text.toLowerCase();
  return facts.filter(({ keywords }) => {
    const found = keywords.filter((word) => plain.includes(word.toLowerCase())).length;
    return found >= Math.max(1, keywords.length - 1);
  }).length;
}

function judgePage(group: string, { id, facts }: Situation, text: string): void {
  if (outFolder === undefined) return;
  mkdirSync(join(outFolder, group), { recursive: true });
  const list = facts.map(({ fact }, i) => `${i + 1}. ${fact}`).join("\n");
  const page = `# ${id}\n\n## What the session was given\n\n${text}\n\n## Facts\n\n${list}\n`;
  writeFileSync(join(outFolder, group, `${id}.md`), page);
}

if (import.meta.main) await run();
