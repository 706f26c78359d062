import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../../../support/child.ts";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

type World = ReturnType<typeof temporaryWorld>;

const PLANTS: Readonly<Record<string, (path: string) => void>> = {
  "a folder": (path) => mkdirSync(path),
  "a file": (path) => writeFileSync(path, "x"),
  "a pipe": (path) => execFileSync("mkfifo", [path]),
};

/** Replaces a file or folder of the home. */
function plant(world: World, name: string, kind: string): string {
  const path = join(world.home.root, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  PLANTS[kind]?.(path);
  return path;
}

const run = ({ env, root }: World, ...args: string[]) => runInProcess(args, { env, cwd: root });

async function findings(world: World): Promise<{ what: string; status: string; detail: string }[]> {
  return JSON.parse((await run(world, "doctor", "--json")).stdout).data.findings;
}

const hook = ({ env, root }: World, event: string) =>
  runScript(CONTINUO, ["hook", "claude-code", event], {
    env,
    cwd: root,
    stdin: JSON.stringify({ session_id: "s1", cwd: root, source: "startup", prompt: "hello" }),
  });

describe.skipIf(process.platform === "win32")("doctor reports damage in the home", () => {
  it.each([
    ["rules/g.md", "a folder"],
    ["rules/g.md", "a pipe"],
    ["rules", "a file"],
    ["rules", "a pipe"],
  ])(
    "%s that is %s: by doctor and rules check, and the project's rules are delivered",
    async (name, kind) => {
      const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
      const path = plant(world, name, kind);
      const told = (await findings(world)).filter(
        ({ what, status }) => what === "rules" && status === "warn",
      );
      expect(told.map(({ detail }) => detail).join()).toContain(path);
      const checked = await run(world, "rules", "check");
      expect(checked.code).toBe(1);
      expect(checked.stdout).toContain(path);
      expect((await hook(world, "SessionStart")).stdout).toContain("Rule A.");
    },
  );

  it("a file of another tool at the path of a rules folder is not reported", async () => {
    const world = temporaryWorld({ ".clinerules": "Be brief.", ".continuo/rules/a.md": "Rule A." });
    expect((await findings(world)).find(({ what }) => what === "rules")?.status).toBe("ok");
  });

  it("a lock that is a file: reported with its path", async () => {
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    await hook(world, "SessionStart");
    const lock = readdirSync(world.home.locks).find((name) => name.startsWith("state-")) ?? "";
    const path = plant(world, join("locks", lock), "a file");
    const told = (await findings(world)).filter(({ status }) => status === "fail");
    expect(told).toEqual([expect.objectContaining({ what: "locks" })]);
    expect(told[0]?.detail).toContain(`${path} is not a folder`);
  });

  it("a lock that a command of a rule holds for minutes is no problem; any other is", async () => {
    const world = temporaryWorld();
    const since = Date.now() - 9 * 60_000;
    const machine =
      hostname()
        .toLowerCase()
        .replace(/[^0-9a-z]/g, "") || "local";
    const token = `held.${process.pid}.${since}.${machine}.a1`;
    write(world.home.locks, { [`run-abc/${token}`]: "" });
    const locks = async () => (await findings(world)).filter(({ what }) => what === "locks");
    expect(await locks()).toEqual([expect.objectContaining({ status: "ok" })]);
    write(world.home.locks, { [`state-abc/${token}`]: "" });
    expect(await locks()).toEqual([
      expect.objectContaining({ detail: expect.stringContaining("state-abc") }),
    ]);
  });

  it("a locks folder that is a file or a pipe: reported with its path", async () => {
    for (const kind of ["a file", "a pipe"]) {
      const world = temporaryWorld();
      const path = plant(world, "locks", kind);
      const told = (await findings(world)).filter(({ what }) => what === "locks");
      expect(told).toEqual([expect.objectContaining({ status: "fail" })]);
      expect(told[0]?.detail).toContain(path);
    }
  });

  it("session records that are not JSON, not a record, a folder or a pipe: each reported with its path", async () => {
    const world = temporaryWorld();
    const folder = join(world.home.root, "sessions-meta", "claude-code");
    write(folder, { "a.meta.json": '{"x', "b.meta.json": "[]", "c.forgotten": "{}" });
    const paths = [
      join(folder, "a.meta.json"),
      join(folder, "b.meta.json"),
      plant(world, "sessions-meta/claude-code/d.meta.json", "a folder"),
      plant(world, "sessions-meta/claude-code/e.meta.json", "a pipe"),
      plant(world, "sessions-meta/codex", "a file"),
    ];
    const told = (await findings(world)).filter(({ what }) => what === "records");
    expect(told.map(({ status }) => status)).toEqual(paths.map(() => "warn"));
    for (const path of paths) expect(told.some(({ detail }) => detail.includes(path))).toBe(true);
  });

  it("a records folder that is a file: reported with its path", async () => {
    const world = temporaryWorld();
    const path = plant(world, "sessions-meta", "a file");
    const told = (await findings(world)).filter(({ what }) => what === "records");
    expect(told.map(({ detail }) => detail)).toEqual([`${path} is not a folder`]);
  });
});
