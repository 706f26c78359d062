type Crypto = typeof import("node:crypto");

let crypto: Crypto | undefined;

/** Of a note's whole text, as maenifold computes it: Base64 of SHA-256. The guard of an edit. */
export async function checksumOf(text: string): Promise<string> {
  // Loading it takes a hook 5 ms, and few need it.
  crypto ??= await import("node:crypto");
  return crypto.createHash("sha256").update(text, "utf8").digest("base64");
}
