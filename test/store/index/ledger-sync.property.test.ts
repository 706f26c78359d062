import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { syncLedger } from "../../../src/store/index/ledger-sync.ts";
import { openIndex } from "../../../src/store/index/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import { delivery, type Row, rowsInLedger, rowsOf } from "./ledger.ts";

const op = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant("append" as const), lines: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("append-part" as const),
      bytes: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("append-noise" as const), text: fc.string({ unit: "binary" }) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("rotate" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("truncate" as const),
      keep: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("delete-file" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("delete-index" as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant("sync" as const), slice: fc.integer({ min: 700, max: 3000 }) }),
  },
);
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never;

/** A home with a ledger and an index, and the counters that make every line another one. */
interface World {
  readonly dir: string;
  db: Database;
  line: number;
  rotation: number;
}

const ledgerOf = ({ dir }: World) => path.join(dir, "ledger");
const current = (world: World) =>
  path.join(ledgerOf(world), `ledger-${String(world.rotation).padStart(3, "0")}.jsonl`);

function apply(world: World, step: Op): void {
  const file = current(world);
  switch (step.type) {
    case "append":
      for (let n = 0; n < step.lines; n += 1) appendFileSync(file, `${delivery(world.line++)}\n`);
      return;
    case "append-part":
      appendFileSync(file, delivery(world.line++).slice(0, step.bytes));
      return;
    case "append-noise":
      appendFileSync(file, `${step.text}\n`);
      return;
    case "rotate":
      world.rotation += 1;
      return;
    case "truncate":
      appendFileSync(file, "");
      truncateSync(file, Math.floor(statSync(file).size * step.keep));
      return;
    case "delete-file":
      rmSync(file, { force: true });
      return;
    case "delete-index":
      world.db.close();
      rmSync(path.join(world.dir, "index.db"));
      world.db = openIndex({ path: path.join(world.dir, "index.db") });
      return;
    case "sync":
      syncLedger(world.db, ledgerOf(world), step.slice);
  }
}

function fromScratch(world: World): Row[] {
  const db = openIndex({ path: path.join(world.dir, "scratch.db") });
  try {
    syncLedger(db, ledgerOf(world));
    return rowsOf(db);
  } finally {
    db.close();
  }
}

it("whatever happens to the ledger and the index, a sync gives the rows of a rebuild", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 30 }), (steps) => {
      const dir = mkdtempSync(path.join(tmpdir(), "continuo-property-"));
      mkdirSync(path.join(dir, "ledger"));
      const world: World = { dir, db: openIndex({ path: path.join(dir, "index.db") }), line: 0, rotation: 0 };
      try {
        for (const step of steps) apply(world, step);
        syncLedger(world.db, ledgerOf(world), 1000);
        const rows = rowsOf(world.db);
        expect(rows).toEqual(rowsInLedger(ledgerOf(world)));
        expect(rows).toEqual(fromScratch(world));
      } finally {
        world.db.close();
        rmSync(dir, { recursive: true, force: true });
      }
    }),
    { numRuns: Number(process.env["CONTINUO_PROPERTY_RUNS"] ?? 150) },
  );
});
