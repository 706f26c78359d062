import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../support/child.ts";
import { lastRequest } from "../../../support/histories.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const user = (content: unknown, more: object = {}) =>
  JSON.stringify({
    type: "user",
    message: { role: "user", content },
    timestamp: "2026-01-01T00:00:00Z",
    ...more,
  });
const assistant = (content: unknown, more: object = {}) =>
  JSON.stringify({ type: "assistant", message: { role: "assistant", content }, ...more });
const text = (words: string) => [{ type: "text", text: words }];

function read(...lines: string[]) {
  const folder = temporaryFolder();
  write(folder, { "s.jsonl": lines.join("\n") });
  return lastRequest("claude-code", join(folder, "s.jsonl"));
}

describe("lastRequest in Claude Code's transcript", () => {
  it("is the newest prompt that a person typed, and whether text followed", () => {
    expect(read(user("first"), assistant(text("yes")), user("second"))).toEqual({
      text: "second",
      answered: false,
      at: "2026-01-01T00:00:00Z",
    });
    expect(read(user("first"), assistant(text("yes")))).toMatchObject({ text: "first", answered: true });
    expect(read(user(text("with blocks")), assistant([{ type: "tool_use", name: "Read" }]))).toMatchObject({
      text: "with blocks",
      answered: false,
    });
  });

  it("passes over tool results, summaries, echoes of commands, injected text and errors", () => {
    const found = read(
      user("the real one"),
      assistant(text("API Error"), { isApiErrorMessage: true }),
      user([{ type: "tool_result", content: "x" }], { toolUseResult: {} }),
      user("This session is being continued", { isCompactSummary: true }),
      user("Caveat: …", { isMeta: true }),
      user("<command-name>/compact</command-name>"),
      user("<local-command-stdout>done</local-command-stdout>"),
      user("<system-reminder>only this</system-reminder>"),
      user("a subagent's", { isSidechain: true }),
      '{"type":"user","message":{"content":"half a li',
    );
    expect(found).toMatchObject({ text: "the real one", answered: false });
  });

  it("is not answered by text that a tool call followed, or when the user interrupted", () => {
    const tool = assistant([{ type: "tool_use", name: "Bash" }]);
    expect(read(user("migrate"), assistant(text("Let me see.")), tool)).toMatchObject({
      text: "migrate",
      answered: false,
    });
    const stopped = user("[Request interrupted by user for tool use]");
    expect(read(user("migrate"), assistant(text("Let me see.")), stopped)).toMatchObject({
      text: "migrate",
      answered: false,
    });
    expect(read(user("migrate"), user("<bash-input>ls</bash-input>"))).toMatchObject({ text: "migrate" });
  });

  it("finds it behind megabytes of other lines, and nothing in an empty file", () => {
    const noise = Array.from({ length: 20 }, () =>
      JSON.stringify({ type: "api-request", body: "x".repeat(100_000) }),
    );
    expect(read(user("far back"), ...noise)?.text).toBe("far back");
    expect(read("")).toBeUndefined();
  });

  const real = join(
    process.env["CONTINUO_BENCH_DATA"] ?? join(ROOT, "../shared/bench"),
    "transcripts/claude-code",
  );
  it.skipIf(!existsSync(real))(
    "finds one in every real transcript (skipped where the benchmark data is absent)",
    () => {
      // Some hold no prompt at all: a subagent's file, or a list of summaries.
      const hasPrompt = (name: string) =>
        readFileSync(join(real, name), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line))
          .some(
            (one) =>
              one.type === "user" &&
              !one.isSidechain &&
              !one.isMeta &&
              typeof one.message.content === "string",
          );
      const files = readdirSync(real).filter((name) => name.endsWith(".jsonl") && hasPrompt(name));
      expect(files.length).toBeGreaterThan(4);
      for (const name of files) {
        const found = lastRequest("claude-code", join(real, name));
        expect(found?.text, name).toBeTruthy();
        expect(found?.text).not.toMatch(/^<|tool_result/);
      }
    },
  );
});
