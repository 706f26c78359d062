import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO } from "../support/child.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { startResident } from "../support/claude-code-resident.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { temporaryFolder } from "../support/world.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const missing = typeof found === "object" ? found.skip : hasTmux ? undefined : NO_TMUX;

describe.skipIf(missing !== undefined)(`Claude Code ${CLAUDE_CODE} after the package was removed`, () => {
  it("shows no error at a start, a prompt, a tool call and a stop, also without Continuo's folder", async () => {
    const folder = temporaryFolder("package");
    cpSync(dirname(CONTINUO), join(folder, "dist"), { recursive: true });
    const host = await startResident({ script: join(folder, "dist", "continuo.cjs") });
    await host.cli("install", "claude-code", "--statusline");
    expect(host.callsServer()).toBe(true);
    rmSync(folder, { recursive: true });
    rmSync(join(host.home, ".continuo"), { recursive: true });
    const screen = await host.screen("--session-id", randomUUID());
    await screen.until(/\n❯/);
    host.replies([host.read("src/a.ts"), { text: "one" }, { text: "two" }]);
    await screen.send("the database");
    await screen.answered("one");
    await screen.send("go on");
    expect(await screen.answered("two")).not.toMatch(/hook|continuo|failed/i);
    await screen.leave(); // fails if it ever showed an error of a hook
    expect(host.main()).toHaveLength(3);
  });
});
