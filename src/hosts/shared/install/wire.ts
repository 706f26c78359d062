import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";
import { ensureFolder, missingFolders, namesIn, removeEmptyFolders } from "../../../store/folder.ts";
import type { Home } from "../../../store/home.ts";
import { writeFileAtomic } from "../../../store/write-file.ts";
import { hasEntries, type Installer, type Part, partsOf, type Wiring } from "../../port/installer.ts";
import { naming } from "./jsonc.ts";
import {
  type Kept,
  type Receipt,
  readReceipt,
  removeReceipt,
  type Unfinished,
  writeReceipt,
} from "./receipt.ts";
import {
  keepingMark,
  readSettingsFile,
  refuseDanglingLink,
  refuseReadOnly,
  withoutMark,
  writeSettingsFile,
} from "./settings-file.ts";

/** A change to one of a host's settings files: first planned and shown, then applied. */
export interface Change {
  readonly file: string;
  /** undefined if the file does not exist. */
  readonly before: string | undefined;
  /** undefined to remove the file. */
  readonly after: string | undefined;
  /** Whether the previous text contains Continuo's entries. */
  readonly isAgain?: boolean;
}

/** One change per settings file, including files without changes. `mcp: false` removes the MCP entry. */
export function planInstall(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  wiring: Wiring,
  { mcp = true }: { readonly mcp?: boolean } = {},
): Change[] {
  return plan(installer, env, ({ file, before, parts }) => {
    const after = parts.reduce(
      (text, part) =>
        keepingMark(text, (bare) =>
          part === installer.mcp && !mcp ? part.remove(bare) : part.add(bare, wiring),
        ),
      before ?? "",
    );
    const isAgain = before !== undefined && hasOurs(parts, before);
    return { file, before, after: before === undefined && after === "" ? undefined : after, isAgain };
  });
}

/**
 * A file that was not edited since the installation gets its original bytes back; from any other only Continuo's
 * entries are removed.
 */
export function planUninstall(installer: Installer, env: NodeJS.ProcessEnv, home: Home): Change[] {
  const receipt = readReceipt(home, installer.host);
  return plan(installer, env, ({ file, before, parts }) => {
    if (before === undefined) return { file, before, after: undefined };
    const kept = receipt?.files.find((one) => one.file === file);
    const original = kept === undefined ? lastBackup(file, parts) : originalOf(kept);
    const made = kept?.first === undefined ? kept?.backup : kept.first;
    const first = made === undefined || made === kept?.backup ? original : inBackups(made);
    // Unknown only if nothing indicates an installation.
    const clean = kept === undefined && first === undefined ? undefined : withoutMark(first ?? "");
    const without = (text: string) =>
      parts.reduce((result, part) => keepingMark(result, (bare) => part.remove(bare, clean)), text);
    if (kept !== undefined && kept.sha256After === sha256(before)) {
      if (kept.backup === null) return { file, before, after: undefined };
      // The backup may contain Continuo's entries too, if someone edited them by hand before the last installation.
      if (original !== undefined && without(original) === original) return { file, before, after: original };
    }
    const after = without(before);
    // The installation created the file, and nothing else is left in it.
    const isBlank = BLANK.test(after) || parts.some(({ blank }) => blank === after);
    return { file, before, after: made === null && isBlank ? undefined : after };
  });

  /**
   * Only the backup that the installation itself made, unchanged: anything else must not become the user's settings.
   */
  function originalOf({ backup, sha256Before }: Kept): string | undefined {
    const text = inBackups(backup);
    const isSame = text !== undefined && (sha256Before === undefined || sha256Before === sha256(text));
    return isSame ? text : undefined;
  }

  function inBackups(path: string | null): string | undefined {
    const isThere = path !== null && wayInside(join(home.backups, installer.host), path) !== undefined;
    return isThere ? backupAt(path) : undefined;
  }

  /** Without a receipt, a backup only shows which empty lists and objects are the user's. */
  function lastBackup(file: string, parts: readonly Part[]): string | undefined {
    const folder = join(home.backups, installer.host);
    const name = readableNames(folder)
      .filter((one) => one.replace(BACKUP_TIME, "") === basename(file))
      .sort()
      .at(-1);
    const text = name === undefined ? undefined : backupAt(join(folder, name));
    // A backup with Continuo's entries does not show the state before the installation.
    return text !== undefined && !hasOurs(parts, text) ? text : undefined;
  }
}

function hasOurs(parts: readonly Part[], text: string): boolean {
  return parts.some((part) => hasEntries(part.count(withoutMark(text))));
}

const BLANK = /^\s*(?:\{\s*\}\s*)?$/;

/** The prefix of a backup's name. */
const BACKUP_TIME = /^\d{4}-\d\d-\d\dT[\d-]+Z-/;

/** A folder that cannot be read counts as having no backups. */
function readableNames(folder: string): string[] {
  try {
    return namesIn(folder);
  } catch {
    return []; // then entries are removed one by one
  }
}

/** undefined if the backup is damaged: then entries are removed one by one. */
function backupAt(path: string): string | undefined {
  try {
    return readSettingsFile(path);
  } catch {
    return undefined; // damaged or missing
  }
}

export function isChange({ before, after }: Change): boolean {
  return before !== after;
}

