import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedWorld, linesOf, ruleWith } from "./checked-world.ts";

const MINE = ruleWith(
  "{ answer: { never: absolutely, reaction: deny }, edits: { never: MYBAD }, commands: { before: done, ran: '^npm test', reaction: deny } }",
  "mine",
);
const ANSWER = "You are absolutely right";

describe("the user's own rule in a project that they do not trust", () => {
  it.each([
    ["of the same path", { "mine.md": "Something else." }],
    ["with the same content", { "other.md": MINE }],
    ["of the same path and content", { "mine.md": MINE, "second.md": MINE }],
  ])("is not replaced by a rule %s when calls and stops are checked", async (_, project) => {
    const { edit, idle, broken } = await checkedWorld(project, { own: { "mine.md": MINE } });
    expect(linesOf(await edit("MYBAD"))).toEqual(['- src/a.ts:12 breaks the rule "mine": MYBAD']);
    const verdict = await idle({ answer: ANSWER });
    expect(verdict?.action).toBe("deny");
    expect(verdict?.message).toContain("npm test");
    expect(new Set(broken().map(({ rule }) => rule))).toEqual(new Set(["CONTINUO_HOME/rules/mine.md"]));
  });

  it("is not replaced in a large set of rules either", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 320 }, (_, i) => [
        `r${i}.md`,
        ruleWith(`{ commands: { never: zz${i} } }`, `r${i}`),
      ]),
    );
    const { edit, idle, start, home, root, project } = await checkedWorld(
      { ...many, "mine.md": "Something else." },
      { own: { "mine.md": MINE } },
    );
    expect(project.root).toBe(root);
    // Old enough that a digest of the set is kept.
    const old = new Date(Date.now() - 60_000);
    for (const name of [...Object.keys(many), "mine.md", "."])
      utimesSync(join(root, ".continuo/rules", name), old, old);
    utimesSync(join(home.root, "rules/mine.md"), old, old);
    for (let i = 0; i < 3; i++) await start(`later-${i}`);
    expect(linesOf(await edit("MYBAD"))).toHaveLength(1);
    expect(await idle({ answer: ANSWER })).toMatchObject({ action: "deny" });
  });

  it("is replaced once they trust it", async () => {
    const { edit, idle, trust } = await checkedWorld({ "mine.md": "Else." }, { own: { "mine.md": MINE } });
    await trust();
    expect(await edit("MYBAD")).toBe("");
    expect(await idle({ answer: ANSWER })).toBeUndefined();
  });
});
