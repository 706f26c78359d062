import { type ChildProcess, spawn } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { claudeCodeInstaller } from "../../src/hosts/claude-code/installer.ts";
import { runningNow } from "../../src/setup/host-program.ts";
import { temporaryFolder } from "../support/world.ts";

/** A program with a name that no other process has, so that agents on this machine do not matter. */
const NAME = "continuo-agent";
const installer = { ...claudeCodeInstaller, programs: [NAME] };

async function started(env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const wait = ["-e", "setInterval(() => {}, 1000)"];
  const child = spawn(process.execPath, wait, { argv0: NAME, env, stdio: "ignore" });
  await new Promise((resolve) => child.once("spawn", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it.skipIf(process.platform !== "linux")(
  "only a process with the same settings counts as running, until it ends",
  async () => {
    const [own, other] = [temporaryFolder(), temporaryFolder()];
    const env = { HOME: own };
    expect(runningNow(installer, env)).toBe(false);
    await started({ HOME: other });
    await started({ HOME: own, CLAUDE_CONFIG_DIR: other });
    expect(runningNow(installer, env)).toBe(false);
    expect(runningNow(installer, { HOME: own, CLAUDE_CONFIG_DIR: other })).toBe(true);
    const child = await started({ HOME: own });
    expect(runningNow(installer, env)).toBe(true);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    expect(runningNow(installer, env)).toBe(false);
    // Without HOME nobody knows.
    await started({});
    expect(runningNow(installer, env)).toBe(true);
  },
);
