import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withSessions } from "../../../src/sources/sessions/access.ts";
import { recall } from "../../../src/sources/sessions/answers/recall.ts";
import { SESSION_RESOURCES } from "../../../src/sources/sessions/ports/declarations.ts";
import { completeReferences } from "../../../src/sources/sessions/ports/offer-answers.ts";
import { querySession } from "../../../src/sources/sessions/ports/session-calls.ts";
import { lineOf, ask as said } from "./place.ts";
import { type Written, worldWith } from "./written.ts";

const PARENT: Written = {
  id: "11111111-0000-4000-8000-000000000001",
  name: "Agent adapters",
  said: ["Look at the pangolin", "It has scales."],
};
const CHILD = "agent-a1b2c3d4";

/** A session with a newer subagent that has more matches and whose id begins like its parent's name. */
async function world() {
  const { call, env, offer: at } = worldWith([PARENT]);
  const folder = join(env["HOME"] ?? "", ".claude/projects/-project", PARENT.id, "subagents");
  mkdirSync(folder, { recursive: true });
  const lines = ["Pangolin, pangolin and pangolin again", "Count the pangolin's scales"].map((text) =>
    lineOf(PARENT.id, said(text), { isSidechain: true, agentId: "a1b2c3d4", cwd: call.cwd }),
  );
  writeFileSync(join(folder, `${CHILD}.jsonl`), lines.join(""));
  await withSessions(call, 5_000, () => undefined);
  return { call, at };
}

describe("a subagent's session", () => {
  it("is in no list, search, recall or completion, and is never `last`", async () => {
    const { call, at } = await world();
    await withSessions(call, 0, (library) => {
      const ids = (children: boolean) => library.list({ children }).map(({ id }) => id);
      expect(ids(false)).toEqual([PARENT.id]);
      expect(ids(true)).toEqual([CHILD, PARENT.id]);
      expect(library.search("pangolin").hits.map(({ session }) => session.id)).toEqual([PARENT.id]);
      expect(library.find("last")).toMatchObject({ kind: "found", session: { id: PARENT.id } });
    });
    for (const typed of ["@@", "@@agent", "@@pangolin", "@@agent-a1"])
      expect(JSON.stringify(await completeReferences(typed, at)), typed).not.toContain(CHILD);
    expect(await completeReferences("@@agent-a", at)).toHaveLength(1);
    expect(await recall("pangolin", at)).not.toContain(CHILD);
    const [resource] = SESSION_RESOURCES;
    expect(JSON.stringify(await resource?.list?.(at))).not.toContain(CHILD);
    expect(await resource?.complete?.("id", "agent-a", at)).toEqual([PARENT.id]);
    expect((await querySession({ question: "pangolin" }, call)).text).not.toContain(CHILD);
  });

  it("makes no name ambiguous: a name that its id begins with means the other session", async () => {
    const { call } = await world();
    await withSessions(call, 0, (library) => {
      for (const name of ["agent-a", "agent", "Agent adapters", "adapters"])
        expect(library.find(name), name).toMatchObject({ kind: "found", session: { id: PARENT.id } });
      expect(library.find("scales of the pangolin")).toMatchObject({ kind: "unknown", nearest: [] });
    });
  });

  it("is found by its id or the beginning of it, and knows its parent", async () => {
    const { call } = await world();
    await withSessions(call, 0, (library) => {
      for (const name of [CHILD, "agent-a1b2"])
        expect(library.find(name), name).toMatchObject({
          kind: "found",
          session: { id: CHILD, isChild: true, parent: PARENT.id },
        });
      const child = library.list({ children: true }).find(({ isChild }) => isChild);
      expect(child && library.ancestors(child).map(({ id }) => id)).toEqual([PARENT.id]);
    });
    expect((await querySession({ session: CHILD, question: "scales" }, call)).ok).toBe(true);
  });
});
