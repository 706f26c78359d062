import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { givenTexts } from "../../src/moments/state/given-texts.ts";
import { homeAt } from "../../src/store/home.ts";
import { requestText } from "../fakes/anthropic-requests.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { mainOf, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";
import { write } from "../support/world.ts";

const missing = await missingClaudeCode();

describe.skipIf(missing !== undefined)(`mutes in Claude Code ${CLAUDE_CODE}`, () => {
  it("a muted rule or note is not in the next session's request and returns after undo; the texts are kept", async () => {
    const host = await wiredClaudeCode({
      files: {
        ".continuo/rules/plain.md": "MARK-PLAIN: write plain sentences.",
        ".continuo/rules/cents.md": "MARK-CENTS: prices are in cents.",
      },
    });
    const { cli } = host;
    const root = join(host.home, ".continuo");
    const name = host.project.split("/").at(-1);
    write(join(root, "memory"), {
      "deploys.md": `---\nproject: ${name}\n---\n# Deploys\n\nMARK-NOTE deploys happen on Tuesdays only.\n`,
    });
    const seen = async (sessionId: string) => {
      const { requests } = await host.run({ prompt: "hello", sessionId });
      const [first] = mainOf(requests);
      const text = first === undefined ? "" : requestText(first);
      return { text, marks: ["MARK-PLAIN", "MARK-CENTS", "MARK-NOTE"].filter((mark) => text.includes(mark)) };
    };
    const ids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
    const [first = "", second = "", third = "", fourth = ""] = ids;

    const before = await seen(first);
    expect(before.marks).toEqual(["MARK-PLAIN", "MARK-CENTS", "MARK-NOTE"]);
    // What the page shows is what the model got.
    const kept = givenTexts(homeAt(root), { host: "claude-code", id: first });
    expect(kept.map(({ what }) => what)).toContain("snapshot");
    for (const { text } of kept) expect(before.text).toContain(text);

    expect(await cli("mute", "plain")).toContain("Muted plain.md");
    expect((await seen(second)).marks).toEqual(["MARK-CENTS", "MARK-NOTE"]);
    expect(await cli("rules", "list")).toMatch(/muted\s+plain\.md/);
    expect(await cli("why", second)).toContain("Muted: plain.md");

    await cli("mute", "memory://deploys", "--everywhere");
    expect((await seen(third)).marks).toEqual(["MARK-CENTS"]);
    expect(JSON.parse(await cli("mutes", "--json")).data.mutes).toHaveLength(2);
    expect(await cli("doctor", "--verbose")).toContain("2 mutes");

    await cli("unmute", "plain.md");
    await cli("unmute", "memory://deploys");
    expect((await seen(fourth)).marks).toEqual(["MARK-PLAIN", "MARK-CENTS", "MARK-NOTE"]);
  });
});
