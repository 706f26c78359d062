import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TableContents, writeTable } from "../../../scripts/meaning/write-table.ts";

export interface TableFile extends Disposable {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A table of these pieces in a temporary file, which goes with the scope. */
export function tableFile(pieces: TableContents["pieces"], bits: 4 | 8 = 4, version = "test"): TableFile {
  const dimensions = pieces.find(({ vector }) => vector)?.vector?.length ?? 8;
  return fileOf(writeTable({ version, dimensions, bits, pieces }));
}

export function fileOf(bytes: Uint8Array): TableFile {
  const folder = mkdtempSync(join(tmpdir(), "continuo-meaning-"));
  const path = join(folder, "table.bin");
  writeFileSync(path, bytes);
  return { path, bytes, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
