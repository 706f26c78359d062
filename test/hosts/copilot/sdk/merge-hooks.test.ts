import { describe, expect, it } from "vitest";
import { mergeHooks } from "../../../../src/hosts/copilot/sdk/merge-hooks.ts";

type Input = { prompt?: string; toolArgs?: unknown };
type Hooks = Record<string, (input: Input) => unknown>;

const call = (first: Hooks | undefined, second: Hooks, name: string, input: Input = {}) =>
  mergeHooks(first, second)[name]?.(input);

describe("two sets of hooks as one", () => {
  it("delivers both contexts, the first one's before the second one's", async () => {
    const first = { onUserPromptSubmitted: () => ({ additionalContext: "one", suppressOutput: true }) };
    const second = { onUserPromptSubmitted: async () => ({ additionalContext: "two" }) };
    expect(await call(first, second, "onUserPromptSubmitted")).toEqual({
      additionalContext: "one\n\ntwo",
      suppressOutput: true,
    });
  });

  it("gives the second the prompt and the arguments as the first changed them", async () => {
    const first = { hook: () => ({ modifiedPrompt: "new", modifiedArgs: { path: "b" } }) };
    const second = { hook: (input: Input) => ({ additionalContext: JSON.stringify(input) }) };
    expect(await call(first, second, "hook", { prompt: "old", toolArgs: { path: "a" } })).toEqual({
      modifiedPrompt: "new",
      modifiedArgs: { path: "b" },
      additionalContext: '{"prompt":"new","toolArgs":{"path":"b"}}',
    });
  });

  it.each([
    ["allow", "deny", "deny"],
    ["deny", "ask", "deny"],
    ["ask", "allow", "ask"],
  ])("respects the stricter of %s and %s, with its reason", async (one, two, strictest) => {
    const deciding = (decision: string) => ({
      onPreToolUse: () => ({ permissionDecision: decision, permissionDecisionReason: `${decision}!` }),
    });
    expect(await call(deciding(one), deciding(two), "onPreToolUse")).toEqual({
      permissionDecision: strictest,
      permissionDecisionReason: `${strictest}!`,
    });
  });

  it("calls either when the other throws, returns nothing or is not there", async () => {
    const throws = {
      hook: () => {
        throw new Error("broken");
      },
    };
    const says = { hook: () => ({ additionalContext: "said" }) };
    const others: Hooks[] = [throws, { hook: async () => undefined }, {}];
    for (const other of others) {
      expect(await call(other, says, "hook")).toEqual({ additionalContext: "said" });
      expect(await call(says, other, "hook")).toEqual({ additionalContext: "said" });
    }
    expect(await call(undefined, says, "hook")).toEqual({ additionalContext: "said" });
  });
});
