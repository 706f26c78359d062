import { join } from "node:path";
import { expect, it } from "vitest";
import { shownInRollout } from "../../../../src/hosts/codex/hook.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const SINCE = Date.parse("2026-11-18T10:00:00.000Z");
/** A repository's own rule comes first, and is longer than any beginning that one would compare. */
const TEXT = `<continuo>\n## Rules\n${"Keep it small. ".repeat(200)}\nThe user's own rule.\n</continuo>`;

function shown(...payloads: object[]): boolean | undefined {
  const folder = temporaryFolder();
  const line = (payload: object, i: number) =>
    JSON.stringify({ timestamp: `2026-11-18T10:00:0${i + 1}.000Z`, type: "response_item", payload });
  write(folder, { "rollout.jsonl": `${payloads.map(line).join("\n")}\n` });
  return shownInRollout(join(folder, "rollout.jsonl"))({ text: TEXT, since: SINCE, over: "process" });
}

const message = (role: string, text: string) => ({
  type: "message",
  role,
  content: [{ type: "input_text", text }],
});

it("a text is shown where the transcript has the whole of it", () => {
  expect(shown(message("developer", TEXT), message("assistant", "ok"))).toBe(true);
});

it("a text is not shown where a tool's result quotes its beginning, however long", () => {
  const quoted = TEXT.slice(0, TEXT.indexOf("The user's own rule."));
  const output = { type: "function_call_output", call_id: "c1", output: quoted };
  expect(shown(message("user", "go"), output, message("assistant", "ok"))).toBe(false);
});
