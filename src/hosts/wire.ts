import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ContinuoError, systemCode } from "../moments/errors.ts";
import { writeFileAtomic } from "../store/atomic-file.ts";
import type { Home } from "../store/home.ts";
import { isRecord } from "../store/settings.ts";
import type { Installer, Wiring } from "./installer.ts";

/** A change to a host's settings file: worked out first, shown, and then made. */
export interface Change {
  readonly file: string;
  /** undefined: the file is not there. */
  readonly before: string | undefined;
  /** undefined: the file goes. */
  readonly after: string | undefined;
}

export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw new ContinuoError("settings-unreadable", `${file} cannot be read (${systemCode(error)})`, {
      hint: "make it readable; nothing was changed",
      cause: error,
    });
  }
}

export function planInstall(installer: Installer, env: NodeJS.ProcessEnv, wiring: Wiring): Change {
  const file = installer.settingsFile(env);
  const before = readText(file);
  return { file, before, after: keepingMark(before ?? "", (text) => installer.add(text, wiring)) };
}

/** Editors on Windows put a byte order mark before the text: it is no part of the JSON, and stays where it was. */
function keepingMark(text: string, edit: (text: string) => string): string {
  return text.startsWith("\ufeff") ? `\ufeff${edit(text.slice(1))}` : edit(text);
}

/** If nobody touched the file since we did, the bytes from before come back; else only our entries go. */
export function planUninstall(installer: Installer, env: NodeJS.ProcessEnv, home: Home): Change {
  const file = installer.settingsFile(env);
  const before = readText(file);
  if (before === undefined) return { file, before, after: undefined };
  const receipt = readReceipt(home, installer.host);
  if (receipt !== undefined && receipt.file === file && receipt.sha256After === sha256(before)) {
    const original = receipt.backup === null ? undefined : readText(receipt.backup);
    // Someone may have edited our entries by hand before the last installation: then the backup has them too.
    if (receipt.backup === null || (original !== undefined && installer.remove(original) === original)) {
      return { file, before, after: original };
    }
  }
  return { file, before, after: keepingMark(before, installer.remove) };
}

/** Writes the change, keeping what was there. Returns the backup's path, if there was something to keep. */
export function applyInstall(
  change: Change,
  installer: Installer,
  home: Home,
  wiring: Wiring,
  now: number,
): string | undefined {
  const folder = join(home.backups, installer.host);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const known = readReceipt(home, installer.host);
  // A second installation must not take the first one's result for the user's original.
  const isUpdate =
    known !== undefined && change.before !== undefined && known.sha256After === sha256(change.before);
  let backup = isUpdate ? (known.backup ?? undefined) : undefined;
  if (!isUpdate && change.before !== undefined) {
    backup = join(folder, `settings-${new Date(now).toISOString().replace(/[:.]/g, "-")}.json`);
    writeFileAtomic(backup, change.before);
  }
  const receipt: Receipt = {
    file: change.file,
    backup: backup ?? null,
    sha256After: sha256(change.after ?? ""),
    hostVersion: wiring.hostVersion ?? null,
  };
  // The receipt first: if we die between the two, it names a hash that never came to be, and uninstall edits by entry.
  writeFileAtomic(receiptFile(home, installer.host), `${JSON.stringify(receipt)}\n`);
  writeFileAtomic(change.file, change.after ?? "", { mode: 0o644 });
  return backup;
}

export function applyUninstall(change: Change, installer: Installer, home: Home): void {
  if (change.after === undefined) rmSync(change.file, { force: true });
  else writeFileAtomic(change.file, change.after, { mode: 0o644 });
  rmSync(receiptFile(home, installer.host), { force: true });
}

interface Receipt {
  readonly file: string;
  readonly backup: string | null;
  readonly sha256After: string;
  readonly hostVersion: string | null;
}

/** The host's version at the time of the installation. */
export function installedVersion(home: Home, host: string): string | undefined {
  return readReceipt(home, host)?.hostVersion ?? undefined;
}

function readReceipt(home: Home, host: string): Receipt | undefined {
  const text = readText(receiptFile(home, host));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value["file"] === "string" && typeof value["sha256After"] === "string") {
      return value as unknown as Receipt;
    }
  } catch {
    // A damaged receipt only costs the exact restore: our entries are then removed one by one.
  }
  return undefined;
}

function receiptFile(home: Home, host: string): string {
  return join(home.backups, host, "receipt.json");
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
