import { spawn } from "node:child_process";

export type Line = Readonly<Record<string, unknown>>;

/** A process that reads and prints JSON, one value a line. */
export interface Lines {
  readonly pid: number;
  send(value: object): void;
  /** Resolves with the next line that fits. */
  until(fits: (line: Line) => boolean): Promise<Line>;
  /** Closes its input and waits until it has ended. */
  end(): Promise<void>;
}

export function startLines(
  [program = "", ...args]: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Lines {
  const child = spawn(program, args, { ...where, stdio: ["pipe", "pipe", "pipe"] });
  let [rest, errors] = ["", ""];
  let waiting: { fits: (line: Line) => boolean; resolve: (line: Line) => void } | undefined;
  let fail: (error: Error) => void = () => undefined;
  child.stdin.on("error", () => undefined); // it has ended, which `ended` reports
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors = (errors + chunk).slice(-4_000);
  });
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      if (text.trim() === "") continue;
      const line = JSON.parse(text) as Line;
      if (waiting?.fits(line) !== true) continue;
      const { resolve } = waiting;
      waiting = undefined;
      resolve(line);
    }
  });
  const ended = new Promise<void>((resolve) => {
    child
      .on("error", (error) => fail(error))
      .on("close", (code) => {
        fail(new Error(`${program} ended with ${code}: ${errors}`));
        resolve();
      });
  });
  return {
    pid: child.pid ?? 0,
    send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
    until: (fits) =>
      new Promise((resolve, reject) => {
        waiting = { fits, resolve };
        fail = reject;
      }),
    async end() {
      child.stdin.end();
      await ended;
    },
  };
}
