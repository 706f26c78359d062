import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./child.ts";

/** The code of each bundle in the file that the build made, by its name. */
export function builtBundles(): Map<string, string> {
  const dist = join(ROOT, "dist");
  const [file = ""] = readdirSync(dist).filter((name) => /^code-\w{8}\.cjs$/.test(name));
  const all = createRequire(import.meta.url)(join(dist, file)) as Record<string, () => void>;
  return new Map(Object.entries(all).map(([name, code]) => [name, String(code)]));
}
