import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./world.ts";

/** A separate disk for one test; undefined if nothing can be mounted. */
export function mountedDisk(options: string): string | undefined {
  const folder = temporaryFolder("disk");
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return undefined; // the caller skips with this reason
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}

/** A folder that nobody can write to. Root ignores permissions and needs a mount. */
export function readOnlyDisk(): string | undefined {
  if (process.getuid?.() === 0) return mountedDisk("size=1m,ro");
  const folder = temporaryFolder("disk");
  chmodSync(folder, 0o500);
  return folder;
}
