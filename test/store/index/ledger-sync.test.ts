import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { syncLedger } from "../../../src/store/index/ledger-sync.ts";
import { openIndex } from "../../../src/store/index/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { runChildren } from "../sqlite/children.ts";
import { deliveries, delivery, rowsInLedger, rowsOf } from "./ledger.ts";
import { unprivileged } from "./unprivileged.ts";

const program = fileURLToPath(new URL("../sqlite/main.ts", import.meta.url));

let dir: string;
let ledger: string;
let db: Database;
const file = (name = "ledger-202601.jsonl") => path.join(ledger, name);
const index = () => path.join(dir, "index.db");

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "continuo-ledger-"));
  ledger = path.join(dir, "ledger");
  mkdirSync(ledger);
  db = openIndex({ path: index() });
});
afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

function expectInStep(): void {
  expect(rowsOf(db)).toEqual(rowsInLedger(ledger));
}

describe("syncing the ledger", () => {
  it("reads what was appended, once, and only whole lines", () => {
    writeFileSync(file(), deliveries(0, 3));
    expect(syncLedger(db, ledger)).toEqual({ files: 1, rows: 6, malformed: 0, unreadable: [] });
    expect(syncLedger(db, ledger).rows).toBe(0);
    const line = delivery(3);
    appendFileSync(file(), line.slice(0, 40));
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 0, malformed: 0 });
    appendFileSync(file(), `${line.slice(40)}\n`);
    expect(syncLedger(db, ledger).rows).toBe(2);
    expectInStep();
  });

  it("counts malformed lines once and goes on after them", () => {
    writeFileSync(file(), `${delivery(1)}\nnonsense\n\n${delivery(2).slice(9)}\n${delivery(3)}\n`);
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 4, malformed: 2 });
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 0, malformed: 0 });
  });

  it("reads in slices, wherever they cut", () => {
    writeFileSync(file(), deliveries(0, 50));
    for (const slice of [600, 601, 777, 1024, 4096]) {
      db.run("DELETE FROM ledger_file");
      expect(syncLedger(db, ledger, slice)).toMatchObject({ rows: 100, malformed: 0 });
      expectInStep();
    }
  });

  it("reads a line longer than a slice", () => {
    writeFileSync(file(), `${delivery(1)}\n${delivery(2, 500)}\n${delivery(3)}\n`);
    expect(syncLedger(db, ledger, 600)).toMatchObject({ rows: 504, malformed: 0 });
    expectInStep();
  });

  it("steps over what no line is as long as, without holding it, once it has ended", () => {
    writeFileSync(file(), `${delivery(1)}\n${"\0".repeat(20_000_000)}`);
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 2, malformed: 0 });
    appendFileSync(file(), `\n${delivery(2)}\n`);
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 2, malformed: 1 });
    expect(syncLedger(db, ledger)).toMatchObject({ rows: 0, malformed: 0 });
  });

  it("reads a file again that shrank, or was cut and grew past where it was, or to the same length", () => {
    writeFileSync(file(), deliveries(0, 5));
    const size = Buffer.byteLength(deliveries(0, 4));
    for (const then of [0, 1, 3]) {
      syncLedger(db, ledger);
      truncateSync(file(), size);
      appendFileSync(file(), deliveries(9 - then, then));
      syncLedger(db, ledger);
      expectInStep();
    }
  });

  it("forgets a file that vanished, follows one that was renamed, and survives a missing folder", () => {
    writeFileSync(file("a.jsonl"), deliveries(0, 5));
    writeFileSync(file("b.jsonl"), deliveries(5, 5));
    writeFileSync(file("notes.txt"), deliveries(5, 5));
    mkdirSync(file("folder.jsonl"));
    expect(syncLedger(db, ledger)).toMatchObject({ files: 2, rows: 20 });
    unlinkSync(file("a.jsonl"));
    renameSync(file("b.jsonl"), file("c.jsonl"));
    expect(syncLedger(db, ledger)).toMatchObject({ files: 1, rows: 10 });
    rmSync(file("folder.jsonl"), { recursive: true });
    expectInStep();
    rmSync(ledger, { recursive: true });
    expect(syncLedger(db, ledger)).toEqual({ files: 0, rows: 0, malformed: 0, unreadable: [] });
    expect(rowsOf(db)).toEqual([]);
  });

  it("an unreadable file is named, keeps its rows and does not hold up the others", ({ skip }) => {
    if (process.getuid?.() === 0 && process.seteuid === undefined) skip("root reads everything");
    writeFileSync(file("a.jsonl"), deliveries(0, 1));
    writeFileSync(file("b.jsonl"), deliveries(1, 1));
    syncLedger(db, ledger);
    appendFileSync(file("a.jsonl"), deliveries(2, 1));
    appendFileSync(file("b.jsonl"), deliveries(3, 1));
    chmodSync(file("a.jsonl"), 0);
    chmodSync(dir, 0o755);
    const result = unprivileged(() => syncLedger(db, ledger));
    expect(result).toEqual({ files: 2, rows: 2, malformed: 0, unreadable: ["a.jsonl"] });
    expect(rowsOf(db)).toHaveLength(6);
    chmodSync(file("a.jsonl"), 0o600);
    expect(syncLedger(db, ledger).rows).toBe(2);
  });

  it("gives the same rows after the index was deleted, also with its log left behind", () => {
    writeFileSync(file(), deliveries(0, 40));
    syncLedger(db, ledger);
    const before = rowsOf(db);
    db.close();
    rmSync(index());
    writeFileSync(`${index()}-wal`, "left behind");
    writeFileSync(`${index()}-shm`, "left behind");
    db = openIndex({ path: index() });
    expect(rowsOf(db)).toEqual([]);
    syncLedger(db, ledger);
    expect(rowsOf(db)).toEqual(before);
  });
});

