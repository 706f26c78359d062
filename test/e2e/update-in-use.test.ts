import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readHealth } from "../../src/store/health.ts";
import { homeAt } from "../../src/store/home.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { marksIn, startResident } from "../support/claude-code-resident.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { installGlobally } from "../support/two-builds.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const noScreen = typeof found === "object" ? found.skip : hasTmux ? undefined : NO_TMUX;

/** npm replaces the whole folder: what runs then has only what it holds. */
describe.skipIf(process.platform !== "linux")("an update with npm install --global", () => {
  it.skipIf(noScreen !== undefined)("by Claude Code itself, within a turn", async () => {
    const { script, update, isNext } = installGlobally();
    const host = await startResident({ script });
    const settings = JSON.parse(readFileSync(host.settings, "utf8"));
    writeFileSync(host.settings, JSON.stringify({ ...settings, permissions: { allow: ["Bash"] } }));
    const screen = await host.screen("--session-id", randomUUID());
    await screen.ready();
    const before = await host.worker();
    expect(isNext(before)).toBe(false);
    host.replies([
      host.read("src/a.ts"),
      { toolUses: [{ name: "Bash", input: { command: update, description: "update", timeout: 120_000 } }] },
      host.read("docs/b.md"),
      { text: "one" },
      { text: "two" },
      { text: "three" },
    ]);
    await screen.send("go on");
    await screen.answered("one");
    expect(isNext(await host.worker((pid) => pid !== before))).toBe(true);
    expect(marksIn(host.main().at(-1))).toEqual({ ALWAYS: 1, FILES: 1, DOCS: 1 });
    await screen.send("the database");
    await screen.answered("two");
    expect(marksIn(host.main().at(-1))).toEqual({ ALWAYS: 1, FILES: 1, DOCS: 1, WORDS: 1 });
    await screen.send("/compact");
    await screen.until(/Compacted/);
    await screen.send("and now");
    await screen.answered("three");
    expect(marksIn(host.main().at(-1))).toEqual({ ALWAYS: 1, FILES: 1, DOCS: 1, WORDS: 1 });
    await screen.leave();
    expect(readHealth(homeAt(join(host.home, ".continuo")).logs).records).toEqual([]);
  });
});
