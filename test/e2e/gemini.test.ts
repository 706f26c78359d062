import { describe, expect, it, onTestFinished } from "vitest";
import { startGemini } from "../hosts/gemini/driver.ts";
import { GEMINI, geminiProgram } from "../support/gemini.ts";
import { orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(geminiProgram());

hostContract({
  name: `Gemini CLI ${GEMINI}`,
  missing: typeof found === "object" ? found.skip : undefined,
  skip: {
    prefix: "after a resume it sends every tool result twice, with or without us",
    "file rule": "after a resume it sends every tool result twice, and what we added to it with it",
    child: "it has no event for the start of a subagent, and the events inside one do not tell it apart",
    title: "it asks for no titles when it runs one prompt",
  },
  start: startGemini,
});

describe.skipIf(typeof found === "object")(`Gemini CLI ${GEMINI}, within one process`, () => {
  it("delivers a rule for a file once, with the result of the tool that read it", async () => {
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
