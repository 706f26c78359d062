let crypto: typeof import("node:crypto") | undefined;

/** Of a note's whole text, as maenifold computes it: Base64 of SHA-256. The guard of an edit. */
export function checksumOf(text: string): string {
  // Loading it takes a hook 5 ms, and few need it. `import()` would make it a file of our own in the bundle.
  crypto ??= process.getBuiltinModule("node:crypto");
  return crypto.createHash("sha256").update(text, "utf8").digest("base64");
}
