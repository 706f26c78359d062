import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { doctorIn, hookIn, hookProcess } from "../support/hooks.ts";
import { runInProcess } from "../support/in-process.ts";
import { temporaryWorld, write } from "../support/world.ts";

/** No hook may fail because this machine is busy. */
const PATIENT = JSON.stringify({ momentDeadlineMs: 60_000, sourceDeadlineMs: 50_000 });

function place(files: Record<string, string>) {
  const world = temporaryWorld(files);
  write(world.home.root, { "config.json": PATIENT });
  return world;
}

const touching = (root: string, file: string) => ({
  tool_name: "Edit",
  tool_input: { file_path: join(root, file) },
  tool_response: {},
});

/** Notes at its end how many bytes the process has read, its own program included. */
const COUNT = `process.on("exit", () => {
  const { existsSync, readFileSync, writeFileSync } = require("node:fs");
  if (existsSync("/proc/self/io")) writeFileSync(process.env.COUNTED, readFileSync("/proc/self/io", "utf8"));
});`;

describe("rules of a stranger", () => {
  it("of 250 KB each, 400 of them, are not all read at a start, which still gives a small one", async () => {
    const at = place({ ".continuo/rules/zz.md": "Small and important." });
    const words = "many words ".repeat(23_000);
    for (let i = 0; i < 400; i++) write(at.root, { [`.continuo/rules/r${i}.md`]: `Rule ${i}. ${words}` });
    const counter = join(at.home.root, "count.cjs");
    const counted = join(at.home.root, "counted");
    writeFileSync(counter, COUNT);
    const env = { ...at.env, COUNTED: counted, NODE_OPTIONS: `--require=${counter}` };
    const { stdout } = await hookProcess({ root: at.root, env }, "SessionStart", { source: "startup" });
    expect(stdout).toContain("Small and important.");
    const read = existsSync(counted) ? /^rchar: (\d+)/m.exec(readFileSync(counted, "utf8"))?.[1] : "1";
    expect(Number(read)).toBeGreaterThan(0);
    expect(Number(read)).toBeLessThan(20_000_000);
    expect(JSON.stringify(await doctorIn(at))).toContain("rule files are left out");
  });

  it("with a glob of many stars keep no tool call from other rules, and `rules check` ends", async () => {
    const at = place({
      ".continuo/rules/a.md": "---\nglobs: '**/*a*a*a*a/**/*a*a*a*a/**/*b'\n---\nNever.",
      ".continuo/rules/b.md": "---\nglobs: '*.ts'\n---\nRule B.",
      [`${"a".repeat(200)}/${"a".repeat(200)}/${"a".repeat(200)}`]: "",
    });
    await hookIn(at, "SessionStart", { source: "startup" });
    const touched = touching(at.root, `${"aaaaaaaaaa/".repeat(60)}x.ts`);
    expect((await hookIn(at, "PostToolUse", touched)).stdout).toContain("Rule B.");
    expect((await runInProcess(["rules", "check"], { env: at.env, cwd: at.root })).code).not.toBeNull();
  });

  it("with a guard of many repeats keep no other guard from its answer to a long command", async () => {
    const guard = "---\nguard: { action: deny, tool: Bash, match: rm -rf, message: Ask first. }\n---\nNo.";
    const at = place({
      ".continuo/rules/a.md": guard.replace("rm -rf", "'(a?){400}(b?){400}(c?){400}zz'"),
      ".continuo/rules/b.md": guard,
    });
    write(at.home.root, { "trust.json": JSON.stringify({ version: 1, projects: [at.root] }) });
    const command = `${"abc".repeat(60_000)}; rm -rf /tmp/x`;
    const call = { tool_name: "Bash", tool_input: { command } };
    expect((await hookIn(at, "PreToolUse", call)).stdout).toContain("deny");
  });
});
