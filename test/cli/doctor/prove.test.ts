import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { prove } from "../../../src/cli/doctor/prove.ts";
import type { Probe } from "../../../src/hosts/installer.ts";
import { CONTINUO, ROOT } from "../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const hook = (command: string): Probe => ({
  kind: "hook",
  command,
  payload: (cwd) => ({ session_id: "doctor", cwd, source: "startup" }),
});
const OURS = `${process.execPath} ${CONTINUO} hook claude-code`;

it("a hook that works is proven, and nothing is left of the proof", async () => {
  const { env, home } = temporaryWorld();
  const inside = { ...env, CLAUDE_PROJECT_DIR: "/elsewhere", CONTINUO_TOKENIZER: "odd" };
  expect(await prove(hook(`${OURS} SessionStart`), inside)).toMatchObject({
    status: "ok",
    detail: expect.stringMatching(/^its hook works \(\d+ ms\)$/),
  });
  expect(existsSync(home.root)).toBe(false);
  expect(existsSync(env["HOME"]!)).toBe(false);
});

it.each([
  ["exits", "echo broken >&2; exit 3", /ended with code 3 after \d+ ms: broken/],
  ["is not there", "/gone/node x", /ended with code 127/],
  ["prints something else", "cat", /did not answer as it should/],
  ["fails open, as ours do", `${OURS} Nonsense`, /answered nothing after \d+ ms \([\w-]+: .*Nonsense/],
])("a hook that %s is found out", async (_, command, detail) => {
  const { env } = temporaryWorld();
  expect(await prove(hook(command), env)).toMatchObject({
    status: "fail",
    detail: expect.stringMatching(detail),
  });
});

it("a hook that hangs is ended with what it started", async () => {
  const { env, root } = temporaryWorld();
  const before = Date.now();
  const found = await prove(hook("sleep 60 & sleep 61"), { ...env, MARK: root }, 300);
  expect(found).toMatchObject({ status: "fail", detail: expect.stringContaining("did not end within") });
  expect(Date.now() - before).toBeLessThan(20_000);
  if (process.platform === "linux") {
    expect(readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isOf(`MARK=${root}`, pid))).toEqual([]);
  }
});

function isOf(mark: string, pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
  } catch {
    return false; // it ended, or is not ours to look at
  }
}

it("an MCP server is proven by its answer to initialize, and one that does not answer is found out", async () => {
  const { env, home } = temporaryWorld();
  const server = (args: readonly string[]): Probe => ({ kind: "mcp", command: process.execPath, args });
  expect(await prove(server([CONTINUO, "mcp"]), env)).toMatchObject({ status: "ok" });
  expect(existsSync(home.root)).toBe(false);
  expect(await prove(server(["-e", "process.exit(4)"]), env)).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("ended with code 4"),
  });
  expect(await prove(server(["-e", "process.stdin.resume()"]), env, 1_000)).toMatchObject({ status: "fail" });
  expect(await prove({ kind: "mcp", command: "/gone/node", args: [] }, env)).toMatchObject({
    status: "fail",
    detail: expect.stringContaining("could not be started"),
  });
});

it("a file that a host loads is imported, and its default export looked at", async () => {
  const { env } = temporaryWorld();
  const folder = temporaryFolder();
  write(folder, { "a.mjs": "export default 1;", "b.mjs": "throw new Error('no luck');" });
  const load = (path: string): Promise<{ status: string; detail: string }> =>
    prove({ kind: "module", path, exports: 'typeof it === "function"' }, env);
  expect(await load(join(ROOT, "dist", "continuo-pi.js"))).toMatchObject({ status: "ok" });
  expect((await load(join(folder, "a.mjs"))).detail).toContain("is not what the host calls");
  expect((await load(join(folder, "b.mjs"))).detail).toContain("no luck");
});
