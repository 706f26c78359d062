import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleForRuntimes, installRuntime, runOn, runtimes } from "../support/runtimes.ts";

const entry = fileURLToPath(new URL("../sources/notes/note-index/smoke.ts", import.meta.url));
const dir = mkdtempSync(path.join(tmpdir(), "continuo-memory-runtimes-"));
const bundle = path.join(dir, "smoke.cjs");

beforeAll(() => bundleForRuntimes(entry, bundle));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.for(runtimes)("the memory index on $kind $version", async (runtime, { skip }) => {
  const installed = await installRuntime(runtime);
  if ("skip" in installed) return skip(installed.skip);
  const ran = await runOn(installed.program, [bundle, path.join(dir, `${runtime.kind}-${runtime.version}`)]);
  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toEqual({
    segments: 7,
    passages: 19,
    live: 19,
    one: ["Note 7 topic-2"],
    property: ["Note 5 home,topic-0"],
    edited: ["Note 6 topic-1"],
    gone: [],
    all: 19,
  });
});
