import { execFile, execFileSync } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

/** A program on a tmux screen: what a person would see and type. */
export interface Terminal {
  type(text: string): Promise<void>;
  /** A key by tmux's name for it, such as Tab or Enter. */
  press(key: string): Promise<void>;
  /** Waits until the screen shows this; fails with what it shows instead. */
  until(shows: RegExp, patienceMs?: number): Promise<string>;
  /** What it shows now, with its colours as escape sequences. */
  coloured(): Promise<string>;
  /** The window gets another size, as if a person dragged its corner. */
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 40_000;

export const hasTmux: boolean = (() => {
  try {
    execFileSync("tmux", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false; // the tests that need it say so
  }
})();

export const NO_TMUX = "it needs a screen, and tmux is not installed";

export interface Where {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly size?: { readonly columns: number; readonly lines: number };
}

/** `folder` holds the socket, so that no other tmux server is used. */
export async function openTerminal(
  folder: string,
  command: readonly string[],
  { size = { columns: 120, lines: 40 }, ...where }: Where,
): Promise<Terminal> {
  const tmux = async (...args: string[]) => {
    const all = ["-S", path.join(folder, "tmux.sock"), "-f", "/dev/null", ...args];
    return (await promisify(execFile)("tmux", all, { ...where, encoding: "utf8" })).stdout;
  };
  const env = { ...where.env, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const given = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  await tmux("new-session", "-d", "-x", `${size.columns}`, "-y", `${size.lines}`, ...given, ...command);
  return {
    type: async (text) => void (await tmux("send-keys", "-l", text)),
    press: async (key) => void (await tmux("send-keys", key)),
    async until(shows, patienceMs = PATIENCE_MS) {
      const end = Date.now() + patienceMs;
      for (;;) {
        const screen = await tmux("capture-pane", "-p");
        if (shows.test(screen)) return screen;
        if (Date.now() > end) throw new Error(`the screen never showed ${shows}:\n${screen.trim()}`);
        await sleep(150);
      }
    },
    coloured: () => tmux("capture-pane", "-p", "-e"),
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    close: async () => void (await tmux("kill-server").catch(() => undefined)), // gone already if pi ended
  };
}

/** Waits until a process has ended; fails if it does not. */
export async function gone(pid: number, patienceMs = PATIENCE_MS): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    if (Date.now() > end) throw new Error(`process ${pid} did not end`);
    await sleep(50);
  }
}
