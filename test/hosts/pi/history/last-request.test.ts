import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../support/child.ts";
import { lastRequest } from "../../../support/histories.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const AT = "2026-01-01T00:00:00.000Z";
const text = (words: string) => [{ type: "text", text: words }];
const message = (role: string, content: unknown, more: object = {}) => ({
  type: "message",
  timestamp: AT,
  message: { role, content, ...more },
});
const answer = (words: string, stopReason = "stop") => message("assistant", text(words), { stopReason });

/** Each entry follows the one before, unless it names another parent; `null` is the root. */
function read(...entries: readonly object[]) {
  const lines = entries.map((entry, i) =>
    JSON.stringify({ id: i, parentId: i === 0 ? null : i - 1, ...entry }),
  );
  const folder = temporaryFolder();
  write(folder, {
    "s.jsonl": [JSON.stringify({ type: "session", version: 3, id: "s" }), ...lines].join("\n"),
  });
  return lastRequest("pi", join(folder, "s.jsonl"));
}

describe("lastRequest in pi's session file", () => {
  it("is the newest prompt of a person, and whether it was answered", () => {
    const asked = message("user", text("move the button"));
    expect(read(asked, answer("done"))).toEqual({ text: "move the button", answered: true, at: AT });
    expect(read(asked)).toMatchObject({ answered: false });
    expect(read(asked, answer("", "error"))).toMatchObject({ answered: false });
    const working = [answer("Let me see.", "toolUse"), message("toolResult", text("x"))];
    expect(read(asked, answer("earlier"), ...working)).toMatchObject({ answered: false });
  });

  it("is never what an extension added, ours included", () => {
    const found = read(
      message("user", "the real one"),
      { type: "custom_message", customType: "continuo", content: text("rules") },
      answer("done"),
      message("bashExecution", undefined, { command: "ls" }),
      message("user", text("<system-reminder>only this</system-reminder>")),
      { type: "custom", customType: "continuo", data: {} },
      { type: "compaction", summary: "we spoke" },
    );
    expect(found).toMatchObject({ text: "the real one", answered: true });
  });

  it("is on the branch that the session is on", () => {
    const found = read(
      message("user", "first"),
      answer("yes"),
      message("user", "abandoned"),
      answer("no", "aborted"),
      { type: "branch_summary", parentId: 1 },
    );
    expect(found).toMatchObject({ text: "first", answered: true });
    expect(read(message("user", "abandoned"), { type: "session_info", parentId: null })).toBeUndefined();
    expect(read()).toBeUndefined();
  });

  const real = join(process.env["CONTINUO_BENCH_DATA"] ?? join(ROOT, "../shared/bench"), "transcripts/pi");
  it.skipIf(!existsSync(real))(
    "is the last user's message of real sessions (skipped where the benchmark data is absent)",
    () => {
      const files = readdirSync(real).filter((name) => name.endsWith(".jsonl"));
      expect(files.length).toBeGreaterThan(1);
      for (const name of files) {
        const lines = readFileSync(join(real, name), "utf8").split("\n");
        const prompts = lines.filter((line) => line.includes('"message":{"role":"user"'));
        const words = JSON.parse(prompts.at(-1) ?? "{}").message.content[0].text;
        expect(lastRequest("pi", join(real, name)), name).toMatchObject({ text: words, answered: true });
      }
    },
  );
});
