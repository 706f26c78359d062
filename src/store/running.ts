import { readAt, withFile } from "./read-file.ts";

/** Whether a process with this id runs as this user. False for a zombie. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch {
    return false; // it has ended, or the id belongs to another user's process now
  }
  if (process.platform !== "linux") return true;
  try {
    // The program's name, which may contain anything, is in parentheses before the state.
    const bytes = withFile(`/proc/${id}/stat`, ({ descriptor }) => readAt(descriptor, 0, 4096));
    return !bytes.toString("latin1").split(") ").at(-1)?.startsWith("Z");
  } catch {
    return true; // no /proc
  }
}
