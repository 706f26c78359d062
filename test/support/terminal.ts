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

/** `folder` holds the socket, so that no other tmux server is used. */
export async function openTerminal(
  folder: string,
  command: readonly string[],
  where: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Terminal> {
  const tmux = async (...args: string[]) => {
    const all = ["-S", path.join(folder, "tmux.sock"), "-f", "/dev/null", ...args];
    return (await promisify(execFile)("tmux", all, { ...where, encoding: "utf8" })).stdout;
  };
  const env = { ...where.env, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const given = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  await tmux("new-session", "-d", "-x", "120", "-y", "40", ...given, ...command);
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
    close: async () => void (await tmux("kill-server").catch(() => undefined)), // gone already if pi ended
  };
}
