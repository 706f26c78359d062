import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";

/** Whether a program of this user with one of these names runs now. False where it cannot be found out: on Windows. */
export function runningNow(programs: readonly string[]): boolean {
  if (programs.length === 0 || process.platform === "win32") return false;
  try {
    const names = process.platform === "linux" ? linuxNames() : otherNames();
    return names.some((name) => programs.includes(name));
  } catch {
    return false; // only a hint is lost
  }
}

function linuxNames(): string[] {
  const user = process.getuid?.();
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        if (statSync(`/proc/${id}`).uid !== user) return [];
        const [program = ""] = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
        return [basename(program), readFileSync(`/proc/${id}/comm`, "utf8").trim()];
      } catch {
        return []; // it has ended
      }
    });
}

function otherNames(): string[] {
  const listed = execFileSync("/bin/ps", ["-xo", "comm="], { encoding: "utf8", timeout: 2_000 });
  return listed.split("\n").map((line) => basename(line.trim()));
}
