import { describe, expect, it } from "vitest";
import type { Continuing, Lineage, SessionSummary } from "../../../../src/web/api/session-page.ts";
import { write } from "../../../support/world.ts";
import { answered, asked, line, pageWorld, SESSION } from "./page-world.ts";

async function withSubagent() {
  const here = pageWorld();
  here.transcript(
    asked("Round prices half to even.", "q1"),
    answered("Done: src/round.ts rounds half to even.", "a1"),
  );
  const child = line("user", { isSidechain: true, message: { role: "user", content: "look for it" } });
  write(here.user, { [`.claude/projects/-work-shop/${SESSION}/subagents/agent-1.jsonl`]: child });
  await here.sync();
  return here;
}

describe("the page of a session", () => {
  it("tells where a session comes from and what came of it", async () => {
    const here = await withSubagent();
    const parent = await here.json<Lineage>("/lineage");
    expect(parent.ancestors).toEqual([]);
    expect(parent.descendants).toMatchObject([{ how: "subagent of", session: { id: "agent-1" } }]);
    const child = await here.json<Lineage>("/lineage", "claude-code", "agent-1");
    expect(child.ancestors).toMatchObject([{ how: "subagent of", id: SESSION, session: { id: SESSION } }]);
  });

  it("tells how to resume it, and hands it over to other hosts", async () => {
    const here = await withSubagent();
    const { resume, handoff } = await here.json<Continuing>("/continue");
    expect(resume).toBe(`cd /work/shop && claude --resume ${SESSION}`);
    expect(handoff).toContain("Round prices half to even.");
    const child = await here.json<Continuing>("/continue", "claude-code", "agent-1");
    expect(child.resume).toBeNull();
  });

  it("has the record in parts, each line with its turn", async () => {
    const here = await withSubagent();
    const record = await here.json<SessionSummary>("/record");
    expect(record.model).toBeNull();
    expect(record.parts[0]).toMatchObject({ title: "Goal", lines: [{ turn: "q1" }] });
    expect(record.summary).toContain("Goal");
  });

  it("has an empty record, and no handoff, for a session in which nothing was said", async () => {
    const here = pageWorld();
    here.transcript(line("progress", {}));
    await here.sync();
    const response = await here.get("/record");
    if (response.status === 200) expect(await response.json()).toMatchObject({ parts: [] });
    else expect(response.status).toBe(404);
  });
});
