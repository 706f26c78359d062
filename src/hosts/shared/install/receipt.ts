import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseBounded } from "../../../base/json.ts";
import { isRecord } from "../../../base/settings.ts";
import type { Home } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";

/** What an installation changed in one file. */
export interface Kept {
  readonly file: string;
  /** Where the text from before is; null when there was no file. */
  readonly backup: string | null;
  readonly sha256After: string;
}

export interface Receipt {
  readonly hostVersion: string | null;
  readonly files: readonly Kept[];
}

/** undefined when there is none, or a damaged one: that only costs the exact restore, and entries go one by one. */
export function readReceipt(home: Home, host: string): Receipt | undefined {
  try {
    const value: unknown = parseBounded(readText(receiptFile(home, host), { maxBytes: 1024 * 1024 }));
    if (!isRecord(value) || !Array.isArray(value["files"]) || !value["files"].every(isKept)) return undefined;
    const version = value["hostVersion"];
    return { hostVersion: typeof version === "string" ? version : null, files: value["files"] };
  } catch {
    return undefined;
  }
}

export function writeReceipt(home: Home, host: string, receipt: Receipt): void {
  writeFileAtomic(receiptFile(home, host), `${JSON.stringify(receipt)}\n`);
}

export function removeReceipt(home: Home, host: string): void {
  rmSync(receiptFile(home, host), { force: true });
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value)) return false;
  const { file, backup, sha256After } = value;
  return (
    typeof file === "string" &&
    (typeof backup === "string" || backup === null) &&
    typeof sha256After === "string"
  );
}

function receiptFile(home: Home, host: string): string {
  return join(home.backups, host, "receipt.json");
}
