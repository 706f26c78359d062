import { execFileSync } from "node:child_process";

/** The processes of the Copilot SDK's runtime that a process started. */
export function runtimesOf(parent: number): number[] {
  const table = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === parent && found?.[3]?.includes("copilot-runtime"))
    .map((found) => Number(found?.[1]));
}
