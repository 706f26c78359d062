import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { prove } from "../../../../src/cli/commands/doctor/prove.ts";
import type { Probe } from "../../../../src/hosts/port/installer.ts";
import { hookCommand, launchIn } from "../../../../src/hosts/shared/install/hook-command.ts";
import { CONTINUO, ROOT } from "../../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../../support/world.ts";

const wired = (event: string, runtime = process.execPath): Probe => {
  const command = hookCommand(
    "claude-code",
    { runtime, script: CONTINUO, answered: new Set(), guards: false },
    event,
  );
  return {
    kind: "hook",
    command,
    launch: launchIn("claude-code", command)!,
    shell: true,
    payload: (cwd) => ({ session_id: "doctor", cwd, source: "startup" }),
  };
};

/** A program used as the runtime. */
function runtime(root: string, lines: string): string {
  write(root, { "bin/runtime": `#!/bin/sh\n${lines}\n` });
  chmodSync(join(root, "bin/runtime"), 0o755);
  return join(root, "bin/runtime");
}

it("a working hook passes, and the test leaves nothing behind", async () => {
  const { env, home } = temporaryWorld();
  const inside = { ...env, CLAUDE_PROJECT_DIR: "/elsewhere", CONTINUO_TOKENIZER: "odd" };
  expect(await prove(wired("SessionStart"), inside)).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^its hook works \(\d+ ms\)$/),
  });
  expect(existsSync(home.root)).toBe(false);
  expect(existsSync(env["HOME"]!)).toBe(false);
});

it.each([
  ["exits", "echo broken >&2; exit 3", /exited with code 3 after \d+ ms: broken/],
  ["prints something else", "echo nonsense", /gave an unexpected answer after \d+ ms: nonsense/],
])("a hook whose runtime %s is explained, although its command says nothing", async (_, lines, detail) => {
  const { env, root } = temporaryWorld();
  expect(await prove(wired("SessionStart", runtime(root, lines)), env)).toMatchObject({
    status: "fail",
    detail: expect.stringMatching(detail),
  });
});

it.each([
  ["whose runtime is gone", wired("SessionStart", "/gone/node"), /could not be started: .*ENOENT/],
  ["that fails open, as ours do", wired("Nonsense"), /gave no answer after \d+ ms \([\w-]+: .*Nonsense/],
  [
    "that only the shell cannot run",
    { ...wired("SessionStart"), command: "echo broken; exit 2" },
    /fails in the host's shell/,
  ],
])("a hook %s is explained", async (_, probe, detail) => {
  const { env } = temporaryWorld();
  expect(await prove(probe, env)).toMatchObject({ status: "fail", detail: expect.stringMatching(detail) });
});

it("a hook that hangs is killed together with its children", async () => {
  const { env, root } = temporaryWorld();
  const hanging = wired("SessionStart", runtime(root, "sleep 600 & sleep 601"));
  const found = await prove(hanging, { ...env, MARK: root }, 300);
  expect(found).toMatchObject({ status: "fail", detail: expect.stringContaining("did not finish within") });
  if (process.platform === "linux") {
    const left = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isOf(`MARK=${root}`, pid));
    await expect.poll(left).toEqual([]); // the system takes a moment to end what was killed
  }
});

function isOf(mark: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
  } catch {
    return false; // it ended, or is not ours to look at
  }
}

it("an MCP server passes if it answers initialize, and fails if it does not", async () => {
  const { env, home } = temporaryWorld();
  const server = (args: readonly string[]): Probe => ({ kind: "mcp", command: process.execPath, args });
  expect(await prove(server([CONTINUO, "mcp"]), env)).toMatchObject({ status: "ok" });
  expect(existsSync(home.root)).toBe(false);
  expect(await prove(server(["-e", "process.exit(4)"]), env)).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("exited with code 4"),
  });
  expect(await prove(server(["-e", "process.stdin.resume()"]), env, 1_000)).toMatchObject({ status: "fail" });
  expect(await prove({ kind: "mcp", command: "/gone/node", args: [] }, env)).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("could not be started"),
  });
});

it("a plugin file is imported, and its default export is checked", async () => {
  const { env } = temporaryWorld();
  const folder = temporaryFolder();
  write(folder, { "a.mjs": "export default 1;", "b.mjs": "throw new Error('no luck');" });
  const load = (path: string): Promise<{ status: string; detail: string }> =>
    prove({ kind: "module", path, exports: 'typeof it === "function"' }, env);
  expect(await load(join(ROOT, "dist", "continuo-pi.js"))).toMatchObject({ status: "ok" });
  expect((await load(join(folder, "a.mjs"))).detail).toContain("is not what the host calls");
  expect((await load(join(folder, "b.mjs"))).detail).toContain("no luck");
});
