import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "vitest";
import { CONTINUO } from "../../support/child.ts";
import { gone, hasTmux, openTerminal } from "../../support/terminal.ts";
import { temporaryWorld } from "../../support/world.ts";

/** Runs a command on a screen; when it has ended, its exit code and the terminal's mode are shown. */
async function started(...args: string[]) {
  const { root, env } = temporaryWorld();
  mkdirSync(join(env["HOME"] ?? "", ".claude"), { recursive: true });
  const inner = `echo $$ > pid; exec ${[process.execPath, CONTINUO, ...args].join(" ")}`;
  const after = `echo "ENDED $?$(stty -a | grep -oE ' -?(icanon|echo)\\b' | tr -d '\\n')"; sleep 60`;
  const terminal = await openTerminal(dirname(root), ["sh", "-c", `sh -c '${inner}'; ${after}`], {
    cwd: root,
    env,
    size: { columns: 100, lines: 20 },
  });
  return { terminal, pid: () => Number(readFileSync(join(root, "pid"), "utf8")) };
}

const SIGNALS = [
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

describe.skipIf(!hasTmux)("a terminal is as it was after", () => {
  it.each(SIGNALS)("%s at a question", async (signal, code) => {
    const { terminal, pid } = await started("install", "claude-code");
    try {
      await terminal.until(/Connect Claude Code\?/);
      process.kill(pid(), signal);
      await terminal.until(new RegExp(`ENDED ${code} icanon echo`));
    } finally {
      await terminal.close();
    }
  });

  it.each(SIGNALS)(
    "%s while a pager shows a long text, once the person has left it",
    async (signal, code) => {
      const { terminal, pid } = await started("install", "claude-code", "--diff");
      try {
        await terminal.until(/next page/);
        process.kill(pid(), signal);
        await terminal.type("q");
        await terminal.until(new RegExp(`ENDED ${code} icanon echo`));
      } finally {
        await terminal.close();
      }
    },
  );

  it("answers at questions, with typing errors and keys that come together", async () => {
    const { terminal } = await started("install", "claude-code");
    try {
      await terminal.until(/Connect Claude Code\?/);
      await terminal.type("what");
      await terminal.press("Enter");
      await terminal.until(/one of the letters in brackets/);
      await terminal.type("nx");
      await terminal.press("BSpace");
      await terminal.press("Enter");
      await terminal.until(/was not changed[\s\S]*ENDED 0 icanon echo/);
    } finally {
      await terminal.close();
    }
  });

  it("Ctrl-C and Ctrl-D at a question, which change nothing", async () => {
    for (const key of ["C-c", "C-d"]) {
      const { terminal } = await started("install", "claude-code");
      try {
        await terminal.until(/Connect Claude Code\?/);
        await terminal.press(key);
        await terminal.until(/Nothing was changed[\s\S]*ENDED \d+ icanon echo/);
      } finally {
        await terminal.close();
      }
    }
  });

  it("a closed terminal ends a process that asks", async () => {
    const { terminal, pid } = await started("install", "claude-code");
    await terminal.until(/Connect Claude Code\?/);
    const id = pid();
    await terminal.close();
    await gone(id);
  });
});
