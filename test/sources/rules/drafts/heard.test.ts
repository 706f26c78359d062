import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seed } from "../../../../src/sources/profile/source.ts";
import { rules } from "../../../../src/sources/rules/source.ts";
import { allSuggestions } from "../../../../src/sources/suggestions.ts";
import { engineWorld } from "../../../support/engine.ts";

/** A session's engine with both sources, and a transcript as Claude Code writes it. */
function world(drafts: "on" | "off" = "on") {
  const foreign = { cursor: "auto", copilot: "auto", claude: "auto", windsurf: "auto", cline: "auto" };
  const made = engineWorld([rules, seed], {
    // A busy machine must not decide whether something is heard.
    sourceDeadlineMs: 60_000,
    momentDeadlineMs: 60_000,
    sources: {
      rules: { enabled: true, ...foreign, drafts },
      seed: { enabled: true, path: "", learnings: 5, mode: "auto", extraction: "on" },
    },
  });
  let lines = 0;
  const say = (text: string): string => {
    const file = join(made.root, "s1.jsonl");
    const message = { id: `m${lines}`, role: "user", content: [{ type: "text", text }] };
    const line = { type: "user", uuid: `u${lines++}`, sessionId: "s1", cwd: made.root, message };
    appendFileSync(file, `${JSON.stringify({ ...line, timestamp: "2026-02-10T10:00:00Z" })}\n`);
    return file;
  };
  const pending = async () => (await allSuggestions({ home: made.home.root, env: made.env })).list();
  return { ...made, say, pending };
}

describe("what the user says to an agent", () => {
  it("waits as a check only, if the check has all that it says", async () => {
    const w = world();
    await w.start();
    await w.idle({ transcript: w.say("I told you not to use any") });
    expect((await w.pending()).map(({ kind, quote }) => [kind, quote])).toEqual([
      ["check", "I told you not to use any"],
    ]);
  });

  it("that says more waits as a learning and as a check, in one inbox and one line, and no model is given it", async () => {
    const w = world();
    await w.start();
    await w.idle({ transcript: w.say("I told you not to use any, use unknown instead") });
    expect((await w.pending()).map(({ kind, quote, turn }) => [kind, quote, turn]).sort()).toEqual([
      ["check", "I told you not to use any, use unknown instead", "u0"],
      ["pattern", "I told you not to use any, use unknown instead", "u0"],
    ]);
    expect(w.trouble).toEqual([]);
    expect(await w.start("s2")).not.toContain("any");
    expect(w.notices.filter((line) => line.includes("suggestion"))).toEqual([
      "2 suggestions to review: continuo review",
    ]);
  });

  it("is no check if drafts are off, or if it forbids nothing that can be checked", async () => {
    const off = world("off");
    await off.start();
    await off.idle({ transcript: off.say("I told you not to use any") });
    expect((await off.pending()).map(({ kind }) => kind)).toEqual(["pattern"]);
    const vague = world();
    await vague.start();
    await vague.idle({ transcript: vague.say("From now on always use pnpm in this repo") });
    expect((await vague.pending()).map(({ kind }) => kind)).toEqual(["pattern"]);
  });

  it("is decided in one review: each inbox carries out and undoes its own", async () => {
    const w = world();
    await w.start();
    await w.idle({ transcript: w.say("I told you not to use any, use unknown instead") });
    const inbox = await allSuggestions({ home: w.home.root, env: w.env });
    const [first, second] = inbox.list();
    const answers = [await inbox.accept(first?.id ?? ""), await inbox.accept(second?.id ?? "")];
    expect(answers.map(({ done }) => done)).toEqual([true, true]);
    expect(inbox.list()).toEqual([]);
    expect(await inbox.withdraw(answers[0]?.batch)).toMatchObject({ done: true });
    expect(inbox.list().map(({ id }) => id)).toEqual([first?.id]);
    expect(await inbox.withdraw()).toMatchObject({ done: true });
    expect(inbox.list()).toHaveLength(2);
    expect(await inbox.withdraw()).toMatchObject({ done: false });
    expect(await inbox.accept("nothing")).toMatchObject({ done: false });
  });
});