describe("several processes", () => {
  it("syncing the same ledger at once add every row once", async () => {
    writeFileSync(file("a.jsonl"), deliveries(0, 400));
    writeFileSync(file("b.jsonl"), deliveries(400, 400));
    const children = Array.from({ length: 4 }, () => ["index-sync", index(), ledger]);
    const outputs = await runChildren(program, children);
    const rows = outputs.map((output) => (JSON.parse(output) as { rows: number }).rows);
    expect(rows.reduce((a, b) => a + b)).toBe(1600);
    expectInStep();
  });

  it("killed in the middle, again and again, leave a sound index that syncs to exactly the ledger", async () => {
    writeFileSync(file("a.jsonl"), deliveries(0, 1500));
    let unfinished = 0;
    for (let round = 0; round < 12; round += 1) {
      const child = spawn(process.execPath, [program, "index-sync-forever", index(), ledger]);
      try {
        await syncing(child);
        await sleep(Math.random() * 60);
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
      }
      const rows = rowsOf(db).length;
      if (rows > 0 && rows < 3000) unfinished += 1;
      appendFileSync(file("b.jsonl"), deliveries(2000 + round * 10, 10));
    }
    expect(unfinished, "the kills hit the middle of a sync").toBeGreaterThan(0);
    expect(db.get("PRAGMA integrity_check")).toMatchObject({ integrity_check: "ok" });
    db.close();
    db = openIndex({ path: index(), onRebuilt: (reason) => expect.fail(reason) });
    syncLedger(db, ledger);
    expectInStep();
    expect(rowsOf(db)).toHaveLength(3240);
  });
});

async function syncing(child: ChildProcess): Promise<void> {
  let errors = "";
  child.stderr?.on("data", (chunk) => {
    errors += chunk;
  });
  const began = once(child.stdout!, "data");
  const ended = once(child, "exit").then(() => expect.fail(`the child ended by itself: ${errors}`));
  await Promise.race([began, ended]);
  ended.catch(() => undefined);
}
