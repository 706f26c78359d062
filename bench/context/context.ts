import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/base/json.ts";
import type { FileAccess } from "../../src/moments/tool-use.ts";
import { hottestFiles, rankFiles, useFiles } from "../../src/moments/working-set.ts";
import { printTable } from "../measure.ts";

const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");

type Event = "compaction" | FileAccess;

const RANKINGS: Record<string, (uses: readonly FileAccess[], k: number) => string[]> = {
  alphabetical: (uses, k) => [...new Set(uses.map((use) => use.path))].sort().slice(0, k),
  "edited before read, most recent first": (uses, k) =>
    rankFiles(useFiles([], uses, 0))
      .slice(0, k)
      .map((use) => use.path),
  "ours: hottest": (uses, k) => hottestFiles(useFiles([], uses, 0), k).map((use) => use.path),
};

/** The share of the files used again after a compaction that were among the first k of a ranking. */
export async function run(): Promise<void> {
  const folder = join(DATA, "transcripts");
  if (!existsSync(folder)) return console.log(`no benchmark data at ${DATA}: set CONTINUO_BENCH_DATA`);
  const sessions = filesBelow(folder).map(eventsOf);
  const compactions = sessions.flatMap(splitAtCompactions).filter(({ back }) => back.length > 0);
  console.log(
    `Data: transcripts (claude-code and pi) of the development half, ${sessions.length} files; n = ${compactions.length} compactions after`,
  );
  console.log(
    "which some earlier file came back; unit: compaction; metric: mean share of the files that come back.\n",
  );
  printTable(
    ["ranking", "k=5", "k=10", "k=20"],
    Object.entries(RANKINGS).map(([name, rank]) => [
      name,
      ...[5, 10, 20].map((k) =>
        mean(compactions.map(({ before, back }) => kept(rank(before, k), back))).toFixed(3),
      ),
    ]),
  );
}

function kept(ranked: readonly string[], back: readonly string[]): number {
  return back.filter((path) => ranked.includes(path)).length / back.length;
}

function splitAtCompactions(events: readonly Event[]): { before: FileAccess[]; back: string[] }[] {
  const marks = events.flatMap((event, at) => (event === "compaction" ? [at] : []));
  return marks.map((at, i) => {
    const uses = (part: readonly Event[]) =>
      part.filter((event): event is FileAccess => event !== "compaction");
    const before = uses(events.slice(0, at));
    const known = new Set(before.map((use) => use.path));
    const after = uses(events.slice(at + 1, marks[i + 1]));
    return { before, back: [...new Set(after.map((use) => use.path))].filter((path) => known.has(path)) };
  });
}

/** File accesses and compactions of a Claude Code or pi transcript, in order. */
function eventsOf(path: string): Event[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line): Event[] => {
      const entry = parse(line);
      if (entry === undefined) return [];
      if (entry["subtype"] === "compact_boundary" || entry["type"] === "compaction") return ["compaction"];
      const content = isRecord(entry["message"]) ? entry["message"]["content"] : undefined;
      return Array.isArray(content) ? content.flatMap(accessOf) : [];
    });
}

function accessOf(block: unknown): FileAccess[] {
  if (!isRecord(block)) return [];
  const input = block["input"] ?? block["arguments"];
  const path = isRecord(input) ? (input["file_path"] ?? input["notebook_path"] ?? input["path"]) : undefined;
  const name = String(block["name"] ?? "").toLowerCase();
  if (typeof path !== "string" || !/^(read|edit|multiedit|write|notebookedit)$/.test(name)) return [];
  return [{ path, access: name === "read" ? "read" : "edit" }];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // an empty or cut line
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
