import { readdirSync, readFileSync } from "node:fs";

export interface Used {
  /** Megabytes. */
  readonly rss: number;
  readonly pss: number;
  /** Milliseconds of processor time since the start, of all threads. */
  readonly cpu: number;
  readonly processes: number;
}

/** What a process and its descendants use. Linux only. */
export function usedBy(pid: number): Used {
  const sum = { rss: 0, pss: 0, cpu: 0, processes: 0 };
  for (const one of withDescendants(pid)) {
    const memory = readFileSync(`/proc/${one}/smaps_rollup`, "utf8");
    const megabytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(memory)?.[1]) / 1024;
    sum.rss += megabytes("Rss");
    sum.pss += megabytes("Pss");
    sum.processes++;
    for (const thread of readdirSync(`/proc/${one}/task`))
      sum.cpu += Number(readFileSync(`/proc/${one}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }
  return sum;
}

function withDescendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number),
  );
  return [pid, ...children.flatMap(withDescendants)];
}
