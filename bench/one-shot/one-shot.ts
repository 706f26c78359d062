import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { makeProject } from "../hook/store.ts";
import { machine, printTable, quantiles } from "../measure.ts";
import { writeNotes } from "../memory/notes.ts";
import { HOSTS, type OneShot } from "./hosts.ts";

/**
 * What Continuo adds to a program that answers one prompt and ends: processor time of all its processes. Words after the
 * name choose hosts; `parts` lists the processes besides, in runs of their own.
 */
export async function run(): Promise<void> {
  const words = process.argv.slice(3);
  const rounds = Number(process.env["ROUNDS"] ?? 15);
  const script = process.env["SCRIPT"] ?? join(import.meta.dirname, "..", "..", "dist", "continuo.cjs");
  const names = Object.keys(HOSTS).filter(
    (name) => words.every((word) => !(word in HOSTS)) || words.includes(name),
  );
  console.log(
    `Machine: ${machine()}. Load before: ${loadavg()[0]?.toFixed(1)}. n = ${rounds} runs of each, interleaved\n`,
  );
  for (const name of names) await measure(name, script, rounds);
  if (words.includes("parts")) for (const name of names) await listParts(name, script, Math.min(rounds, 8));
}

/** Below this an agent's run is warm: code is kept, and the folder of sessions is known. */
const WARM_UP = 5;

const CALLS = [0, 5] as const;

async function measure(name: string, script: string, rounds: number): Promise<void> {
  const [without, with_] = [await furnished(name), await furnished(name, script)];
  const spent = new Map<string, Account[]>();
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const calls of CALLS) {
      for (const at of round % 2 === 0 ? [without, with_] : [with_, without]) {
        const account = await at.run(calls);
        const key = `${at === with_} ${calls}`;
        if (round >= 0) spent.set(key, [...(spent.get(key) ?? []), account]);
      }
    }
  }
  const cpu = (key: string, what: (one: Account) => number) => (spent.get(key) ?? []).map(what);
  const rows = CALLS.map((calls) => {
    const before = cpu(`false ${calls}`, whole);
    const after = cpu(`true ${calls}`, whole);
    return [
      calls,
      spread(before),
      spread(after),
      `**${signed(middle(after) - middle(before))}**`,
      spread(after.map((one, at) => one - (before[at] ?? Number.NaN))),
      Math.round(middle(cpu(`true ${calls}`, left)) - middle(cpu(`false ${calls}`, left))),
      signed(
        middle(cpu(`true ${calls}`, ({ wall }) => wall)) - middle(cpu(`false ${calls}`, ({ wall }) => wall)),
      ),
    ];
  });
  const perCall = CALLS.map(
    (calls) => middle(cpu(`true ${calls}`, whole)) - middle(cpu(`false ${calls}`, whole)),
  );
  const each = (((perCall[1] ?? 0) - (perCall[0] ?? 0)) / CALLS[1]).toFixed(1);
  console.log(
    `### ${name}: CPU ms of a run, all processes (target +150 without a call, +15 for each call; load ${loadavg()[0]?.toFixed(1)})\n`,
  );
  const head = [
    "tool calls",
    "without, median [least-most]",
    "with",
    "added",
    "in pairs",
    "of it left behind",
    "wall added",
  ];
  printTable(head, rows);
  console.log(`Each tool call: **${each}**\n`);
  await without.dispose();
  await with_.dispose();
}

/** Which processes there are, how many, and what each costs. */
async function listParts(name: string, script: string, rounds: number): Promise<void> {
  const at = await furnished(name, script);
  const log = join(at.folder, "parts.log");
  for (let round = 0; round < WARM_UP; round++) await at.run(5);
  timeRuntime(at.host.wired, join(at.folder, "timed-node"), log);
  const spent = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    writeFileSync(log, "");
    await at.run(5);
    const lines = readFileSync(log, "utf8").trim().split("\n");
    if (round < 0) continue;
    for (const line of lines) {
      const [user, system, ...what] = line.split(" ");
      const key = what.join(" ");
      spent.set(key, [...(spent.get(key) ?? []), (Number(user) + Number(system)) * 1000]);
    }
  }
  console.log(`### ${name}: processes of a run with five tool calls\n`);
  printTable(
    ["process", "a run", "CPU ms each"],
    [...spent].map(([what, all]) => [what, (all.length / rounds).toFixed(1), spread(all)]),
  );
  await at.dispose();
}

