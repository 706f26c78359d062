import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "../../../src/store/sqlite/open.ts";

/**
 * Starts this runtime once per argument list, releases all processes at the same time and waits for every one.
 * Without the signal they would run one after another: starting a process takes longer than the race itself.
 */
export async function runChildren(program: string, argumentLists: readonly string[][]): Promise<string[]> {
  const dir = mkdtempSync(path.join(tmpdir(), "continuo-children-"));
  const gun = path.join(dir, "gun");
  try {
    const children = argumentLists.map((args) => startChild(program, [...args, gun]));
    await Promise.race([
      Promise.all(children.map(({ ready }) => ready)),
      Promise.all(children.map(({ end }) => end)),
    ]);
    writeFileSync(gun, "");
    const ended = await Promise.all(children.map(({ end }) => end));
    const failed = ended.find(({ code }) => code !== 0);
    if (failed !== undefined) throw new Error(`a child process failed:\n${failed.output}`);
    return ended.map(({ output }) => output);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const READY = "ready\n";

function startChild(program: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  let output = "";
  const ready = new Promise<void>((resolve) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (output.startsWith(READY)) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
  });
  const end = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output: output.replace(READY, "") }));
  });
  return { ready, end };
}

/** Called in the child. Blocks until the signal. */
export function awaitGun(gun: string): void {
  process.stdout.write(READY);
  const deadline = Date.now() + 30_000;
  while (!existsSync(gun) && Date.now() < deadline) pause(1);
}

export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A child that creates one database after another, each at the same time as its siblings. */
export function create(dir: string, count: number, gun: string): void {
  awaitGun(gun);
  const start = statSync(gun).mtimeMs + 30;
  for (let n = 0; n < count; n += 1) {
    // Spinning, not sleeping: the time in which they can collide is a tenth of a millisecond.
    while (Date.now() < start + n * 5);
    openDatabase(path.join(dir, `${n}.db`)).close();
  }
}

/** A child of the contract: ensures the schema, then writes row and text in one small transaction each. */
export function write(file: string, writer: number, count: number, gun: string): void {
  awaitGun(gun);
  // Four writers on two cores without a pause take longer than a hook would wait.
  const db = openDatabase(file, { busyTimeoutMs: 20_000 });
  db.tx(() => {
    db.exec("CREATE TABLE IF NOT EXISTS w (writer INTEGER, i INTEGER)");
    db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(body)");
  });
  for (let i = 0; i < count; i += 1) {
    db.tx(() => {
      db.run("INSERT INTO w VALUES (?, ?)", [writer, i]);
      db.run("INSERT INTO f (body) VALUES (?)", [`row ${i} of ${writer}`]);
    });
  }
  db.close();
}
