import { expect } from "vitest";
import type { SeenRequest } from "./host-driver.ts";

export function main(requests: readonly SeenRequest[]): SeenRequest[] {
  return requests.filter((request) => request.kind === "main");
}

export function count(request: SeenRequest | undefined, mark: string | RegExp): number {
  if (request === undefined) return 0;
  return typeof mark === "string"
    ? request.text.split(mark).length - 1
    : [...request.text.matchAll(new RegExp(mark, "g"))].length;
}

export function expectPrefixes(requests: readonly SeenRequest[]): void {
  for (const [i, before] of requests.slice(0, -1).entries()) {
    const after = requests[i + 1]?.units ?? [];
    const at = before.units.findIndex((unit, n) => unit !== after[n]);
    const difference = `unit ${at} differs: ${before.units[at]?.slice(0, 300)} … ${after[at]?.slice(0, 300)}`;
    expect(at === -1 ? "same prefix" : difference).toBe("same prefix");
  }
}

/** The first request to the model after each compaction. */
export function afterCompactions(requests: readonly SeenRequest[]): SeenRequest[] {
  const relevant = requests.filter(({ kind }) => kind === "main" || kind === "compaction");
  return relevant.filter((one, i) => one.kind === "main" && relevant[i - 1]?.kind === "compaction");
}
