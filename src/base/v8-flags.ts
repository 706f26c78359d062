/** Sets flags of V8 for the rest of this process, such as `--no-opt`. Does nothing in other engines. */
export function setV8Flags(...flags: readonly string[]): void {
  if (process.versions["bun"] !== undefined) return;
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of flags) setFlagsFromString(flag);
}
