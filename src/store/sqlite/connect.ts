import { type BunSqlite, bunDriver } from "./bun-driver.ts";
import { missingModule } from "./errors.ts";
import { type NodeSqlite, nodeDriver } from "./node-driver.ts";
import type { Driver } from "./types.ts";

/** The part of `process` this needs, so that a test can be a runtime that has no SQLite. */
export type Runtime = Pick<NodeJS.Process, "version" | "versions" | "emitWarning"> & {
  getBuiltinModule?(id: string): object | undefined;
};

/**
 * The runtime's own SQLite. Asked for by name at run time, never imported: one bundled file serves Node and
 * Bun, neither of which has the other's module, and a command that needs no database does not load one.
 */
export function connect(path: string, readOnly: boolean, runtime: Runtime = process): Driver {
  // Bun first: from 1.4 on it also offers node:sqlite, but what is inside OpenCode does not.
  if (runtime.versions["bun"] !== undefined) {
    const sqlite = runtime.getBuiltinModule?.("bun:sqlite");
    if (sqlite === undefined) throw missingModule(runtime);
    return bunDriver(sqlite as BunSqlite, path, readOnly);
  }
  const sqlite = quietly(runtime, () => runtime.getBuiltinModule?.("node:sqlite"));
  if (sqlite === undefined) throw missingModule(runtime);
  return nodeDriver(sqlite as NodeSqlite, path, readOnly);
}

/** Node 22 warns on loading SQLite; in a hook that lands in the host's log at every call. Only that one is held. */
function quietly<T>(runtime: Runtime, load: () => T): T {
  const original = runtime.emitWarning;
  const filtered = (warning: string | Error, ...rest: unknown[]): void => {
    const text = typeof warning === "string" ? warning : warning.message;
    if (rest[0] === "ExperimentalWarning" && text.startsWith("SQLite is an experimental")) return;
    Reflect.apply(original, runtime, [warning, ...rest]);
  };
  runtime.emitWarning = filtered as typeof original;
  try {
    return load();
  } finally {
    runtime.emitWarning = original;
  }
}
