import { rmSync } from "node:fs";
import { join } from "node:path";
import { wayInside } from "../../../base/inside.ts";
import { isRecord, parseBounded } from "../../../base/json.ts";
import type { Home } from "../../../store/home.ts";
import { readText } from "../../../store/read-file.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";

/** The host's version at the last installation. */
export function installedVersion(home: Home, host: string): string | undefined {
  return readReceipt(home, host)?.hostVersion ?? undefined;
}

/** An installation's change of one file. */
export interface Kept {
  readonly file: string;
  /** The backup of the previous text; null if there was no file. */
  readonly backup: string | null;
  /** The hash of the previous text. Absent if there was no file, and in receipts of older versions. */
  readonly sha256Before?: string;
  readonly sha256After: string;
  /**
   * The backup of the text before the first installation, if Continuo's entries were changed by hand before a later
   * one. It shows which lists and objects are the user's.
   */
  readonly first?: string | null;
  /** The folders that were created for the file, innermost first. Absent in receipts of older versions. */
  readonly folders?: readonly string[];
}

export interface Receipt {
  readonly hostVersion: string | null;
  readonly files: readonly Kept[];
  /**
   * Set if Continuo wrote the hook before tool calls. If the hook is missing all the same, the user removed it, and
   * only the user adds it again. Absent in receipts of older versions.
   */
  readonly guards?: boolean;
  /** An edit of several files that was begun. It stays only if the process was killed in between. */
  readonly unfinished?: Unfinished;
}

export type Unfinished =
  | { readonly edit: "uninstall" }
  /** An installation, with the options that the user chose. */
  | {
      readonly edit: "install";
      readonly mcp: boolean;
      readonly statusLine: boolean;
      readonly allowTools: boolean;
    };

/**
 * undefined if it is missing or damaged: then the exact text cannot be restored, and entries are removed one by one.
 */
export function readReceipt(home: Home, host: string): Receipt | undefined {
  try {
    const value: unknown = parseBounded(readText(receiptFile(home, host), { maxBytes: 1024 * 1024 }));
    if (!isRecord(value) || !Array.isArray(value["files"]) || !value["files"].every(isKept)) return undefined;
    const version = value["hostVersion"];
    const unfinished = unfinishedIn(value["unfinished"]);
    return {
      hostVersion: typeof version === "string" ? version : null,
      files: value["files"],
      guards: value["guards"] === true,
      unfinished,
    };
  } catch {
    return undefined; // damaged, which counts as missing: the settings files are examined instead
  }
}

export function writeReceipt(home: Home, host: string, receipt: Receipt): void {
  writeFileAtomic(receiptFile(home, host), `${JSON.stringify(receipt)}\n`);
}

export function noteGuards(home: Home, host: string, guards: boolean): void {
  const receipt = readReceipt(home, host);
  if (receipt !== undefined && receipt.guards !== guards) writeReceipt(home, host, { ...receipt, guards });
}

/** Notes that the settings are complete, whatever was interrupted before. */
export function noteFinished(home: Home, host: string): void {
  const { unfinished, ...receipt } = readReceipt(home, host) ?? {};
  if (unfinished !== undefined) writeReceipt(home, host, receipt as Receipt);
}

export function removeReceipt(home: Home, host: string): void {
  rmSync(receiptFile(home, host), { force: true });
}

function unfinishedIn(value: unknown): Unfinished | undefined {
  if (!isRecord(value)) return undefined;
  const { edit, mcp, statusLine, allowTools } = value;
  if (edit === "uninstall") return { edit };
  if (edit !== "install") return undefined;
  return { edit, mcp: mcp === true, statusLine: statusLine === true, allowTools: allowTools === true };
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value)) return false;
  const { file, backup, sha256Before = "", sha256After, first = null, folders = [] } = value;
  return (
    typeof file === "string" &&
    Array.isArray(folders) &&
    folders.every((folder) => typeof folder === "string" && wayInside(folder, file) !== undefined) &&
    (typeof backup === "string" || backup === null) &&
    (typeof first === "string" || first === null) &&
    typeof sha256Before === "string" &&
    typeof sha256After === "string"
  );
}

function receiptFile(home: Home, host: string): string {
  return join(home.backups, host, "receipt.json");
}
