import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSession } from "../../../sources/sessions/written.ts";
import { loadingHook } from "../../../support/loaded.ts";
import { preparedFiles, settle } from "../../../support/prepared.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

test("a start that was prepared loads no SQLite, no index, no reader of histories, no git and no table of meaning", async () => {
  const world = temporaryWorld();
  const patient = { momentDeadlineMs: 60_000, sourceDeadlineMs: 50_000 };
  write(world.home.root, {
    "config.json": JSON.stringify(patient),
    "memory/a.md": "---\nproject: project\n---\n# Gears\n\nWe decided to grease the gears weekly.\n",
  });
  writeSession(String(world.env["HOME"]), world.root, {
    id: "past",
    said: ["Where are the gears kept?", "The gears are in the attic."],
  });
  await settle();
  const hook = loadingHook(world);
  const costly =
    /sqlite|memory-answers|left-off-left-off|history-reader|shared-git|shared-search|child_process/;
  await hook("SessionEnd", "past");
  expect(preparedFiles(world.home)).toHaveLength(2);
  const prepared = await hook("SessionStart", "one");
  expect(prepared.stdout).toMatch(/attic[\s\S]*grease/);
  expect(prepared.loaded).toContain("core-");
  expect(prepared.loaded).not.toMatch(costly);
  rmSync(join(world.home.root, "cache", "prepared"), { recursive: true });
  const { stdout, loaded } = await hook("SessionStart", "two");
  expect(stdout).toMatch(/attic[\s\S]*grease/);
  for (const one of ["sqlite", "memory-answers", "left-off-left-off", "history-reader"])
    expect(loaded).toContain(one);
});
