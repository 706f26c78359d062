import { expect, test } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import { correctDefinition, offeredTools, tools as ownTools } from "../../../src/hosts/opencode/tools.ts";
import { createBase } from "../../../src/hosts/shared/in-process/base.ts";
import type { ToolDefinition } from "../../../src/moments/ports/tool.ts";

test("files come from the arguments of the host's own tools", () => {
  const files = (tool: string, input: Record<string, unknown>) =>
    ownTools.filesOf(tool, input, "/p/sub", "/p");
  expect(files("read", { filePath: "/p/a.ts" })).toEqual([{ path: "a.ts", access: "read" }]);
  expect(files("edit", { filePath: "b.ts" })).toEqual([{ path: "sub/b.ts", access: "edit" }]);
  expect(files("write", { filePath: "" })).toEqual([]);
  expect(files("bash", { command: "cat /p/a.ts" })).toEqual([]);
  expect(files("constructor", { filePath: "/p/a.ts" })).toEqual([]);
  const patchText = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: c.ts\n@@\n-x\n+y\n*** End Patch";
  expect(files("apply_patch", { patchText }).map((file) => file.path)).toEqual(["sub/a.ts", "sub/c.ts"]);
});

const tool: ToolDefinition = {
  name: "greet",
  title: "Greet",
  effect: "reads",
  description: "Greets.",
  parameters: { type: "object", properties: { who: { type: "string" } } },
  origin: null,
  run: async (args) =>
    (args as { who?: string }).who === undefined
      ? { ok: false, text: "give who" }
      : { ok: true, text: `hello, ${(args as { who: string }).who}` },
};

const base = createBase("opencode", { sources: [], history: loadHistory, env: { HOME: "/h" }, now: () => 0 });
const contextOf = async (
  id: string,
  { cwd = "/p", signal }: { cwd?: string; signal?: AbortSignal | undefined },
) => base.toolContext({ session: { host: "opencode", id }, cwd, signal });

test("a tool answers with text and fails with an error", async () => {
  const { greet } = offeredTools([tool], contextOf);
  expect(await greet!.execute({ who: "you" }, { sessionID: "ses_1" })).toBe("hello, you");
  await expect(greet!.execute({}, { sessionID: "ses_1" })).rejects.toThrow("give who");
});

test("a tool refuses to work for a subagent", async () => {
  const child = { host: "opencode", id: "ses_2", parent: "ses_1" };
  const { greet } = offeredTools([tool], async () =>
    base.toolContext({ session: child, cwd: "/p", signal: undefined }),
  );
  await expect(greet!.execute({ who: "you" }, { sessionID: "ses_2" })).rejects.toThrow(
    "Subagents have no access to notes and past sessions.",
  );
});

test("a tool gets the signal with which the host cancels a call", async () => {
  const seen: unknown[] = [];
  const { watch } = offeredTools(
    [{ ...tool, name: "watch", run: async (_, { signal }) => ({ ok: seen.push(signal) > 0, text: "" }) }],
    contextOf,
  );
  const { signal } = new AbortController();
  await watch!.execute({}, { sessionID: "ses_1", abort: signal });
  await watch!.execute({}, { sessionID: "ses_1" });
  expect(seen).toEqual([signal, undefined]);
});

test("only required arguments are marked as required, and only in Continuo's tools", () => {
  const output = { parameters: { type: "object", required: ["who"] } };
  correctDefinition([tool], "other", output);
  expect(output.parameters.required).toEqual(["who"]);
  correctDefinition([tool], "greet", output);
  expect(output.parameters).toEqual({ type: "object", required: [] });
});
