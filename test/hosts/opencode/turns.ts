import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { modelCallsJournal } from "../../../src/store/model-calls.ts";
import type { ChatRequest, Reply } from "../../fakes/openai.ts";
import { classify, units } from "../../fakes/openai-requests.ts";
import { write } from "../../support/world.ts";
import { type OpenCodeDriver, startDriver } from "./driver.ts";

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
  ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
  "src/a.ts": "export const a = 1;\n",
};

/** The real program in a project with these files, and with these settings of ours. */
export async function started(
  files: Record<string, string> = RULES,
  config?: object,
): Promise<OpenCodeDriver> {
  const driver = await startDriver();
  onTestFinished(() => driver.dispose());
  write(driver.project, files);
  if (config !== undefined) write(driver.host.home, { ".continuo/config.json": JSON.stringify(config) });
  return driver;
}

export function main(requests: readonly ChatRequest[]): ChatRequest[] {
  return requests.filter((request) => classify(request) === "main");
}

export function expectPrefixes(requests: readonly ChatRequest[]): void {
  for (let i = 1; i < requests.length; i++) {
    const before = units(requests[i - 1]!);
    expect(units(requests[i]!).slice(0, before.length)).toEqual(before);
  }
}

/** What `doctor` would show, but for a busy machine: nothing that went wrong may hide behind a turn that went well. */
export function troubles(home: string): string[] {
  const logs = join(home, ".continuo", "logs");
  if (!existsSync(logs)) return [];
  // Counts of requests to a configured model are no failures.
  const names = readdirSync(logs).filter((name) => !name.startsWith(modelCallsJournal(logs).prefix));
  const lines = names.flatMap((name) => readFileSync(join(logs, name), "utf8").split("\n"));
  return lines.filter((line) => line !== "" && !/longer than|too late|-late"/.test(line));
}

export const use = (name: string, input: Record<string, unknown>): Reply => ({ toolUses: [{ name, input }] });
