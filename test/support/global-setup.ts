import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
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
  const temporary = mkdtempSync(join(tmpdir(), "ct-"));
  const leave = keepInMemory(temporary);
  chmodSync(temporary, 0o755); // some tests look at files as another user
  for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = temporary;
  return () => {
    leave();
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  };
}

/** What mounts of a run that still goes on, or that was killed, are called. */
const MOUNT = /^continuo-tests-(\d+) (\S+)/gm;

/**
 * Keeps a folder in memory, where this process may: most of what tests wait for is the disk. Without that it stays on the disk.
 * Those that killed runs left behind are removed.
 */
function keepInMemory(folder: string): () => void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return () => undefined;
  const run = (...command: [string, ...string[]]) => spawnSync(command[0], command.slice(1)).status === 0;
  for (const [, pid, left = ""] of readFileSync("/proc/mounts", "utf8").matchAll(MOUNT))
    if (!existsSync(`/proc/${pid}`) && run("umount", "-l", left))
      rmSync(left, { recursive: true, force: true });
  const isMounted = run("mount", "-t", "tmpfs", "-o", "mode=755", `continuo-tests-${process.pid}`, folder);
  return () => void (isMounted && run("umount", "-l", folder));
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
