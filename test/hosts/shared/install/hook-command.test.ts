import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CommandOptions,
  hookCommand,
  launchIn,
  pathsIn,
} from "../../../../src/hosts/shared/install/hook-command.ts";
import { finished } from "../../../support/child.ts";
import { WIRING } from "../../../support/wiring.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const SCRIPT = "/opt/continuo/dist/continuo.cjs";
const wiring = (runtime: string, script = SCRIPT) => ({ ...WIRING, runtime, script });

const OWN = hookCommand("codex", wiring("/usr/bin/node"), "Stop", { platform: "linux" });

describe("hookCommand", () => {
  it.each([
    ["linux", "/usr/bin/node", "$(/usr/bin/node "],
    ["darwin", "/Users/A B/it's/node", "$('/Users/A B/it'\\''s/node' "],
    ["linux", "/tmp/$(rm -rf x)/node", "$('/tmp/$(rm -rf x)/node' "],
    ["linux", "/tmp/a) b/node", "$('/tmp/a) b/node' "],
    ["win32", "C:\\Program Files\\nodejs\\node.exe", "$('C:/Program Files/nodejs/node.exe' "],
  ] as const)("on %s names %j so that a POSIX shell reads one word", (platform, path, words) => {
    const command = hookCommand("claude-code", wiring(path), "Stop", { platform });
    expect(command).toContain(words);
    const launch = launchIn("claude-code", command);
    expect(pathsIn(launch!)).toEqual([platform === "win32" ? path.replaceAll("\\", "/") : path, SCRIPT]);
    expect(launch!.args).toEqual(["hook", "claude-code", "Stop"]);
    expect(launchIn("codex", command)).toBeUndefined();
  });

  it.each(["gemini", "codex", "copilot"] as const)("on Windows is for PowerShell in %s", (host) => {
    const command = hookCommand(host, wiring("C:\\it's\\node.exe", "C:\\x\\continuo.cjs"), "Stop", {
      platform: "win32",
    });
    expect(command).toBe(
      `try { & 'C:/it''s/node.exe' 'C:/x/continuo.cjs' hook ${host} Stop 2>$null } catch { }; exit 0`,
    );
    expect(pathsIn(launchIn(host, command)!)).toEqual(["C:/it's/node.exe", "C:/x/continuo.cjs"]);
  });

  it.each([
    ["older", "/opt/node /x/continuo.cjs hook codex Stop", ["/opt/node", "/x/continuo.cjs"]],
    ["hand-written", "node /x/continuo.cjs hook codex Stop", ["/x/continuo.cjs"]],
    [
      "older, quoted",
      `'/it'\\''s/node' "/x y/continuo.cjs" hook codex Stop`,
      ["/it's/node", "/x y/continuo.cjs"],
    ],
    [
      "older PowerShell",
      `& "C:/a b/node.exe" "C:/x/continuo.cjs" hook codex Stop`,
      ["C:/a b/node.exe", "C:/x/continuo.cjs"],
    ],
  ])("recognises an %s command", (_, command, paths) => {
    expect(pathsIn(launchIn("codex", command)!)).toEqual(paths);
  });

  it.each([
    "echo 'continuo.cjs hook codex'",
    "node /x/my-continuo.cjs hook codex Stop",
    "node /x/continuo.cjs hook codex Stop; rm x",
    "my-logger; node /x/continuo.cjs hook codex Stop",
    "my-logger /x/continuo.cjs hook codex Stop",
    "/usr/local/bin/my-logger /x/continuo.cjs hook codex Stop",
    "my-logger node /x/continuo.cjs hook codex Stop",
    "my-logger continuo hook codex Stop",
    "continuo hook codex Stop",
    `{ my-logger; ${OWN.slice(2)}`,
    OWN.replace("o=$(", "my-logger; o=$("),
    OWN.replace("printf", "my-logger; printf"),
    OWN.replace("; :;", "; my-logger; :;"),
    OWN.replace("/usr/bin/node", "my-logger /usr/bin/node"),
    "try { my-logger; & 'C:/node.exe' 'C:/continuo.cjs' hook codex Stop 2>$null } catch { }; exit 0",
    "try { & 'C:/node.exe' 'C:/continuo.cjs' hook codex Stop 2>$null; my-logger } catch { }; exit 0",
    7,
  ])("takes %j for somebody else's", (command) => expect(launchIn("codex", command)).toBeUndefined());

  it.each([
    ["plain", {}],
    ["for plain text", { plainText: true }],
    ["further", { further: { entry: 2, mark: "parts" } }],
    ["for a missing server", { isNet: true }],
    ["going on after its answer", { goesOn: "answering" as const }],
    ["left behind", { goesOn: "silently" as const }],
    ["that asks a server", { asks: true }],
    ["that asks a server for plain text", { asks: true, plainText: true }],
  ])("recognises its own command, %s, with any runtime", (_, options) => {
    const command = hookCommand("codex", wiring("/opt/my runtime"), "Stop", {
      platform: "linux",
      ...options,
    });
    expect(launchIn("codex", command)?.runtime).toBe("/opt/my runtime");
  });
});

