import { afterAll, describe, expect, it } from "vitest";
import { openMeaning } from "../../../../src/search/meaning/embed.ts";
import type { Sessions } from "../../../../src/sources/sessions/library.ts";
import { answer, ask, CLAUDE, place } from "../place.ts";

const table = openMeaning();
afterAll(() => table.close());

/** Sessions about one thing each, searched with the package's own table of meaning. */
const SESSIONS = {
  login: [
    ask("People are signed out too early"),
    answer("The cookie expires after thirty minutes of inactivity. I renew it with each request."),
    ask("And the name of the cookie?"),
    answer("It stays sid."),
  ],
  dump: [
    ask("Write the nightly job"),
    answer("It dumps the database to another region and keeps ninety days."),
  ],
  cents: [
    ask("The total of the invoice is off"),
    answer("Amounts were floats. They are integers in cents now, rounded once at the end."),
  ],
  tests: [
    ask("The build is red again"),
    answer("One test fails at random: it waits for a timer. I quarantined it and opened a ticket."),
  ],
  colours: [
    ask("Change the grey of the labels"),
    answer("The contrast was 3 to 1. It is 4.6 to 1 now, in dark mode too."),
  ],
};

async function opened(): Promise<Sessions> {
  const here = place({ meaning: () => table });
  for (const [id, turns] of Object.entries(SESSIONS)) here.write(id, turns);
  const sessions = here.open();
  await sessions.sync();
  return sessions;
}

describe("a question in other words", () => {
  it.each([
    ["how long do users stay logged in", "login"],
    ["backup copies", "dump"],
    ["money arithmetic precision", "cents"],
    ["flaky spec", "tests"],
    ["readable for someone with weak eyesight", "colours"],
  ])("finds its session first: %s", async (question, id) => {
    const sessions = await opened();
    const { hits, notices } = sessions.search(question);
    expect(hits[0]?.session.id).toBe(id);
    expect(hits[0]?.best?.text).not.toBe("");
    expect(notices).toEqual([]);
  });

  it("finds its passage within the session", async () => {
    const sessions = await opened();
    const [first] = sessions.passages({ host: CLAUDE, id: "login" }, "how long may a user be idle", 3);
    expect(first?.text).toContain("thirty minutes of inactivity");
    expect(first?.score).toBeGreaterThan(0);
  });

  it("finds nothing else where its words are found", async () => {
    const sessions = await opened();
    expect(sessions.search("quarantined").hits.map(({ session }) => session.id)).toEqual(["tests"]);
    expect(sessions.search("quarantnied")).toMatchObject({
      hits: [{ session: { id: "tests" } }],
      notices: ['no session has "quarantnied": searched for "quarantined"'],
    });
  });
});
