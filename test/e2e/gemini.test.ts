import { describe, expect, it, onTestFinished } from "vitest";
import { startGemini } from "../hosts/gemini/driver.ts";
import { GEMINI, geminiProgram } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { write } from "../support/world.ts";
import { continuo } from "./continuo.ts";
import { hostContract } from "./host-contract.ts";
import { count, main } from "./seen-requests.ts";
import { SOURCES } from "./source-checks.ts";

const found = await orSkipReason(geminiProgram());

hostContract({
  name: `Gemini CLI ${GEMINI}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    prefix: "after a resume it sends every tool result twice, with or without us",
    "file rule": "after a resume it sends every tool result twice, and what we added to it with it",
    "broken rule": "after a resume it sends every tool result twice, and what we added to it with it; below",
    compaction:
      "it keeps the newest part of the conversation word for word, and what we added there is there again; below: nothing is missing",
    "automatic compaction":
      "as for compaction; below: the rules are in the request before which it compressed",
    child: "it has no event for the start of a subagent, and the events inside one do not tell it apart",
    title: "it asks for no titles when it runs one prompt",
    decide: "it has no forms (-32601), and its commands are prompts for a model",
    ...(noStrace === undefined ? {} : { network: noStrace }),
  },
  start: startGemini,
});

describe.skipIf(typeof found === "object")(`Gemini CLI ${GEMINI}, besides the contract`, () => {
  it("has every rule and pinned item once in the first turn after a compression", async () => {
    const driver = await startGemini();
    onTestFinished(() => driver.dispose());
    for (const source of SOURCES) write(driver.project, source.files);
    const { session } = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
    await continuo(driver, "sets", "set", "files", "docs/PINNED-PLAN.md");
    await driver.turn("again", { session });
    expect((await driver.compact(session)).map(({ kind }) => kind)).toContain("compaction");
    const [after] = (await driver.turn("go on", { session })).requests;
    for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(count(after, mark), mark).toBe(1);
    expect(count(after, /Relevant files:\s*- \S*PINNED-PLAN/)).toBeGreaterThan(0);
  });

  it("has the rules in the request right after it compressed, also twice within seconds and in mid-turn", async () => {
    const driver = await startGemini();
    onTestFinished(() => driver.dispose());
    for (const source of SOURCES) write(driver.project, source.files);
    const { session } = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
    await driver.turn("again", { session });
    const turns = [
      await driver.compact(session),
      await driver.overflow(session),
      await driver.compact(session),
    ];
    for (const requests of turns) {
      expect(requests.map(({ kind }) => kind)).toContain("compaction");
      for (const request of main(requests)) expect(count(request, "MARK-ALWAYS")).toBeGreaterThan(0);
    }
  });

  it("tells an edit that breaks a rule with its result, once within one process", async () => {
    const driver = await startGemini();
    onTestFinished(() => driver.dispose());
    write(driver.project, {
      ".continuo/rules/no-bad.md": "---\nchecks:\n  edits:\n    never: 'MARK-[B]AD'\n---\nNo bad marks.",
      "src/a.ts": "export const a = 1;\n",
    });
    const replies = [{ edit: "src/b.ts", content: "export const b = 'MARK-BAD';\n" }, { read: "src/a.ts" }];
    const { requests } = await driver.turn("write it", { replies });
    const told = /src\/b\.ts:1 breaks the rule "no-bad\.md": [^\n]*MARK-BAD/;
    expect(main(requests).map((request) => count(request, told))).toEqual([0, 1, 1]);
  });

  it("delivers a rule for a file once within one process, with the result of the tool that read it", async () => {
    const driver = await startGemini();
    onTestFinished(() => driver.dispose());
    write(driver.project, {
      ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
      ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
      "src/a.ts": "export const a = 1;\n",
    });
    const { requests } = await driver.turn("read it", { replies: [{ read: "src/a.ts" }] });
    expect(requests.map(({ text }) => text.split("MARK-TYPED").length - 1)).toEqual([0, 1]);
    expect(requests.map(({ text }) => text.split("MARK-ALWAYS").length - 1)).toEqual([1, 1]);
  });
});
