import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheRoot } from "./packages.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * Tests that start processes run the bundles, as users do. They must not run a stale build. Failures without a home are
 * recorded in the temporary folder, so the tests have their own: nothing on this machine affects them.
 */
export default function setup(): () => void {
  build();
  process.env["CONTINUO_TEST_CACHE"] = cacheRoot();
  // Short: hosts put sockets into it, whose paths have about a hundred characters at most.
  const temporary = mkdtempSync(join(inMemory() ?? tmpdir(), "ct-"));
  chmodSync(temporary, 0o755); // some tests look at files as another user
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
  return () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A folder in memory, where there is one that can take everything that tests make: programs, and devices of root. Waiting for
 * the disk is a third of the time, and most of it on a machine that others use.
 */
function inMemory(): string | undefined {
  const folder = "/dev/shm";
  if (process.platform !== "linux" || !existsSync(folder)) return undefined;
  const mounts = readFileSync("/proc/mounts", "utf8");
  const options = mounts
    .split("\n")
    .find((line) => line.split(" ")[1] === folder)
    ?.split(" ")[3]
    ?.split(",") ?? ["noexec"];
  const { bavail, bsize } = statfsSync(folder);
  const isRefusing = options.includes("noexec") || (process.getuid?.() === 0 && options.includes("nodev"));
  return isRefusing || bavail * bsize < 4 * 2 ** 30 ? undefined : folder;
}

/** Unless nothing has changed since the last time of what it is made of. */
function build(): void {
  const stamp = join(ROOT, "node_modules", ".cache", "tests-were-built-of");
  const inputs = globSync(["{src,scripts,assets,claude-code-plugin}/**/*.*", "package*.json"], { cwd: ROOT });
  const hash = createHash("sha256");
  for (const path of inputs.sort()) {
    const { mtimeMs, size } = statSync(join(ROOT, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  const now = hash.digest("hex");
  const isBuilt = existsSync(stamp) && existsSync(join(ROOT, "dist", "continuo.cjs"));
  if (isBuilt && readFileSync(stamp, "utf8") === now) return;
  rmSync(stamp, { force: true });
  execFileSync(process.execPath, [join(ROOT, "scripts", "build.mjs")], { cwd: ROOT, stdio: "inherit" });
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now);
}
