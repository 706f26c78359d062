import type { Reporter, TestCase, TestModule } from "vitest/node";

type Cell = "passed" | "FAILED" | "skipped";
type Rows = Map<string, Map<string, Cell>>;

/** Prints the results: a row per check, a column per host, and below them the reason for everything that was skipped. */
export default class ContractTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const text = contractTable(tests.flatMap(resultOf));
    if (text !== "") console.log(`\n${text}\n`);
  }
}

export interface Result {
  readonly host: string;
  readonly check: string;
  readonly cell: Cell;
  readonly reason?: string;
}

function resultOf(test: TestCase): Result[] {
  const contract = test.meta().contract;
  if (contract === undefined) return [];
  const { host, check, skipped } = contract;
  const { state } = test.result();
  // A test that was filtered out or never ran has no result.
  if (state === "pending" || (state === "skipped" && skipped === undefined)) return [];
  const cell = state === "skipped" ? "skipped" : state === "passed" ? "passed" : "FAILED";
  return [{ host, check, cell, ...(skipped === undefined ? {} : { reason: skipped }) }];
}

export function contractTable(results: readonly Result[]): string {
  if (results.length === 0) return "";
  const rows: Rows = new Map();
  for (const { host, check, cell } of results) {
    const row = rows.get(check) ?? new Map<string, Cell>();
    rows.set(check, row.set(host, cell));
  }
  const hosts = [...new Set(results.map(({ host }) => host))];
  // The version is on its own line, or eight hosts would not fit on a screen.
  const [names, versions] = [/ \S+$/, /^.* /].map((rest) => hosts.map((host) => host.replace(rest, "")));
  const table = [
    ["", ...(names ?? [])],
    ["", ...(versions ?? [])],
    ...[...rows].map(([check, cells]) => [check, ...hosts.map((host) => cells.get(host) ?? "-")]),
  ];
  const widths = hosts.concat("").map((_, i) => Math.max(...table.map((row) => row[i]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ...reasons(results)].join("\n");
}

/** An unavailable host skips every check for one reason, which is printed once. */
function reasons(results: readonly Result[]): string[] {
  const skipped = Map.groupBy(
    results.filter(({ cell }) => cell === "skipped"),
    ({ host, reason }) => `${host}: ${reason}`,
  );
  const lines = [...skipped].map(
    ([why, checks]) => `  ${why} (${checks.map(({ check }) => check).join(", ")})`,
  );
  return lines.length === 0 ? [] : ["", "Skipped:", ...lines];
}
