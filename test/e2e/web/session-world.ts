import { join } from "node:path";
import { openWeb } from "../../support/browser.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryWorld, write } from "../../support/world.ts";

export const SESSION = "6a1d3c52-9c1f-4c35-8a7e-0d5f4b7f2e11";
const CWD = "/work/shop";
let count = 0;

export function line(type: string, more: object, uuid = `u${++count}`): string {
  const where = { cwd: CWD, sessionId: SESSION, gitBranch: "half-even", isSidechain: false };
  const timestamp = new Date(Date.UTC(2026, 10, 15, 9, 0, 0) + ++count * 20_000).toISOString();
  return `${JSON.stringify({ ...where, type, uuid, timestamp, ...more })}\n`;
}

export const asked = (content: unknown, uuid?: string, more: object = {}): string =>
  line("user", { message: { role: "user", content }, ...more }, uuid);

export function answered(...blocks: readonly (string | object)[]): string {
  const content = blocks.map((one) => (typeof one === "string" ? { type: "text", text: one } : one));
  return line("assistant", {
    message: { id: `msg_${++count}`, role: "assistant", model: "claude-sonnet-4-5", content },
  });
}

export const call = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
export const result = (id: string, content: unknown, isError = false): string =>
  asked([{ type: "tool_result", tool_use_id: id, content, ...(isError && { is_error: true }) }], undefined, {
    toolUseResult: {},
  });
export const given = (text: string): string =>
  line("attachment", {
    attachment: {
      type: "hook_additional_context",
      content: [`<continuo>\n${text}\n</continuo>`],
      hookEvent: "SessionStart",
    },
  });

/** A session as people have them: questions, reading, edits, a failing test, a compaction. */
export function realisticSession(): string[] {
  const edit = {
    file_path: `${CWD}/src/round.ts`,
    old_string: "export function round(cents: number): number {\n  return Math.round(cents);\n}\n",
    new_string:
      "/** Half to even, as the ledger does. */\nexport function round(cents: number): number {\n  const floor = Math.floor(cents);\n  const rest = cents - floor;\n  if (rest !== 0.5) return Math.round(cents);\n  return floor % 2 === 0 ? floor : floor + 1;\n}\n",
  };
  return [
    given("Rules: amounts are integers of cents. Tests live beside the code."),
    asked(
      "Prices on invoices are off by a cent in some orders. Find out why and fix it. Look at `src/round.ts` first.",
      "p1",
    ),
    answered(
      { type: "thinking", thinking: "The rounding is likely half up. The ledger rounds half to even." },
      "I'll read the rounding code and where it is used.",
      call("c1", "Read", { file_path: `${CWD}/src/round.ts` }),
      call("c2", "Grep", { pattern: "round\\(", path: `${CWD}/src` }),
    ),
    result("c1", "1\texport function round(cents: number): number {\n2\t  return Math.round(cents);\n3\t}"),
    result("c2", "src/invoice.ts:14: const total = round(sum * rate);\nsrc/cart.ts:9: round(price * 0.5)"),
    answered(
      "`Math.round` rounds half **up**, but the ledger rounds half to even. That explains the difference:\n\n| amount | invoice | ledger |\n|---|---:|---:|\n| 12.5 | 13 | 12 |\n| 13.5 | 14 | 14 |\n\nI will change `round` and add a test:\n\n```ts\nexpect(round(12.5)).toBe(12); // half to even\nexpect(round(13.5)).toBe(14);\n```\n\nSee [IEEE 754](https://en.wikipedia.org/wiki/IEEE_754) for the mode.",
      call("c3", "Edit", edit),
    ),
    result("c3", "The file /work/shop/src/round.ts has been updated."),
    answered(call("c4", "Bash", { command: "npm test -- round", description: "Run the tests of rounding" })),
    result("c4", "\u001b[31mFAIL\u001b[0m test/round.test.ts\n  expected 13 to be 12", true),
    answered(
      ...Array.from({ length: 7 }, (_, i) =>
        call(
          `g${i}`,
          i % 3 === 0 ? "Grep" : "Read",
          i % 3 === 0 ? { pattern: `total${i}` } : { file_path: `${CWD}/src/part-${i}.ts` },
        ),
      ),
    ),
    ...Array.from({ length: 7 }, (_, i) => result(`g${i}`, `content of part ${i}`)),
    answered(
      "The test imported the old build. After `npm run build` all 41 tests pass.\n\n1. `round` rounds half to even\n2. invoices and ledger agree\n3. nothing else used the old behaviour",
    ),
    asked(
      "This session is being continued from a previous conversation. We changed round() to half to even; tests pass; next: release notes.",
      undefined,
      { isCompactSummary: true, isVisibleInTranscriptOnly: true },
    ),
    given("Restored after compaction: amounts are integers of cents."),
    asked(
      [
        { type: "text", text: "Now write the release notes. The screenshot shows the old invoice." },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(90_000) } },
      ],
      "p2",
    ),
    answered(
      "Done: `CHANGELOG.md` has the entry.\n\n> Invoices now round half to even, like the ledger.",
      call("c9", "Write", {
        file_path: `${CWD}/CHANGELOG.md`,
        content: "## 2.3.1\n\n- Invoices round half to even, like the ledger.\n",
      }),
    ),
    result("c9", "File created"),
    answered("Anything else for this release?"),
    '{"type":"custom-title","customTitle":"Invoices off by a cent"}\n',
  ];
}

export async function sessionWorld(lines: readonly string[]) {
  const place = temporaryWorld();
  const user = place.env["HOME"] ?? "";
  const file = `.claude/projects/-work-shop/${SESSION}.jsonl`;
  write(user, { [file]: lines.join("") });
  const web = await openWeb(webWorld(place));
  await (await web.web.sessions()).sync();
  return { ...place, user, path: join(user, file), web };
}
