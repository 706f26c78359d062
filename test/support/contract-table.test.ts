import { expect, it } from "vitest";
import { contractTable } from "./contract-table.ts";

it("has a row per check and a column per host, and gives each reason once", () => {
  const gone = { host: "pi 1.0", cell: "skipped", reason: "no network" } as const;
  const text = contractTable([
    { host: "Claude Code 2.1", check: "start", cell: "passed" },
    { host: "Claude Code 2.1", check: "title", cell: "skipped", reason: "asks for none" },
    { host: "Codex 0.1", check: "start", cell: "FAILED" },
    { ...gone, check: "start" },
    { ...gone, check: "title" },
  ]);
  expect(text).toBe(`       Claude Code  Codex   pi
       2.1          0.1     1.0
start  passed       FAILED  skipped
title  skipped      -       skipped

Skipped:
  Claude Code 2.1: asks for none (title)
  pi 1.0: no network (start, title)`);
});

it("is empty if no host was run", () => {
  expect(contractTable([])).toBe("");
});
