import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { draftHeard } from "../../../../src/sources/rules/drafts/hear.ts";
import { checkSuggestions } from "../../../../src/sources/rules/drafts/suggestions.ts";
import { tombstonePath } from "../../../../src/store/tombstones.ts";
import { writeFileAtomic } from "../../../../src/store/write-file.ts";
import { history } from "../../../support/histories.ts";
import { temporaryWorld } from "../../../support/world.ts";
import { edit, writeSession } from "../try/claude-session.ts";

const NOW = Date.parse("2026-11-10T12:00:00Z");

async function drafted(sentence = "never use any") {
  const world = temporaryWorld();
  const { home, env, project, root } = world;
  mkdirSync(home.root, { recursive: true });
  const moment = { session: { host: "pi", id: "p1" }, project, at: NOW };
  await draftHeard([{ sentence }], moment, {
    home: home.root,
    readOnly: false,
    settings: {},
  });
  const inbox = checkSuggestions({ home: home.root, env, now: () => NOW, history: async () => history });
  /** With the same edit twice: what it breaks is told once. */
  const session = (id: string, text: string, at = "2026-11-01T10:00:00Z") => {
    const steps = [{ user: "Go." }, edit("src/a.ts", text), edit("src/a.ts", text)];
    writeSession(env["HOME"] ?? "", { id, cwd: root, at, steps });
  };
  const look = async () => {
    const [one] = inbox.list();
    if (one === undefined) throw new Error("nothing waits");
    return (await inbox.look?.(one))?.tried?.join(" ");
  };
  const stopped = (id: string, title?: string) =>
    writeSession(env["HOME"] ?? "", {
      id,
      cwd: root,
      at: "2026-11-01T10:00:00Z",
      steps: [{ user: "Go." }, edit("src/a.ts", "x"), { says: "Done." }],
      ...(title === undefined ? {} : { title }),
    });
  return { ...world, inbox, session, stopped, look };
}

describe("the result of a draft on past sessions", () => {
  it("says how often it would have matched, and where; it is kept with the draft", async () => {
    const { session, look, inbox } = await drafted();
    session("s1", "const ok = 1;\nconst x: any = 2;");
    session("s2", "let y: any;");
    expect(await look()).toMatch(
      /^In the last 90 days it would have matched 2 times: src\/a\.ts\S* .*any.* src\/a\.ts\S* .*any/,
    );
    const lines = inbox.list()[0]?.tried ?? [];
    expect(lines[0]).toContain("matched 2 times");
    // Each place is a line of its own: a page lists them.
    expect(lines.slice(1)).toEqual([expect.stringContaining("any"), expect.stringContaining("any")]);
    expect(await look()).toContain("matched 2 times");
  });

  it("says so if it would have found nothing, and reads no session that is forgotten or older", async () => {
    const { session, look, home } = await drafted();
    session("s1", "const x: any = 2;");
    session("s2", "const x: any = 3;", "2026-01-01T10:00:00Z");
    writeFileAtomic(tombstonePath(home, { host: "claude-code", id: "s1" }), "{}\n");
    expect(await look()).toBe("In the last 90 days it would have found nothing.");
  });

  it("names the session if what it found is something that was not done", async () => {
    const { stopped, look, inbox } = await drafted("Run `npm test` before you say you are done.");
    stopped("s1", "Split the refund");
    stopped("s2");
    await look();
    const [said, ...places] = inbox.list()[0]?.tried ?? [];
    expect(said).toContain("matched 2 times");
    expect(places.join("\n")).toContain('"Split the refund"');
    expect(places.join("\n")).toContain("claude-code session s2");
  });
});
