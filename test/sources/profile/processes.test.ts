import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readSeed } from "../../../src/sources/profile/file/load.ts";
import { readSidecar } from "../../../src/sources/profile/file/sidecar.ts";
import { decisionsInForce } from "../../../src/sources/profile/learning/decision-log.ts";
import { CONTINUO, childScript, runScript } from "../../support/child.ts";
import { exampleSeed, git, parsed, proposal, seedFolder } from "./seeds.ts";
import { strictlyRead } from "./strict-reader.ts";

const MANY = 24;

describe("many processes that decide at once", () => {
  it("lose no decision, count each once, and leave a clean history", { timeout: 180_000 }, async () => {
    const proposals = Array.from({ length: MANY }, (_, i) => proposal(`prop-${i}-x`, `Thing number ${i}`));
    const { home, folder, path } = seedFolder(exampleSeed({ state: { proposals } }));
    const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
    const done = await Promise.all(
      proposals.map(({ id }, i) =>
        runScript(CONTINUO, ["seed", i % 2 === 0 ? "accept" : "reject", id], { env }),
      ),
    );
    expect(done.filter((one) => one.code !== 0)).toEqual([]);
    const { learned, state } = parsed(path);
    expect(learned.patterns).toHaveLength(MANY / 2);
    expect(state.proposals.filter((one) => one.status === "rejected")).toHaveLength(MANY / 2);
    expect(state.extractionStats).toMatchObject({ accepted: MANY / 2, rejected: MANY / 2 });
    expect(decisionsInForce(readSidecar(path))).toHaveLength(MANY);
    expect(strictlyRead(readFileSync(path, "utf8"))).toEqual([]);
    expect(git(folder, "rev-list", "--count", "HEAD")).toBe(String(MANY));
    expect(git(folder, "status", "--porcelain")).toBe("");
  });
});

/** Learns one thing after the other until it is killed, and prints each one that is done. */
const LEARNER = `
import { changeSeed } from "./src/sources/profile/file/change.ts";
import { learn } from "./src/sources/profile/learning/decide.ts";
const [, , path, name] = process.argv;
for (let i = 0; ; i++) {
  const at = new Date().toISOString();
  const learning = { id: name + "-" + i, content: "x".repeat(2000), source: "t", extractedAt: at, confirmed: true, tags: [] };
  await changeSeed(path, (config) => {
    const { config: after, step } = learn(config, "pattern", learning);
    return { config: after, kind: "Learn", what: learning.id, records: [{ kind: "decided", at, batch: learning.id, steps: [step] }] };
  }, { lockWaitMs: 60000 });
  process.stdout.write(learning.id + "\\n");
}
`;

describe("a process that is killed while it writes", () => {
  it("leaves a valid seed with everything that it had done, and a repository that still works", {
    timeout: 180_000,
  }, async () => {
    const { home, folder, path } = seedFolder();
    const script = await childScript(home, LEARNER);
    let reported: string[] = [];
    for (let round = 0; round < 12; round++) {
      const child = spawn(process.execPath, [script, path, `r${round}`], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        out += chunk;
      });
      while (out === "") await sleep(5);
      await sleep(Math.random() * 150);
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
      reported = [...reported, ...out.split("\n").filter((line) => line !== "")];
      const read = readSeed(path);
      expect(read.state).toBe("ready");
      expect(strictlyRead(readFileSync(path, "utf8"))).toEqual([]);
    }
    const ids = parsed(path).learned.patterns.map((one) => one.id);
    expect(reported.filter((id) => !ids.includes(id))).toEqual([]);
    // A git that outlived its parent may hold its lock for a moment longer.
    await sleep(500);
    await expect.poll(() => existsSync(join(folder, ".git", "index.lock"))).toBe(false);
    const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
    const last = await runScript(CONTINUO, ["seed", "learn", "insight", "the end", "--json"], { env });
    expect(JSON.parse(last.stdout)).toMatchObject({ ok: true, data: { committed: true } });
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(git(folder, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(JSON.parse(git(folder, "show", "HEAD:seed.json"))).toEqual(parsed(path));
  });
});
