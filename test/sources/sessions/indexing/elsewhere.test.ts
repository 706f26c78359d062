import { appendFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSessions } from "../../../../src/sources/sessions/library.ts";
import { history } from "../../../support/histories.ts";
import { temporaryWorld, write } from "../../../support/world.ts";
import { answer, ask, CLAUDE, lineOf, place } from "../place.ts";
import { sessionsEngine } from "../sessions-engine.ts";

const entry = (id: string, parentId: string | null, text: string) =>
  `${JSON.stringify({ type: "message", id, parentId, message: { role: "user", content: text } })}\n`;

describe("a session outside the known folders", () => {
  it("is indexed when its host gives the file as it goes idle, is read further, and is gone only with its file", async () => {
    const { home, env, root, project } = temporaryWorld();
    const transcript = join(root, "elsewhere/mine.jsonl");
    const header = `${JSON.stringify({ type: "session", version: 3, id: "far", cwd: root })}\n`;
    write(root, { "elsewhere/mine.jsonl": header + entry("a", null, "Tell me of the pangolin") });
    const engine = sessionsEngine({ home, env });
    const session = { host: "pi", id: "far" } as const;
    await engine.at({ name: "idle", session, project, cwd: root, at: 0, transcript });
    const library = openSessions({ home, history, env });
    try {
      expect(library.search("pangolin").hits[0]?.session).toMatchObject({
        id: "far",
        path: transcript,
        isGone: false,
      });

      appendFileSync(transcript, entry("b", "a", "And of the lemur"));
      utimesSync(transcript, 2e9, 2e9);
      await library.sync();
      expect(library.search("lemur").total).toBe(1);
      expect(library.get(session)?.isGone).toBe(false);

      rmSync(transcript);
      await library.sync();
      expect(library.get(session)?.isGone).toBe(true);
    } finally {
      library.close();
    }
  });

  it("stays one session if its file is reported with a second id", async () => {
    const here = place();
    here.write("one", [ask("Tell me of the pangolin"), answer("It has scales.")]);
    const sessions = here.open();
    await sessions.sync();
    here.append("one", [ask("And of the lemur")]);
    const only = { host: CLAUDE, id: "two", transcript: here.path("one") };
    expect(await sessions.sync({ only })).toMatchObject({ isComplete: true, notices: [] });
    expect(sessions.list().map(({ id, counts }) => [id, counts.prompts])).toEqual([["one", 2]]);
    expect(sessions.search("lemur").hits.map(({ session }) => session.id)).toEqual(["one"]);
  });

  it("because a variable names another folder now is not gone, even with keep off", async () => {
    const here = place({ keep: false });
    here.write("one", [ask("Tell me of the pangolin"), answer("It has scales.")]);
    const before = here.open();
    await before.sync();
    const after = here.open({
      env: { ...here.env, CLAUDE_CONFIG_DIR: join(here.env["HOME"] ?? "", "other") },
    });
    expect((await after.sync()).forgotten).toBe(0);
    appendFileSync(here.path("one"), lineOf("one", ask("And of the lemur")));
    here.touch("one");
    await after.sync();
    expect(after.search("lemur").total).toBe(1);
    expect(after.get({ host: CLAUDE, id: "one" })).toMatchObject({ isGone: false });
  });
});
