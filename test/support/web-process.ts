import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { CONTINUO } from "./child.ts";

export interface WebProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Ends it with this signal; its exit code, or the signal's name. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

/** Runs the built `continuo web --json` until the test ends. */
export function startWebProcess(
  { script = CONTINUO, ...options }: { env: NodeJS.ProcessEnv; cwd: string; script?: string },
  ...args: readonly string[]
): Promise<WebProcess> {
  const child = spawn(process.execPath, [script, "web", "--json", ...args], options);
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? "")),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let [stdout, stderr] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("close", (code) => reject(new Error(`ended with ${code}: ${stdout}${stderr}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (!stdout.includes("\n")) return;
      const { url, port, pid } = JSON.parse(stdout).data;
      resolve({
        child,
        url,
        port,
        pid,
        end(signal) {
          child.kill(signal);
          return ended;
        },
      });
    });
  });
}
