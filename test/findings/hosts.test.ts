import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { continuo, hook, type Place, place, shell, startHost, type WiredHost, wired } from "./program.ts";

const posix = describe.skipIf(process.platform === "win32");

posix("HOST-5", () => {
  it("HOST-5: a config.json that is a pipe keeps neither a hook from its rules nor doctor from its report", async () => {
    const at = place({ ".continuo/rules/a.md": "Rule A." });
    rmSync(join(at.home, "config.json"));
    execFileSync("mkfifo", [join(at.home, "config.json")]);
    expect((await hook(at, "SessionStart")).stdout).toContain("Rule A.");
    expect((await continuo(at, ["doctor"])).stdout).toContain("config.json");
  });
});

/** Each host's event before a prompt is sent. */
const PROMPT: Readonly<Record<WiredHost, string>> = {
  "claude-code": "UserPromptSubmit",
  codex: "UserPromptSubmit",
  copilot: "userPromptSubmitted",
  gemini: "BeforeAgent",
};
const HOSTS = Object.keys(PROMPT) as WiredHost[];

posix("HOST-7", () => {
  it.each(HOSTS)("HOST-7: a removed runtime does not fail a prompt in %s", async (host) => {
    const at = place();
    const entries = (await wired(at, host))(PROMPT[host]);
    expect(entries.length).toBeGreaterThan(0);
    for (const { command, bash } of entries) {
      const gone = (command ?? bash ?? "").replace(process.execPath, "/removed/bin/node");
      expect(gone).toContain("/removed/bin/node");
      expect(await shell(at, gone, { stdin: "{}" })).toEqual({ code: 0, stdout: "", stderr: "" });
    }
  });
});

function texts(words: string, length: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `RULE-${10 + i} ${words.repeat(length).slice(0, length)} END-${10 + i}`,
  );
}
const MANY = texts("plain words ", 980, 30);
const CYRILLIC = texts("простые слова ", 700, 13);

const withRules = (rules: readonly string[]): Place =>
  place(Object.fromEntries(rules.map((text, i) => [`.continuo/rules/r${10 + i}.md`, text])));

const missing = (text: string, rules: readonly string[]) =>
  rules.filter((rule) => text.split(rule).length !== 2).map((rule) => rule.slice(0, 7));

/** Everything that the model has seen when it answers the first prompt. */
async function opening(event: Awaited<ReturnType<typeof startHost>>, host: WiredHost): Promise<string> {
  const start = await event("SessionStart", { source: "startup" });
  return `${start}\n${await event(PROMPT[host], { prompt: "hello" })}`;
}

posix("HOST-8", () => {
  it("HOST-8: 13 Cyrillic rules reach Codex's model whole with the first prompt", async () => {
    const event = await startHost(withRules(CYRILLIC), "codex");
    expect(missing(await opening(event, "codex"), CYRILLIC)).toEqual([]);
  });
});

posix("HOST-9", () => {
  it("HOST-9: what Copilot CLI's model is shown after an automatic compaction is whole, and all rules come by the next prompt", async () => {
    const event = await startHost(withRules(CYRILLIC.concat(MANY.slice(13))), "copilot");
    await opening(event, "copilot");
    await event("preCompact", { trigger: "auto" });
    const call = { toolName: "bash", toolArgs: { command: "ls" }, toolResult: {} };
    const first = await event("postToolUse", call);
    expect(first).toContain("RULE-10");
    expect(first.trimEnd()).toMatch(/<\/continuo>$/);
    const next = await event("userPromptSubmitted", { prompt: "go on" });
    expect(missing(first + next, CYRILLIC.concat(MANY.slice(13)))).toEqual([]);
  });
});

posix("HOST-10", () => {
  it.each(HOSTS)(
    "HOST-10: 30 rules of 1,000 characters reach the model of %s whole with the first prompt",
    async (host) => {
      const event = await startHost(withRules(MANY), host);
      expect(missing(await opening(event, host), MANY)).toEqual([]);
    },
  );
});

posix("HOST-11", () => {
  /** Lines of a transcript, as Gemini CLI 0.61.0 writes them. */
  const user = (text: string) =>
    JSON.stringify({ id: "1", timestamp: now(), type: "user", content: [{ text }] });
  const answer = (input: number) =>
    JSON.stringify({
      id: "2",
      timestamp: now(),
      type: "gemini",
      content: "Done.".repeat(200),
      tokens: { input, output: 1 },
    });
  const replaced = (...all: string[]) =>
    JSON.stringify({ $set: { messages: all.map((text) => ({ type: "user", content: [{ text }] })) } });
  const now = () => new Date(Date.now() + 1_000).toISOString();
  const context = (text: string) =>
    `<hook_context>${text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</hook_context>`;

  it("HOST-11: the request before which Gemini CLI compresses has the rules", async () => {
    const at = place({ ".continuo/rules/a.md": "Rule A." });
    const event = await startHost(at, "gemini");
    const transcript_path = join(at.folder, "chat.jsonl");
    const first = await event("BeforeAgent", { prompt: "hello", transcript_path });
    expect(first).toContain("Rule A.");
    const lines = [replaced("greeting"), user(`hello ${context(first)}`), answer(600_000)];
    writeFileSync(transcript_path, `${lines.join("\n")}\n`);
    expect(await event("BeforeAgent", { prompt: "go on", transcript_path })).toContain("Rule A.");
  });

  it("HOST-11: the rules come again after each of two compressions within seconds", async () => {
    const at = place({ ".continuo/rules/a.md": "Rule A." });
    const event = await startHost(at, "gemini");
    const transcript_path = join(at.folder, "chat.jsonl");
    const lines = [replaced("greeting")];
    for (let i = 0; i < 3; i++) {
      const text = await event("BeforeAgent", { prompt: `prompt ${i}`, transcript_path });
      expect(text, `prompt ${i}`).toContain("Rule A.");
      lines.push(user(context(text)), answer(10), replaced("greeting", "summary"), user("and"), answer(10));
      writeFileSync(transcript_path, `${lines.join("\n")}\n`);
    }
  });
});