const SHELLS = ["/bin/sh", "bash"];

/** Runs a wired command as a host does, with a program of ours in the place of the runtime. */
function run(
  shell: string,
  lines: string | undefined,
  options: Pick<CommandOptions, "plainText" | "goesOn"> & { mode?: number } = {},
) {
  const folder = temporaryFolder("it's (a) $HOME");
  const runtime = join(folder, "node");
  if (lines !== undefined) {
    write(folder, { node: `#!/bin/sh\n${lines}\n` });
    chmodSync(runtime, options.mode ?? 0o755);
  }
  const command = hookCommand(
    "gemini",
    wiring(runtime, join(folder, "continuo.cjs")),
    "BeforeAgent",
    options,
  );
  const child = spawn(shell, ["-c", command], { env: { PATH: process.env["PATH"], HOME: folder } });
  child.stdin.on("error", () => undefined); // not every program reads it
  child.stdin.end('{"session_id":"x"}');
  return child;
}

const SILENT = { code: 0, stdout: "", stderr: "" };

describe.skipIf(process.platform === "win32").each(SHELLS)("a wired command in %s", (shell) => {
  it.each([
    ["is gone", undefined],
    ["ends with code 1 and a stack trace", 'echo "Error: x\n    at y (z.js:1:1)" >&2; exit 1'],
    ["ends with code 2", "echo blocked >&2; exit 2"],
    ["ends with code 127", "exit 127"],
    ["ends with an answer and code 2", 'echo \'{"decision":"block"}\'; exit 2'],
    ["is killed in the middle of its answer", "printf '{\"a\":'; kill -9 $$"],
    ["prints garbage", "echo 'Segmentation fault'"],
    ["prints a part of an answer", "printf '{\"hookSpecificOutput\":'"],
    ["prints a zero byte", "printf '\\000'"],
  ])("exits with 0 and says nothing when its runtime %s", async (name, lines) => {
    expect(await finished(run(shell, lines))).toEqual(SILENT);
    expect(await finished(run(shell, lines, { goesOn: "silently" }))).toEqual(SILENT);
    // Nobody waits for its exit code.
    if (!name.includes("answer and code"))
      expect(await finished(run(shell, lines, { goesOn: "answering" }))).toEqual(SILENT);
  });

  it.each(["answering", "silently"] as const)(
    "is over while its runtime goes on %s, with what the host sent",
    async (goesOn) => {
      const folder = temporaryFolder();
      const [pidFile, got] = [join(folder, "pid"), join(folder, "got")];
      const closing = "echo '{}'; exec >/dev/null; echo $$ > ";
      const child = run(shell, `cat > '${got}'; ${closing} '${pidFile}'; exec sleep 120`, { goesOn });
      expect(await finished(child)).toEqual({ ...SILENT, stdout: goesOn === "answering" ? "{}" : "" });
      const pid = await pidIn(pidFile);
      process.kill(pid, "SIGKILL"); // it was still there
      expect(readFileSync(got, "utf8")).toBe('{"session_id":"x"}');
    },
  );

  it("exits with 0 and says nothing when its runtime may not be executed or its script is gone", async () => {
    expect(await finished(run(shell, "echo '{}'", { mode: 0o644 }))).toEqual(SILENT);
    const command = hookCommand("gemini", wiring(process.execPath, "/gone/continuo.cjs"), "BeforeAgent");
    const env = { PATH: process.env["PATH"], HOME: "/gone" };
    expect(await finished(spawn(shell, ["-c", command], { env }))).toEqual(SILENT);
  });

  it("passes on what the host sent and the whole answer", async () => {
    const answer = JSON.stringify({ text: `${"Привет \\ 'x' \"$HOME\" `id` %s \\n ".repeat(2_000)}` });
    const folder = temporaryFolder();
    write(folder, { "answer.json": answer });
    expect(await finished(run(shell, `cat '${join(folder, "answer.json")}'`))).toEqual({
      ...SILENT,
      stdout: answer,
    });
    expect((await finished(run(shell, "cat"))).stdout).toBe('{"session_id":"x"}');
  });

  it("passes on plain text where the host takes it", async () => {
    expect((await finished(run(shell, "echo 'Keep this.'", { plainText: true }))).stdout).toBe("Keep this.");
    expect(await finished(run(shell, "echo 'Keep this.'; exit 1", { plainText: true }))).toEqual(SILENT);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)(
    "lets go of the host's pipes when the host ends the shell with %s, though its runtime hangs",
    async (signal) => {
      const pidFile = join(temporaryFolder(), "pid");
      const child = run(shell, `echo $$ > '${pidFile}'; exec sleep 120`);
      const closed = finished(child);
      const pid = await pidIn(pidFile);
      onTestFinished(() => void process.kill(pid, "SIGKILL"));
      child.kill(signal);
      expect(await closed).toEqual({ code: null, stdout: "", stderr: "" });
    },
    60_000,
  );
});

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    if (pid > 0) return pid;
    await sleep(20);
  }
}
