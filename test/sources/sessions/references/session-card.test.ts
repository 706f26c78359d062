import { describe, expect, it } from "vitest";
import { EXTRACTED, type SessionRecord } from "../../../../src/sources/sessions/records/files.ts";
import { sessionCard } from "../../../../src/sources/sessions/references/session-card.ts";
import type { PastSession } from "../../../../src/sources/sessions/session.ts";

const SESSION = {
  host: "pi",
  id: "session-1",
  name: "Fix the login",
  started: 0,
  modified: 0,
} as unknown as PastSession;
const SUMMARY = `## Goal
- fix the login [turn-1234]

## Outcome
- The login retries. [turn-5678]

## Files
- src/login.ts [turn-5678]

## Commands
- npm run check [turn-9999]`;

function card(tokens: number, model = EXTRACTED): string[] {
  const record = {
    description: "fix the login. Ended with: The login retries.",
    summary: SUMMARY,
    tags: ["login"],
    model,
    continuo: { files: ["src/login.ts"] },
  } as unknown as SessionRecord;
  return sessionCard({ session: SESSION, record, cited: [], ancestors: [], tokens }).split("\n").slice(1, -1);
}

describe("a session card", () => {
  it("of an extracted record has the summary once, with commands and files", () => {
    expect(card(1000)).toEqual([
      "Files: src/login.ts",
      "## Goal",
      "- fix the login",
      "## Outcome",
      "- The login retries.",
      "## Commands",
      "- npm run check",
    ]);
  });

  it("has a model's description, which differs from the summary", () => {
    expect(card(1000, "endpoint/small")[0]).toBe("fix the login. Ended with: The login retries.");
  });

  it("has a description if the summary does not fit, and no heading without content", () => {
    const all = Array.from({ length: 60 }, (_, i) => card(60 + i));
    expect(all.some((lines) => lines.includes("## Goal") && !lines.includes("## Commands"))).toBe(true);
    for (const lines of all) {
      expect(lines.at(-1) ?? "").not.toMatch(/^## /);
      if (lines.length > 0 && !lines.includes("- npm run check"))
        expect(lines[0]).toMatch(/^fix the login\. Ended/);
    }
  });
});
