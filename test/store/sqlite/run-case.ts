import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "../../../src/store/sqlite/open.ts";
import type { Database } from "../../../src/store/sqlite/types.ts";
import type { Case } from "./contract.ts";

/** Runs one case in a separate folder. Closes connections that it left open, or Windows could not delete the files. */
export async function runCase({ run }: Case, program: string): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), "continuo-sqlite-"));
  const opened: Database[] = [];
  try {
    await run({
      dir,
      program,
      open(file, options) {
        const db = openDatabase(path.join(dir, file), options);
        opened.push(db);
        return db;
      },
    });
  } finally {
    for (const db of opened) db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
