import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSession } from "../../../sources/sessions/written.ts";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { preparedFiles, settle } from "../../../support/prepared.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

/** The files and modules of Node that a hook process has loaded when it ends. */
const PROBE = `const vm = require("node:vm");
const loaded = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    loaded.push(options.filename);
  }
};
process.on("exit", () => require("node:fs").writeFileSync(process.env.LOADED,
  [...loaded, ...process.moduleLoadList].join("\\n")));`;

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
  const probe = join(world.root, "..", "probe.cjs");
  const LOADED = join(world.root, "..", "loaded.txt");
  writeFileSync(probe, PROBE);
  const hook = async (event: string, session_id: string) => {
    const stdin = JSON.stringify({ session_id, cwd: world.root, source: "startup", reason: "exit" });
    const { stdout } = await runScript(CONTINUO, ["hook", "claude-code", event], {
      env: { ...world.env, LOADED },
      cwd: world.root,
      stdin,
      nodeArgs: ["--require", probe],
    });
    return { stdout, loaded: readFileSync(LOADED, "utf8") };
  };
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
