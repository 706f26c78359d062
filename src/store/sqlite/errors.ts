import { ContinuoError } from "../../base/errors.ts";

/** The primary result codes of SQLite that are used here: https://sqlite.org/rescode.html */
export const Sqlite = {
  perm: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/** SQLite's primary result code in a driver's error: Node calls it `errcode`, Bun `errno`. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, errno, name } = error as Error & Record<"code" | "errcode" | "errno", unknown>;
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number") return errcode & 0xff;
  // The name distinguishes it from a system error, whose `errno` means something else.
  if (name === "SQLiteError" && typeof errno === "number") return errno & 0xff;
  return undefined;
}

interface Runtime {
  readonly version: string;
  readonly versions: NodeJS.ProcessVersions;
}

/** Says which runtime to install: users of an old Node cannot know which versions have SQLite. */
export function missingModule(runtime: Runtime): ContinuoError {
  return new ContinuoError("sqlite-missing", `${nameOf(runtime)} has no built-in SQLite`, {
    hint: INSTALL,
  });
}

const INSTALL = "install Node 24 (or Node 22.19 or later, or Bun 1.3 or later)";

function nameOf({ version, versions }: Runtime): string {
  return versions["bun"] === undefined ? `Node ${version.replace(/^v/, "")}` : `Bun ${versions["bun"]}`;
}
