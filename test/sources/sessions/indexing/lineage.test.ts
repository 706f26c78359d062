import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { addMessage, addSession, fill, openBelow } from "../../../hosts/shared/history/histories/opencode.ts";
import { piHeader, piTurn } from "../pi-lines.ts";
import { answer, ask, CLAUDE, lineOf, place, type TurnText } from "../place.ts";

/** The first line of a file, with the minute at which it began. */
const begun = (minute: number) =>
  `${JSON.stringify({ type: "queue-operation", timestamp: new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString() })}\n`;

describe("forks that the host does not report but whose turns have the same ids", () => {
  const shared = [ask("Explain the narwhal cache", "s-0"), ask("Shrink it please", "s-1")];

  function written() {
    const here = place();
    const begin = (id: string, minute: number, said: readonly TurnText[]): void => {
      here.write(id, said);
      writeFileSync(here.path(id), begun(minute) + readFileSync(here.path(id), "utf8"));
      here.touch(id);
    };
    return { ...here, begin };
  }

  it("are assigned by the last turn that they did not start themselves, in any order of reading", async () => {
    const here = written();
    const later = ask("Only the first fork said this about lemurs", "f1-own");
    // The newest file is read first: here that is the original, below it is the fork.
    here.begin("fork-of-fork", 30, [...shared, later, ask("And then storks", "f2-own")]);
    here.begin("sibling", 20, [...shared, ask("Another way with herons", "sib-own")]);
    here.begin("fork", 10, [...shared, later]);
    here.begin("original", 0, [...shared, answer("Done.")]);
    const sessions = here.open();
    await sessions.sync();
    const originOf = (id: string) => sessions.get({ host: CLAUDE, id })?.forkOf;
    expect(["original", "fork", "sibling", "fork-of-fork"].map(originOf)).toEqual([
      undefined,
      "original",
      "original",
      "fork",
    ]);
    expect(sessions.ancestors({ host: CLAUDE, id: "fork-of-fork" }).map(({ id }) => id)).toEqual([
      "fork",
      "original",
    ]);
    expect(
      sessions
        .descendants({ host: CLAUDE, id: "original" })
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["fork", "sibling"]);
  });

  it("are recognised when they come later than their original", async () => {
    const here = written();
    here.begin("original", 0, shared);
    const sessions = here.open();
    await sessions.sync();
    here.begin("fork", 10, [...shared, ask("And now lemurs")]);
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "fork" })?.forkOf).toBe("original");
    expect(sessions.get({ host: CLAUDE, id: "original" })?.forkOf).toBeUndefined();
  });

  it("are distinguished from the original by the file's birth time if both begin at the same time", async () => {
    const here = place();
    here.write("original", shared);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const copy = readFileSync(here.path("original"), "utf8");
    writeFileSync(here.path("fork"), copy + lineOf("fork", ask("And now lemurs")));
    // The original was continued since, so it is the newer one in a listing.
    for (const id of ["fork", "original"]) here.touch(id);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.get({ host: CLAUDE, id: "fork" })?.forkOf).toBe("original");
    expect(sessions.get({ host: CLAUDE, id: "original" })?.forkOf).toBeUndefined();
  });

  it("have calls that are found once, however many follow each other", async () => {
    const here = written();
    const call = (command: string, uuid: string): TurnText => ({
      ...answer("", [{ name: "Bash", input: { command } }]),
      uuid,
    });
    const worked = [...shared, call("make narwhal-one", "c-1"), call("make walrus", "c-2"), answer("Made.")];
    here.begin("original", 0, worked);
    here.begin("fork", 10, [...worked, call("make lemur", "c-3")]);
    const sessions = here.open();
    await sessions.sync();
    expect(sessions.search("walrus").total).toBe(1);
    expect(sessions.search("lemur").hits.map(({ session }) => session.id)).toEqual(["fork"]);
  });

  it("are searchable for copied text after the original is forgotten", async () => {
    const here = written();
    here.begin("original", 0, shared);
    here.begin("fork", 10, [...shared, ask("And now lemurs")]);
    const sessions = here.open();
    await sessions.sync();
    sessions.forget({ host: CLAUDE, id: "original" });
    await sessions.sync();
    expect(sessions.search("narwhal").hits.map(({ session }) => session.id)).toEqual(["fork"]);
  });
});

it("turns without an id belong to their own session, even if another has one at the same place", async () => {
  const here = place();
  for (const [id, word] of [
    ["one", "pangolin"],
    ["two", "aardvark"],
  ] as const) {
    here.write(id, []);
    const line = {
      type: "user",
      sessionId: id,
      message: { role: "user", content: `Tell me of the ${word}` },
    };
    writeFileSync(here.path(id), `${JSON.stringify(line)}\n`);
    here.touch(id);
  }
  const sessions = here.open();
  await sessions.sync();
  expect(["pangolin", "aardvark"].map((word) => sessions.search(word).total)).toEqual([1, 1]);
  expect(sessions.get({ host: CLAUDE, id: "two" })?.forkOf).toBeUndefined();
});

