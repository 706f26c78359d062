import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { identityOf, markDamaged } from "../../../src/store/derived-index/damage.ts";
import { openIndex } from "../../../src/store/derived-index/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { deliveries } from "../../support/ledger-lines.ts";
import { runChildren } from "../sqlite/children.ts";
import type { Case, Setting } from "../sqlite/contract.ts";
import { steps } from "./children.ts";
import { CONTENT, fill, rowsInFiles, rowsOf } from "./content.ts";

/** What the index must do on every runtime: mostly, that each driver's errors are understood. */

function withIndex({ dir }: Setting, run: (context: Context) => void): void {
  const file = path.join(dir, "index.db");
  const opened: Database[] = [];
  const rebuilt: string[][] = [];
  const open = () => {
    const db = openIndex({
      path: file,
      migrations: CONTENT,
      onRebuilt: (reason, movedTo) => rebuilt.push([reason, path.basename(movedTo)]),
    });
    opened.push(db);
    return db;
  };
  try {
    run({ file, rebuilt, open, files: path.join(dir, "files") });
  } finally {
    for (const db of opened) db.close();
  }
}

interface Context {
  readonly file: string;
  readonly files: string;
  readonly rebuilt: string[][];
  open(): Database;
}

/** An index that holds the lines of a file, closed. */
function filled({ open, files }: Context): void {
  mkdirSync(files);
  writeFileSync(path.join(files, "a.jsonl"), deliveries(0, 300));
  const db = open();
  fill(db, files);
  db.close();
}

function assertRebuilt(context: Context, reason: RegExp): void {
  const db = context.open();
  assert.equal(context.rebuilt.length, 1);
  assert.match(context.rebuilt[0]![0]!, reason);
  assert.equal(context.rebuilt[0]![1], "index.db.bad-1");
  assert.ok(existsSync(`${context.file}.bad-1`));
  assert.deepEqual(rowsOf(db), []);
  fill(db, context.files);
  assert.deepEqual(rowsOf(db), rowsInFiles(context.files));
  db.close();
  context.open().close();
  assert.equal(context.rebuilt.length, 1, "once rebuilt, it stays");
}

const BAD: Record<string, { spoil(file: string): void; reason: RegExp }> = {
  garbage: { spoil: (file) => writeFileSync(file, "no database ".repeat(2000)), reason: /not a database/ },
  "truncated to half": { spoil: (file) => truncateSync(file, 4096 * 20 + 77), reason: /malformed/ },
  "truncated in its header": { spoil: (file) => truncateSync(file, 50), reason: /malformed/ },
  "a folder in its place": {
    spoil(file) {
      rmSync(file);
      mkdirSync(file);
      writeFileSync(path.join(file, "mine.txt"), "somebody's");
    },
    reason: /not a file/,
  },
};

const badFiles: Case[] = Object.entries(BAD).map(([what, { spoil, reason }]) => ({
  name: `index: ${what} is set aside and built anew`,
  run: (setting) =>
    withIndex(setting, (context) => {
      filled(context);
      spoil(context.file);
      assertRebuilt(context, reason);
    }),
}));

function exec(setting: Setting, sql: string): void {
  const raw = setting.open("index.db");
  raw.exec(sql);
  raw.close();
}

