import { ContinuoError, systemCode } from "../../base/errors.ts";
import { Sqlite, sqliteCode } from "../sqlite/errors.ts";

const REBUILT = "Nothing is lost: the index is derived, and the next command builds it again.";

const UNWRITABLE = new Set<number>([
  Sqlite.perm,
  Sqlite.readOnly,
  Sqlite.ioError,
  Sqlite.full,
  Sqlite.cantOpen,
]);

/** Translates an error of SQLite for the users of the index; undefined if it is a bug in Continuo. */
export function indexFailure(error: unknown, path: string): ContinuoError | undefined {
  const code = sqliteCode(error);
  if (code === undefined) return undefined;
  if (code === Sqlite.busy || code === Sqlite.locked) return busy(path, error);
  if (UNWRITABLE.has(code)) return unwritable(path, error);
  if (code === Sqlite.corrupt || code === Sqlite.notADatabase) {
    const message = `The index ${path} is damaged (${messageOf(error)})`;
    return new ContinuoError("index-corrupt", message, { hint: REBUILT, cause: error });
  }
  return undefined;
}

/** The same for what the file system threw while the index was being opened or set aside. */
export function folderFailure(error: unknown, path: string): ContinuoError | undefined {
  const code = systemCode(error);
  if (code === undefined || sqliteCode(error) !== undefined || error instanceof ContinuoError)
    return undefined;
  // Windows does not rename a file that another process has open.
  if (code === "EBUSY") return busy(path, error);
  return code.startsWith("E") && !code.startsWith("ERR_") ? unwritable(path, error) : undefined;
}

function busy(path: string, cause?: unknown): ContinuoError {
  const hint = "Another process is writing; try again. If it stays so, `continuo doctor` shows who.";
  return new ContinuoError("index-busy", `The index ${path} is in use by another process`, { hint, cause });
}

function unwritable(path: string, cause: unknown): ContinuoError {
  const message = `The index ${path} cannot be written (${messageOf(cause)})`;
  const hint = "Check that its folder exists, is yours, is not read-only and has space left.";
  return new ContinuoError("index-unwritable", message, { hint, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
