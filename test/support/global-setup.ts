import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Tests that start processes run what users run: the bundles. A stale build must not pass for the source. */
export default function setup(): void {
  const root = join(import.meta.dirname, "..", "..");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root, stdio: "inherit" });
}