/** Applies the changes and makes backups. Returns the paths of the backups by file. */
export function applyInstall(
  changes: readonly Change[],
  installer: Installer,
  home: Home,
  wiring: Wiring,
  now: number,
): ReadonlyMap<string, string> {
  const last = readReceipt(home, installer.host);
  const known = new Map(last?.files.map((one) => [one.file, one]));
  const made = changes.filter(isChange);
  for (const change of made) known.set(change.file, keep(change, known.get(change.file)));
  // The receipt is written first: if the process dies in between, its hash matches no file, and uninstall removes
  // single entries.
  const receipt: Receipt = {
    hostVersion: wiring.hostVersion ?? null,
    files: [...known.values()],
    guards: wiring.guards,
  };
  const { mcp, statusLine = false, allowTools = false } = wiring;
  const begun: Unfinished = { edit: "install", mcp: mcp !== undefined, statusLine, allowTools };
  // A session that only changes the form of the hooks does not complete what was interrupted.
  const left = installer.mcp === undefined ? last?.unfinished : undefined;
  const write = (unfinished: Unfinished | undefined) =>
    writeReceipt(home, installer.host, { ...receipt, ...(unfinished === undefined ? {} : { unfinished }) });
  write(made.length > 1 ? begun : left);
  applyAll(made, {
    done: () => {
      if (made.length > 1) write(left);
    },
    undone: () => {
      if (last === undefined) removeReceipt(home, installer.host);
      else writeReceipt(home, installer.host, last);
    },
  });
  return new Map(
    made.flatMap(({ file }) => {
      const backup = known.get(file)?.backup;
      return backup ? [[file, backup]] : [];
    }),
  );

  function keep({ file, before, after, isAgain = false }: Change, last: Kept | undefined): Kept {
    const sha256After = sha256(after ?? "");
    if (before === undefined)
      return {
        file,
        backup: null,
        sha256After,
        folders: [...missingFolders(dirname(file)), ...(last?.folders ?? [])],
      };
    // A second installation must not record the result of the first one as the user's original.
    if (last?.sha256After === sha256(before)) return { ...last, sha256After };
    const folder = join(home.backups, installer.host);
    ensureFolder(folder);
    const backup = join(folder, `${new Date(now).toISOString().replace(/[:.]/g, "-")}-${basename(file)}`);
    writeFileAtomic(backup, before);
    // Nothing is edited before the previous text is safe.
    if (readSettingsFile(backup) !== before)
      throw new ContinuoError("backup-failed", `the backup ${backup} cannot be read back`, {
        hint: "check the disk; nothing was changed",
      });
    return {
      file,
      backup,
      sha256Before: sha256(before),
      sha256After,
      ...(last !== undefined && isAgain
        ? { first: last.first === undefined ? last.backup : last.first }
        : {}),
      ...(last?.folders === undefined ? {} : { folders: last.folders }),
    };
  }
}

export function applyUninstall(changes: readonly Change[], installer: Installer, home: Home): void {
  const receipt = readReceipt(home, installer.host) ?? { hostVersion: null, files: [] };
  const made = changes.filter(isChange);
  const { unfinished: _, ...finished } = receipt;
  const write = (now: Receipt) => {
    if (made.length > 1) writeReceipt(home, installer.host, now);
  };
  attempt(() => write({ ...finished, unfinished: { edit: "uninstall" } }));
  applyAll(made, { done: () => undefined, undone: () => write(receipt) });
  for (const { file, after } of changes)
    if (after === undefined)
      removeEmptyFolders(receipt.files.find((one) => one.file === file)?.folders ?? []);
  attempt(() => removeReceipt(home, installer.host));
}

/** If one of Continuo's folders is read-only or full, an edit in progress or a removal must still continue. */
export function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // `doctor` reports a missing or left-over mark; a left-over receipt matches no file.
  }
}

interface Concerned {
  readonly file: string;
  readonly before: string | undefined;
  readonly parts: readonly Part[];
}

function plan(
  installer: Installer,
  env: NodeJS.ProcessEnv,
  edit: (concerned: Concerned) => Change,
): Change[] {
  const files = new Map<string, Part[]>();
  for (const part of partsOf(installer)) {
    const file = part.settingsFile(env);
    files.set(file, [...(files.get(file) ?? []), part]);
  }
  return [...files].map(([file, parts]) =>
    naming(file, () => {
      const change = edit({ file, before: readSettingsFile(file), parts });
      if (isChange(change)) {
        refuseReadOnly(file);
        refuseDanglingLink(file);
      }
      return change;
    }),
  );
}

interface Settled {
  /** All files are written. */
  done(): void;
  /** One file could not be written, and the others were restored. */
  undone(): void;
}

/** All or nothing: if one file cannot be written, the files before it are restored. */
function applyAll(changes: readonly Change[], { done, undone }: Settled): void {
  const written: Change[] = [];
  try {
    for (const change of changes) {
      // Hosts write these files too, and their changes must not be lost.
      if (readSettingsFile(change.file) !== change.before)
        throw new ContinuoError("settings-changed", `${change.file} was changed just now by someone else`, {
          hint: "run the command again",
        });
      writeSettingsFile(change.file, change.after);
      written.push(change);
    }
  } catch (error) {
    for (const { file, before } of written.reverse()) writeSettingsFile(file, before);
    attempt(undone); // the error to report is the original one, not what a full disk did to the receipt
    throw error;
  }
  attempt(done); // the settings are right; `doctor` reports a left-over mark
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
