import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { classify, countOccurrences } from "../fakes/anthropic-requests.ts";
import type { ModelRequest } from "../fakes/anthropic-wire.ts";
import { CLAUDE_CODE } from "../support/claude-code.ts";
import { expectPrefix, mainOf, missingClaudeCode, wiredClaudeCode } from "../support/claude-code-wired.ts";

const missing = await missingClaudeCode();

const lines = Array.from(
  { length: 200 },
  (_, i) => `LINE-${1000 + i} of an instruction that says how code is written here.`,
);
const LONG = {
  ".continuo/rules/long.md": `${lines.join("\n")}\n`.padEnd(14_700, "x"),
  ".continuo/rules/one.md": "SMALL-ONE: use pnpm.",
  ".continuo/rules/two.md": "SMALL-TWO: no default exports.",
};
const rule = (i: number) => `${`RULE-${10 + i} `.padEnd(990, "plain words ")}END-${10 + i}`;
const MANY = Object.fromEntries(
  Array.from({ length: 30 }, (_, i) => [`.continuo/rules/r${10 + i}.md`, rule(i)]),
);
const MARKS = {
  long: [...lines, "SMALL-ONE: use pnpm.", "SMALL-TWO: no default exports."],
  many: Array.from({ length: 30 }, (_, i) => rule(i)),
};

function expectWhole(request: ModelRequest | undefined, marks: readonly string[], when: string): void {
  const wrong = marks.filter((mark) => countOccurrences(request!, mark) !== 1);
  expect(
    wrong.map((mark) => `${mark.slice(0, 30)}: ${countOccurrences(request!, mark)}`),
    when,
  ).toEqual([]);
}

describe.skipIf(missing !== undefined)(
  `rules that are longer than one hook output of Claude Code ${CLAUDE_CODE}`,
  () => {
    it.each([
      ["one of 14.7 KB beside two of one line", "command", LONG, MARKS.long],
      ["one of 14.7 KB beside two of one line", "tool", LONG, MARKS.long],
      ["30 of 1,000 characters, always on", "command", MANY, MARKS.many],
      ["30 of 1,000 characters, always on", "tool", MANY, MARKS.many],
    ] as const)(
      "are whole in every first request, once each, with one prefix per epoch: %s, hooks in the %s form",
      async (_, form, rules, marks) => {
        const host = await wiredClaudeCode({ files: { ...rules, "a.txt": "a", "b.txt": "b" }, form });
        const id = randomUUID();
        const resume = ["--resume", id];
        const first = mainOf(await host.turn("hello", [], ["--session-id", id]));
        expectWhole(first[0], marks, "first request of the first session");
        const next = [
          ...mainOf(await host.turn("again", [], resume)),
          ...mainOf(await host.turn("more", [], resume)),
        ];
        for (const request of next) expectWhole(request, marks, "after a resume");
        expectPrefix([...first, ...next]);

        await host.compact(id);
        const second = [
          ...mainOf(await host.turn("on", [], resume)),
          ...mainOf(await host.turn("and on", [], resume)),
        ];
        for (const request of second) expectWhole(request, marks, "after a manual compaction");
        expectPrefix(second);

        const read = (name: string): Reply => ({
          toolUses: [{ name: "Read", input: { file_path: join(host.project, name) } }],
          usage: { input_tokens: 95_000 },
        });
        const full = [...resume, "--autocompact", "100k"];
        const turn = await host.turn("read a lot", [read("a.txt"), read("b.txt")], full);
        const kinds = turn.map(classify);
        expect(kinds).toContain("compaction");
        const after = mainOf(turn.slice(kinds.lastIndexOf("compaction")));
        for (const request of after) expectWhole(request, marks, "after an automatic compaction in mid-turn");
        const resumed = mainOf(await host.turn("still", [], resume));
        expectWhole(resumed[0], marks, "resumed after it");
        expectPrefix([...after, ...resumed]);

        const other = mainOf(await host.turn("hello"));
        expectWhole(other[0], marks, "first request of a second session");
        expect(existsSync(join(host.home, ".continuo", "parts", "waiting", "2"))).toBe(false);
        expect(await host.cli("doctor")).toContain("No problems found: ");
        const why = await host.cli("why", id);
        expect(why).not.toContain("No room");
      },
      240_000,
    );
  },
);
