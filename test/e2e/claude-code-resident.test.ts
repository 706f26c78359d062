import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { expectPrefix, marksIn, startResident } from "../support/claude-code-resident.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";

const found = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const missing = typeof found === "object" ? found.skip : hasTmux ? undefined : NO_TMUX;

describe.skipIf(missing !== undefined)(`the server behind the hooks of Claude Code ${CLAUDE_CODE}`, () => {
  it("is started again when it is killed, while idle and in mid-turn, and nobody notices", async () => {
    const host = await startResident();
    const id = randomUUID();
    const screen = await host.screen("--session-id", id);
    await screen.ready();
    host.replies([host.read("c.txt"), { text: "one" }]);
    await screen.ask("first", /● one/);
    const first = await host.worker();
    process.kill(first, "SIGKILL"); // while idle
    host.replies([host.read("src/a.ts"), host.read("docs/b.md", 1_500), { text: "two" }]);
    await screen.type("the database");
    await screen.press("Enter");
    const second = await host.worker((one) => one !== first);
    await host.toolResults(2);
    process.kill(second, "SIGKILL"); // between two calls
    await screen.until(/● two/);
    expect(await host.worker((one) => one !== second)).not.toBe(first);
    await screen.leave();
    const requests = host.main();
    expect(requests.map(marksIn)).toEqual([
      { ALWAYS: 1 },
      { ALWAYS: 1 },
      { ALWAYS: 1, WORDS: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1 },
      { ALWAYS: 1, WORDS: 1, FILES: 1, DOCS: 1 },
    ]);
    expectPrefix(requests);
    expect(host.files(id)).toEqual(["c.txt", "src/a.ts", "docs/b.md"]);
    expect(await host.cli("doctor")).toContain("No problems found.");
  });
});
