import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startFakeAnthropic } from "../fakes/anthropic.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences, sharedPrefix } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { CLAUDE_CODE, type HookForm, startClaudeCode, userEnv } from "../support/claude-code.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const SUMMARY: Reply = { text: "<analysis>x</analysis>\n<summary>We worked.</summary>" };
const missing = await orSkipReason(installedPackage("@anthropic-ai/claude-code", CLAUDE_CODE));
const skip = typeof missing === "object" && "skip" in missing ? missing.skip : false;

const lines = Array.from(
  { length: 200 },
  (_, i) => `LINE-${1000 + i} of an instruction that says how code is written here.`,
);
const LONG = {
  "long.md": `${lines.join("\n")}\n`.padEnd(14_700, "x"),
  "one.md": "SMALL-ONE: use pnpm.",
  "two.md": "SMALL-TWO: no default exports.",
};
const rule = (i: number) => `${`RULE-${10 + i} `.padEnd(990, "plain words ")}END-${10 + i}`;
const MANY = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`r${10 + i}.md`, rule(i)]));
const MARKS = {
  long: [...lines, "SMALL-ONE: use pnpm.", "SMALL-TWO: no default exports."],
  many: Array.from({ length: 30 }, (_, i) => rule(i)),
};

async function wired(rules: Record<string, string>, form: HookForm) {
  let queue: Reply[] = [];
  const server = await startFakeAnthropic({
    respond: (request) => {
      if (classify(request) === "compaction") return SUMMARY;
      return classify(request) === "main" ? (queue.shift() ?? { text: "done" }) : { text: "done" };
    },
  });
  onTestFinished(() => server.close());
  const host = await startClaudeCode({ git: true, server });
  onTestFinished(() => host.dispose());
  write(
    host.project,
    Object.fromEntries(Object.entries(rules).map(([name, text]) => [`.continuo/rules/${name}`, text])),
  );
  write(host.project, { "a.txt": "a", "b.txt": "b" });
  const env = userEnv(host, form);
  const cli = (...args: string[]) => runScript(CONTINUO, args, { env, cwd: host.project });
  expect((await cli("install", "claude-code")).code).toBe(0);
  const turn = async (
    prompt: string,
    session: { sessionId: string } | { resume: string },
    replies: Reply[] = [],
    args: string[] = [],
  ) => {
    queue = replies;
    const done = await host.run({
      prompt,
      ...session,
      args: ["--permission-mode", "bypassPermissions", ...args],
    });
    expect(done.code, done.stderr).toBe(0);
    return done.requests;
  };
  return { ...host, cli, turn };
}

const main = (requests: readonly ModelRequest[]) =>
  requests.filter((request) => classify(request) === "main");

function expectOnce(request: ModelRequest | undefined, marks: readonly string[], when: string): void {
  const wrong = marks.filter((mark) => countOccurrences(request!, mark) !== 1);
  expect(
    wrong.map((mark) => `${mark.slice(0, 30)}: ${countOccurrences(request!, mark)}`),
    when,
  ).toEqual([]);
}

function expectPrefix(requests: readonly ModelRequest[]): void {
  for (let i = 1; i < requests.length; i++)
    expect(sharedPrefix(requests[i - 1]!, requests[i]!), `request ${i}`).toEqual({
      system: true,
      tools: true,
      messages: true,
    });
}

describe.skipIf(skip)(`rules that are longer than one hook output of Claude Code ${CLAUDE_CODE}`, () => {
  it.each([
    ["one of 14.7 KB beside two of one line", "command", LONG, MARKS.long],
    ["one of 14.7 KB beside two of one line", "tool", LONG, MARKS.long],
    ["30 of 1,000 characters, always on", "command", MANY, MARKS.many],
    ["30 of 1,000 characters, always on", "tool", MANY, MARKS.many],
  ] as const)(
    "are whole in every first request, once each, with one prefix per epoch: %s, hooks in the %s form",
    async (_, form, rules, marks) => {
      const host = await wired(rules, form);
      const id = randomUUID();
      const first = main(await host.turn("hello", { sessionId: id }));
      expectOnce(first[0], marks, "first request of the first session");
      const next = [
        ...main(await host.turn("again", { resume: id })),
        ...main(await host.turn("more", { resume: id })),
      ];
      for (const request of next) expectOnce(request, marks, "after a resume");
      expectPrefix([...first, ...next]);

      await host.compact(id);
      const second = [
        ...main(await host.turn("on", { resume: id })),
        ...main(await host.turn("and on", { resume: id })),
      ];
      for (const request of second) expectOnce(request, marks, "after a manual compaction");
      expectPrefix(second);

      const read = (name: string): Reply => ({
        toolUses: [{ name: "Read", input: { file_path: join(host.project, name) } }],
        usage: { input_tokens: 95_000 },
      });
      const turn = await host.turn(
        "read a lot",
        { resume: id },
        [read("a.txt"), read("b.txt")],
        ["--autocompact", "100k"],
      );
      const kinds = turn.map(classify);
      expect(kinds).toContain("compaction");
      const after = main(turn.slice(kinds.lastIndexOf("compaction")));
      for (const request of after) expectOnce(request, marks, "after an automatic compaction in mid-turn");
      const resumed = main(await host.turn("still", { resume: id }));
      expectOnce(resumed[0], marks, "resumed after it");
      expectPrefix([...after, ...resumed]);

      const other = main(await host.turn("hello", { sessionId: randomUUID() }));
      expectOnce(other[0], marks, "first request of a second session");
      expect(existsSync(join(host.home, ".continuo", "parts", "waiting", "2"))).toBe(false);
      expect((await host.cli("doctor")).stdout).toContain("No problems found: ");
      const why = (await host.cli("why", id)).stdout;
      expect(why).not.toContain("No room");
    },
    240_000,
  );
});