export const indexContract: readonly Case[] = [
  ...badFiles,
  {
    name: "index: another program's database and one from the future are set aside",
    run: (setting) =>
      withIndex(setting, (context) => {
        filled(context);
        exec(setting, "PRAGMA user_version = 99");
        assertRebuilt(context, /version 99 is newer/);
        exec(setting, "PRAGMA application_id = 7");
        context.open();
        assert.deepEqual(context.rebuilt[1], ["it is not an index of continuo", "index.db.bad-2"]);
        const kept = readdirSync(setting.dir).filter((name) => name.includes(".bad-"));
        assert.deepEqual(kept, ["index.db.bad-2"]);
      }),
  },
  {
    name: "index: an empty file is simply a new index",
    run: (setting) =>
      withIndex(setting, (context) => {
        writeFileSync(context.file, "");
        assert.deepEqual(rowsOf(context.open()), []);
        assert.deepEqual(context.rebuilt, []);
      }),
  },
  {
    name: "index: damage that only a query meets is reported, and the next open builds anew",
    run: (setting) =>
      withIndex(setting, (context) => {
        filled(context);
        const raw = setting.open("index.db");
        const { rootpage } = raw.get<{ rootpage: number }>(
          "SELECT rootpage FROM sqlite_schema WHERE name = 'entry'",
        )!;
        raw.close();
        spoilPage(context.file, rootpage);
        const db = context.open();
        assert.deepEqual(context.rebuilt, []);
        assert.throws(() => rowsOf(db), { code: "index-corrupt" });
        assertRebuilt(context, /damaged/);
      }),
  },
  {
    name: "index: a process that holds the one set aside cannot harm or condemn the new one",
    run: (setting) =>
      withIndex(setting, (context) => {
        filled(context);
        const old = context.open();
        const identity = identityOf(context.file)!;
        markDamaged(context.file, identity);
        const fresh = context.open();
        assert.equal(context.rebuilt.length, 1);
        assert.ok(existsSync(`${context.file}.bad-1-wal`), "its log went with it");
        assert.equal(fill(fresh, context.files), 300);
        old.run("DELETE FROM file");
        markDamaged(context.file, identity);
        old.close();
        assert.deepEqual(rowsOf(context.open()), rowsInFiles(context.files));
        assert.equal(context.rebuilt.length, 1);
        assert.equal(fresh.get<{ integrity_check: string }>("PRAGMA integrity_check")?.integrity_check, "ok");
      }),
  },
  {
    name: "index: deleted while a process holds it, a new one does not share that one's log",
    run: (setting) =>
      withIndex(setting, (context) => {
        if (process.platform === "win32") return; // An open file cannot be deleted there.
        filled(context);
        const old = context.open();
        old.run("UPDATE entry SET body = 'old'");
        rmSync(context.file);
        const fresh = context.open();
        fill(fresh, context.files);
        old.run("UPDATE entry SET body = 'older'");
        old.close();
        assert.deepEqual(rowsOf(fresh), rowsInFiles(context.files));
        assert.deepEqual(rowsOf(context.open()), rowsInFiles(context.files));
        assert.equal(fresh.get<{ integrity_check: string }>("PRAGMA integrity_check")?.integrity_check, "ok");
      }),
  },
  {
    name: "index: busy past the timeout, a full disk and an impossible folder have names",
    run: (setting) =>
      withIndex(setting, ({ file, open }) => {
        const db = open();
        db.exec("PRAGMA busy_timeout = 30");
        const other = setting.open("index.db");
        other.tx(() => assert.throws(() => db.tx(() => undefined), { code: "index-busy" }));
        db.exec("CREATE TABLE big (b); PRAGMA max_page_count = 1");
        const fill = () => db.tx(() => db.run("INSERT INTO big VALUES (zeroblob(900000))"));
        assert.throws(fill, { code: "index-unwritable" });
        writeFileSync(path.join(setting.dir, "blocked"), "");
        assert.throws(
          () => openIndex({ path: path.join(setting.dir, "blocked", "index.db"), migrations: CONTENT }),
          {
            code: "index-unwritable",
          },
        );
        assert.ok(existsSync(file));
      }),
  },
  {
    name: "index: many processes find the same damage; one rebuilds, and nobody's rows are lost",
    async run(setting) {
      for (let round = 0; round < 3; round += 1) {
        const file = path.join(setting.dir, `race-${round}.db`);
        writeFileSync(file, "garbage ".repeat(4000));
        const told = await openAtOnce(setting, file);
        assert.equal(told.flatMap(({ rebuilt }) => rebuilt).length, 1);
        assertEverybodysRows(setting, file, told);
      }
    },
  },
  {
    name: "index: many processes migrate it at once, new or old; every step runs once",
    async run(setting) {
      for (let version = 0; version < steps.length; version += 2) {
        const file = path.join(setting.dir, `version-${version}.db`);
        if (version > 0) openIndex({ path: file, migrations: steps.slice(0, version) }).close();
        const told = await openAtOnce(setting, file);
        assert.deepEqual(
          told.flatMap(({ rebuilt }) => rebuilt),
          [],
        );
        assertEverybodysRows(setting, file, told);
        const log = setting.open(path.basename(file)).all<{ step: string }>("SELECT step FROM log");
        assert.deepEqual(
          log.map((row) => row.step),
          steps.map(({ name }) => name),
        );
      }
    },
  },
];

interface Told {
  readonly pid: number;
  readonly rebuilt: string[];
}

async function openAtOnce({ program }: Setting, file: string): Promise<Told[]> {
  const outputs = await runChildren(
    program,
    Array.from({ length: 5 }, () => ["index-open", file]),
  );
  return outputs.map((output) => JSON.parse(output) as Told);
}

/** Each child wrote its pid into the index that it got. */
function assertEverybodysRows({ open }: Setting, file: string, told: readonly Told[]): void {
  const rows = open(path.basename(file)).all<{ a: number }>("SELECT a FROM one ORDER BY a");
  assert.deepEqual(
    rows.map((row) => row.a),
    told.map(({ pid }) => pid).sort((a, b) => a - b),
  );
}

function spoilPage(file: string, page: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xee, (page - 1) * 4096, page * 4096);
  writeFileSync(file, bytes);
}
