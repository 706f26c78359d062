import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheRoot } from "./packages.ts";

/**
 * Tests that start processes run the bundles, as users do. They must not run a stale build. Failures without a home are
 * recorded in the temporary folder, so the tests have their own: nothing on this machine affects them.
 */
export default function setup(): () => void {
  const root = join(import.meta.dirname, "..", "..");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root, stdio: "inherit" });
  process.env["CONTINUO_TEST_CACHE"] = cacheRoot();
  // Short: hosts put sockets into it, whose paths have about a hundred characters at most.
  const temporary = mkdtempSync(join(tmpdir(), "ct-"));
  chmodSync(temporary, 0o755); // some tests look at files as another user
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
  return () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}
