import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../../base/errors.ts";

/**
 * Linux's numbers of file systems that do not report what other machines write: NFS, SMB, CIFS, 9p, FUSE (sshfs), AFS.
 */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f,
]);

/** Whether a folder, or the nearest existing one above it, is on another machine's disk. */
export function isOnRemoteDisk(path: string): boolean {
  if (process.platform !== "linux") return false;
  for (let at = path; ; at = dirname(at)) {
    try {
      return REMOTE.has(statfsSync(at).type);
    } catch (error) {
      if (systemCode(error) !== "ENOENT" || dirname(at) === at) return false;
    }
  }
}