describe("a session of pi", () => {
  function pi() {
    const here = place();
    const path = (id: string) =>
      join(here.env["HOME"] ?? "", `.pi/agent/sessions/--work-shop--/2026-11-15T12-00-00-000Z_${id}.jsonl`);
    let clock = Date.UTC(2026, 10, 16) / 1000;
    const append = (id: string, ...lines: object[]): void => {
      mkdirSync(dirname(path(id)), { recursive: true });
      appendFileSync(path(id), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      clock += 10;
      utimesSync(path(id), clock, clock);
    };
    return { ...here, path, append };
  }

  it("that goes back keeps abandoned turns searchable and marked, even those indexed before", async () => {
    const { append, open } = pi();
    append(
      "tree",
      piHeader("tree", 0),
      piTurn("a", null, "user", "Make the parser faster"),
      piTurn("b", "a", "assistant", "We decided to use a walrus table instead of a map."),
      piTurn("c", "b", "user", "Good, go on with the walrus"),
      piTurn("d", "c", "assistant", "It is in place."),
    );
    const sessions = open();
    await sessions.sync();
    const key = { host: "pi", id: "tree" } as const;
    const left = () =>
      sessions
        .allPassages(key)
        .filter(({ isLeft }) => isLeft)
        .map(({ turn }) => turn);
    expect(left()).toEqual([]);
    expect(sessions.outline(key)?.decisions.map(({ turn }) => turn)).toEqual(["b"]);

    append(
      "tree",
      piTurn("e", "a", "user", "No, try a lemur heap"),
      piTurn("f", "e", "assistant", "Heaped it up."),
    );
    await sessions.sync();
    expect(left()).toEqual(["b", "c", "d"]);
    const [hit] = sessions.search("walrus").hits;
    expect(hit).toMatchObject({ session: { id: "tree" }, best: { isLeft: true } });
    expect(sessions.search("lemur").hits[0]?.best).not.toHaveProperty("isLeft");
    expect(sessions.passages(key, "walrus table", 1)[0]).toMatchObject({ turn: "b", isLeft: true });
    expect(sessions.outline(key)?.decisions).toEqual([]);

    append("tree", piTurn("g", "d", "user", "Back to the walrus after all"));
    await sessions.sync();
    expect(left()).toEqual(["e", "f"]);
    expect(sessions.outline(key)?.decisions.map(({ turn }) => turn)).toEqual(["b"]);
  });

  it("distinguishes a fork, which has the old entries, from a session that only continues another", async () => {
    const { append, open, path } = pi();
    append("first", piHeader("first", 0), piTurn("a", null, "user", "Build the narwhal pen"));
    append(
      "copy",
      piHeader("copy", 30, { parentSession: path("first") }),
      piTurn("a", null, "user", "Build the narwhal pen"),
      piTurn("b", "a", "user", "Paint it", 40),
    );
    append(
      "next",
      piHeader("next", 50, { parentSession: path("copy") }),
      piTurn("n", null, "user", "Go on with the pen's roof", 51),
    );
    const sessions = open();
    await sessions.sync();
    const of = (id: string) => sessions.get({ host: "pi", id });
    expect(of("copy")).toMatchObject({ forkOf: "first" });
    expect(of("copy")).not.toHaveProperty("continues");
    expect(of("next")).toMatchObject({ continues: "copy" });
    expect(of("next")).not.toHaveProperty("forkOf");
    expect(sessions.ancestors({ host: "pi", id: "next" }).map(({ id }) => id)).toEqual(["copy", "first"]);
    expect(sessions.descendants({ host: "pi", id: "copy" }).map(({ id }) => id)).toEqual(["next"]);
  });
});

it("turns that a Gemini session went back over are marked, also when it goes back further", async () => {
  const here = place();
  const path = join(here.env["HOME"] ?? "", ".gemini/tmp/shop/chats/session-2026-11-15T12-00-333e4662.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  const append = (...lines: object[]): void =>
    appendFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const said = (id: string, text: string) => ({ id, type: "user", content: [{ text }] });
  append(
    { sessionId: "333e4662-aaec", projectHash: "a", startTime: "2026-11-15T12:00:00.000Z", kind: "main" },
    said("g-1", "Keep the heron"),
    said("g-2", "Feed the stork"),
    said("g-3", "Paint the walrus"),
  );
  const sessions = here.open();
  const left = async () => {
    await sessions.sync();
    const all = sessions.allPassages({ host: "gemini", id: "333e4662-aaec" });
    return all.filter(({ isLeft }) => isLeft).map(({ turn }) => turn);
  };
  expect(await left()).toEqual([]);
  append({ $rewindTo: "g-3" }, said("g-4", "Paint the lemur"));
  expect(await left()).toEqual(["g-3"]);
  append({ $rewindTo: "g-2" }, said("g-5", "Let the stork go"));
  expect(await left()).toEqual(["g-2", "g-3", "g-4"]);
  expect(sessions.search("walrus").hits[0]?.best).toMatchObject({ isLeft: true });
});

it("a fork of OpenCode, which does not report it, is recognised by the times of copied turns", async () => {
  const here = place();
  const start = 1_794_746_108_000;
  const db = openBelow(here.env["HOME"] ?? "");
  fill(db);
  const text = (words: string) => [{ type: "text", text: words }];
  addSession(db, "ses_orig", null, start + 500_000);
  addMessage(db, "ses_orig", 510, { role: "user" }, text("Explain the narwhal cache"));
  addSession(db, "ses_fork", null, start + 520_000);
  addMessage(db, "ses_fork", 510, { role: "user" }, text("Explain the narwhal cache"));
  addMessage(db, "ses_fork", 530, { role: "user" }, text("And the lemur"));
  addSession(db, "ses_alone", null, start + 525_000);
  addMessage(db, "ses_alone", 526, { role: "user" }, text("Something about storks"));
  db.close();
  const sessions = here.open();
  await sessions.sync();
  const forkOf = (id: string) => sessions.get({ host: "opencode", id })?.forkOf;
  expect(["ses_orig", "ses_fork", "ses_alone"].map(forkOf)).toEqual([undefined, "ses_orig", undefined]);
  expect(sessions.search("narwhal").hits.map(({ session }) => session.id)).toEqual(["ses_orig"]);
  expect(sessions.passages({ host: "opencode", id: "ses_fork" }, "narwhal", 1)[0]?.text).toContain("narwhal");
});