/** A runtime that notes the processor time of what it runs. */
function timeRuntime(files: readonly string[], runtime: string, log: string): void {
  writeFileSync(
    runtime,
    `#!/bin/bash
what="\${*:2}"
TIMEFORMAT="%3U %3S $what"
exec 4>&2
{ time "${process.execPath}" "$@" 2>&4 4>&-; } 2>>"${log}"
`,
  );
  chmodSync(runtime, 0o755);
  for (const file of files)
    if (existsSync(file))
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(process.execPath, runtime));
}

interface Account {
  readonly own: number;
  readonly wall: number;
  readonly until: number;
  readonly left: readonly { readonly name: string; readonly cpu: number }[];
}

interface Furnished {
  readonly folder: string;
  readonly host: OneShot;
  run(calls: number): Promise<Account>;
  dispose(): Promise<void>;
}

const FILES = 10;
const NOTES = Number(process.env["NOTES"] ?? 20);

/** A user with a project of eight rules, and notes if Continuo is installed. */
async function furnished(name: string, script?: string): Promise<Furnished> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `one-shot-`)));
  const place = {
    home: join(folder, "home"),
    project: join(folder, "project"),
    temporary: join(folder, "tmp"),
  };
  for (const one of Object.values(place)) mkdirSync(one);
  execFileSync("git", ["init", "-q", "-b", "main", place.project]);
  makeProject(place.project);
  const files = Array.from({ length: FILES }, (_, i) => `file-${i}.ts`);
  for (const file of files) writeFileSync(join(place.project, file), `export const one = "${file}";\n`);
  let [left, read] = [0, 0];
  const host = await HOSTS[name]?.(place, () => (left-- > 0 ? files[read++ % FILES] : undefined));
  if (host === undefined) throw new Error(`no host "${name}"`);
  if (script !== undefined) {
    writeNotes(join(place.home, ".continuo", "memory"), NOTES);
    execFileSync(process.execPath, [script, "install", name], {
      cwd: place.project,
      env: host.env,
      stdio: "pipe",
    });
  }
  return {
    folder,
    host,
    async run(calls) {
      left = calls;
      const before = host.requests();
      const account = await accountFor(
        host.command("Say what these files are for."),
        place.project,
        host.env,
        folder,
      );
      if (host.requests() - before < calls + 1) throw new Error(`${name}: too few requests`);
      return account;
    },
    async dispose() {
      await host.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

function accountFor(command: readonly string[], cwd: string, env: Record<string, string>, folder: string) {
  const result = join(folder, "account.json");
  const script = join(import.meta.dirname, "account.py");
  return new Promise<Account>((resolve, reject) => {
    const child = spawn("python3", [script, result, ...command], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
    child.on("error", reject);
    child.on("close", () => {
      const account = JSON.parse(readFileSync(result, "utf8")) as Account & { code: number; killed: number };
      if (account.code !== 0 || account.killed > 0)
        return reject(
          new Error(
            `${command[0]} ended with ${account.code}, ${account.killed} killed: ${JSON.stringify(account)} ${said.slice(-2000)}`,
          ),
        );
      if (process.env["VERBOSE"]) console.error(JSON.stringify(account));
      resolve(account);
    });
  });
}

const left = (one: Account): number => one.left.reduce((sum, { cpu }) => sum + cpu, 0);
const whole = (one: Account): number => one.own + left(one);
const middle = (sample: readonly number[]): number => quantiles(sample, [0.5])[0] ?? Number.NaN;
const signed = (ms: number): string => `${ms < 0 ? "-" : "+"}${Math.abs(Math.round(ms))}`;

function spread(sample: readonly number[]): string {
  return `${Math.round(middle(sample))} [${Math.round(Math.min(...sample))}-${Math.round(Math.max(...sample))}]`;
}
