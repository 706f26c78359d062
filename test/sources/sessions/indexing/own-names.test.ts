import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openSessionsIndex, sessionsIndexPath } from "../../../../src/sources/sessions/indexing/schema.ts";
import type { Home } from "../../../../src/store/home.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

const commit = (subject: string) => [{ name: "Bash", input: { command: `git commit -m "${subject}"` } }];

/** As an index that an earlier version made: its names, and no mark of the version that made them. */
function asBefore(home: Home, names: Readonly<Record<string, string>>): void {
  const db = openSessionsIndex({ path: sessionsIndexPath(home) });
  for (const [sid, name] of Object.entries(names))
    db.run("UPDATE session SET name = ?, named_by = 'us' WHERE sid = ?", [name, sid]);
  db.exec("DROP TABLE own_names");
  db.close();
}

async function indexed(count: number) {
  const here = place();
  for (let at = 0; at < count; at++)
    here.write(`s${at}`, [ask(`Water bed ${at} of the orchard at dawn`), answer("Done.")]);
  const sessions = here.open();
  await sessions.sync();
  return { ...here, sessions, nameOf: (id: string) => sessions.get({ host: CLAUDE, id })?.name };
}

describe("sessions that an earlier version named", () => {
  it("are named again, without their transcripts, except those that somebody else named", async () => {
    const here = await indexed(3);
    await here.sessions.rename({ host: CLAUDE, id: "s1" }, "Mine");
    asBefore(here.home, { s0: "Old name", s2: "Old name" });
    rmSync(here.path("s2"));
    await here.sessions.sync();
    expect(["s0", "s1", "s2"].map(here.nameOf)).toEqual([
      "Water bed 0 of the orchard at dawn",
      "Mine",
      "Water bed 2 of the orchard at dawn",
    ]);
    expect(here.sessions.record({ host: CLAUDE, id: "s2" })?.name).toBe("Water bed 2 of the orchard at dawn");
  });

  it("get the host's title if one is at the end of their transcript", async () => {
    const here = place();
    here.write("one", [ask("Water the orchard", "first")]);
    here.appendRaw("one", {
      type: "summary",
      uuid: undefined,
      leafUuid: "first",
      summary: "Orchard watering",
    });
    const sessions = here.open();
    await sessions.sync();
    const name = () => sessions.list().map((one) => [one.name, one.namedBy]);
    expect(name()).toEqual([["Orchard watering", "host"]]);
    asBefore(here.home, { one: "Water the orchard" });
    await sessions.sync();
    expect(name()).toEqual([["Orchard watering", "host"]]);
    expect(sessions.search("watering").hits[0]?.session.id).toBe("one");
  });

  it("are named a few at a time while somebody waits, and once", async () => {
    const here = await indexed(12);
    const old = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`s${at}`, "Old name"]));
    asBefore(here.home, old);
    let rounds = 0;
    for (let isComplete = false; !isComplete; rounds++)
      ({ isComplete } = await here.sessions.sync({ sliceMs: 0 }));
    expect(rounds).toBeGreaterThan(1);
    expect(here.sessions.list().filter(({ name }) => name === "Old name")).toEqual([]);
    const db = openSessionsIndex({ path: sessionsIndexPath(here.home) });
    db.run("UPDATE session SET name = 'Kept' WHERE sid = 's3'");
    db.close();
    await here.sessions.sync();
    expect(here.nameOf("s3")).toBe("Kept");
  });
});

describe("a session whose first request tells nothing", () => {
  it("is named again when it has twice as many prompts", async () => {
    const here = place();
    here.write("one", [ask("hello"), answer("Hi.")]);
    const sessions = here.open();
    const name = () => sessions.get({ host: CLAUDE, id: "one" })?.name;
    await sessions.sync();
    expect(name()).toBe("Hello");
    here.append("one", [ask("commit this"), answer("", commit("Water the orchard at dawn"))]);
    await sessions.sync();
    expect(name()).toBe("Water the orchard at dawn");
    here.append("one", [ask("and push"), answer("", commit("Prune the hedge in autumn"))]);
    await sessions.sync();
    expect(name()).toBe("Water the orchard at dawn");
  });
});
