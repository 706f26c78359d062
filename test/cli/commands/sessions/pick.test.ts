import { chmodSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO } from "../../../support/child.ts";
import { indexSessions, writeSession } from "../../../support/many-sessions.ts";
import { gone, hasTmux, openTerminal } from "../../../support/terminal.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const ID = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";

/** A terminal with a shell that says how each command ended and in which mode it left the terminal. */
async function setUp(env: NodeJS.ProcessEnv = {}) {
  const world = temporaryWorld();
  const bin = join(world.env["HOME"] ?? "", "programs");
  write(bin, { claude: '#!/bin/sh\necho "AGENT in $(pwd) given: $*"\nread answer\nexit 7\n' });
  chmodSync(join(bin, "claude"), 0o755);
  const now = Date.now();
  const names = ["Round prices in the cart", "Login redirects twice", "Move the build to pnpm"];
  for (const [at, asked] of names.entries())
    writeSession(world, { id: ID.replaceAll("1", String(at + 1)), at: now - at * 7_200_000, asked });
  await indexSessions(world);
  const folder = dirname(world.root);
  const again =
    'while read -r words; do eval "$words"; echo "ENDED $?$(stty -a | grep -o " .\\?icanon")"; done';
  const shell = ["bash", "-c", `c() { ${process.execPath} ${CONTINUO} "$@"; }; ${again}`];
  const terminal = await openTerminal(folder, shell, {
    cwd: world.root,
    env: { ...world.env, PATH: `${bin}:${world.env["PATH"]}`, ...env },
  });
  return { ...world, folder, terminal };
}

describe.skipIf(!hasTmux)("continuo sessions on a terminal (needs tmux)", () => {
  it("filters while one types, shows the session, and Enter resumes it in its agent", async () => {
    const { terminal } = await setUp();
    try {
      await terminal.type("c sessions\n");
      const first = await terminal.until(/▸ Round prices in the cart[\s\S]*Esc leave/);
      expect(first).toContain("3 of 3");
      expect(first).toMatch(/│ Last prompts/);
      await terminal.type("twc");
      await terminal.until(/Search: twc[\s\S]*1 of 3[\s\S]*▸ Login redirects twice/);
      await terminal.resize(60, 20);
      const narrow = await terminal.until(/▸ Login redirects twice(?![\s\S]*│)[\s\S]*Tab preview/);
      expect(narrow).not.toContain("Last prompts");
      await terminal.press("Tab");
      await terminal.until(/Last prompts[\s\S]*Tab back to the list/);
      await terminal.press("Tab");
      await terminal.until(/Tab preview/);
      await terminal.press("Enter");
      // Its folder, /work/shop, does not exist here.
      await terminal.until(/no longer exists[\s\S]*AGENT in \S+ given: --res\s?ume 222222/);
      await terminal.press("Enter");
      await terminal.until(/ENDED 7 icanon/);
    } finally {
      await terminal.close();
    }
  });

  it("offers a session by what its agent answered, and Enter resumes that one too", async () => {
    const { terminal } = await setUp();
    try {
      await terminal.type("c sessions\n");
      await terminal.until(/▸ Round prices in the cart/);
      await terminal.type("added; all tests pass");
      await terminal.until(/Found by what was said, or by meaning:[\s\S]*▸ \S/);
      await terminal.press("Enter");
      await terminal.until(/AGENT in \S+ given: --res\s?ume [123]{6}/);
      await terminal.press("Enter");
      await terminal.until(/ENDED 7 icanon/);
    } finally {
      await terminal.close();
    }
  });

  it("Esc, Ctrl-D and Ctrl-C leave without doing anything, and the terminal is as before", async () => {
    const { terminal } = await setUp();
    try {
      for (const [key, code] of [
        ["Escape", 0],
        ["C-d", 0],
        ["C-c", 130],
      ] as const) {
        await terminal.type("clear; c sessions\n");
        await terminal.until(/▸ Round prices/);
        await terminal.press(key);
        const left = await terminal.until(new RegExp(`ENDED ${code} icanon`));
        expect(left).not.toContain("▸");
      }
    } finally {
      await terminal.close();
    }
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s restores the terminal", async (signal, code) => {
    const { terminal, root } = await setUp();
    try {
      await terminal.type(
        "sh -c 'echo $$ >pid; exec $0 $1 sessions' NODE CONTINUO\n"
          .replace("NODE", process.execPath)
          .replace("CONTINUO", CONTINUO),
      );
      await terminal.until(/▸ Round prices/);
      process.kill(Number(readFileSync(join(root, "pid"), "utf8")), signal);
      const left = await terminal.until(new RegExp(`ENDED ${code} icanon`));
      expect(left).not.toContain("▸");
    } finally {
      await terminal.close();
    }
  });

  it("a closed terminal ends it", async () => {
    const { terminal, root } = await setUp();
    try {
      await terminal.type(`sh -c 'echo $$ >pid; exec ${process.execPath} ${CONTINUO} sessions'\n`);
      await terminal.until(/▸ Round prices/);
    } finally {
      await terminal.close();
    }
    await gone(Number(readFileSync(join(root, "pid"), "utf8")));
  });

  it("a dumb terminal, an option, the word list and a pipe get the list", async () => {
    const { terminal } = await setUp({ CONTINUO_NO_PAGER: "1" });
    try {
      for (const words of [
        "TERM=dumb c sessions",
        "c sessions --project shop",
        "c sessions list",
        "c sessions | cat",
      ]) {
        await terminal.type(`clear; ${words}\n`);
        const shown = await terminal.until(/Round prices in the cart[\s\S]*ENDED 0 icanon/);
        expect(shown, words).toContain("last active");
        expect(shown, words).not.toContain("▸");
      }
    } finally {
      await terminal.close();
    }
  });

  it("an agent that is not installed is named, with the command to type", async () => {
    const { terminal } = await setUp();
    try {
      await terminal.type(`clear; PATH=/usr/bin:/bin c sessions resume ${ID.slice(0, 8)}\n`);
      const shown = await terminal.until(/ENDED 1 icanon/);
      expect(shown).toContain("claude was not found on the PATH");
      expect(shown).toContain(`claude --resume ${ID}`);
    } finally {
      await terminal.close();
    }
  });
});
