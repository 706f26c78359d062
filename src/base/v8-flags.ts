/** Stored on `process`, because each bundle of the package has its own copy of this module. */
const UNOPTIMISED = Symbol.for("continuo.unoptimised");
const marked = process as typeof process & { [UNOPTIMISED]?: boolean };

/** Sets flags of V8 for the rest of this process, such as `--no-opt`. Does nothing in other engines. */
export function setV8Flags(...flags: readonly string[]): void {
  if (process.versions["bun"] !== undefined) return;
  if (flags.includes("--no-opt")) marked[UNOPTIMISED] = true;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}

/**
 * For long work in a process that was started without optimised code, which is ten times slower. Does nothing in other
 * processes, such as a host's own. Compiles on the main thread only: a process that was exiting has hung forever
 * waiting for a compiler thread.
 */
export function optimiseAgain(): void {
  if (!(marked[UNOPTIMISED] ?? process.execArgv.includes("--no-opt"))) return;
  marked[UNOPTIMISED] = false;
  setV8Flags("--no-concurrent-recompilation", "--opt", "--sparkplug");
}
