import { spawn } from "node:child_process";
import { openDatabase } from "../../../src/store/sqlite/open.ts";

/** Starts this runtime once per argument list, all at once, and waits for every one; none outlives the call. */
export async function runChildren(program: string, argumentLists: readonly string[][]): Promise<string[]> {
  const ended = await Promise.all(argumentLists.map((args) => runChild(program, args)));
  const failed = ended.find(({ code }) => code !== 0);
  if (failed !== undefined) throw new Error(`a child process failed:\n${failed.output}`);
  return ended.map(({ output }) => output);
}

function runChild(
  program: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}

/** A child of the contract: makes sure of the schema, then writes row and text in one small tx each. */
export function write(file: string, writer: number, count: number): void {
  // Four writers on two cores without a pause between: longer than a hook would wait.
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
