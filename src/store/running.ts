import { readAt, withFile } from "./read-file.ts";

/** Whether a process of this user runs. One that has ended and waits to be collected by its parent does not. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch {
    return false; // it has ended, or its number belongs to someone else's process now
  }
  if (process.platform !== "linux") return true;
  try {
    // The program's name, which may be anything, is in parentheses before the state.
    const bytes = withFile(`/proc/${id}/stat`, ({ descriptor }) => readAt(descriptor, 0, 4096));
    return !bytes.toString("latin1").split(") ").at(-1)?.startsWith("Z");
  } catch {
    return true; // no /proc
  }
}
