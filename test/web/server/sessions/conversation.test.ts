import { appendFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FoundInSession, ShownTurn, WholeText } from "../../../../src/web/api/conversation.ts";
import type { WebEvent } from "../../../../src/web/api/events.ts";
import { HISTORIES } from "../../../hosts/shared/history/histories/all.ts";
import { CONVERSATION } from "../../../hosts/shared/history/histories/history.ts";
import { write } from "../../../support/world.ts";
import { answered, asked, called, pageWorld, returned, SESSION, said } from "./page-world.ts";

/** A session of pi with the same id as the other one. */
function piSession(user: string, entries: readonly object[]): void {
  const timestamp = "2026-11-15T12:00:00.000Z";
  const lines = [
    { type: "session", version: 3, id: SESSION, timestamp, cwd: "/work/shop" },
    ...entries.map((entry) => ({ type: "message", timestamp, ...entry })),
  ];
  write(user, {
    [`.pi/agent/sessions/--work-shop--/2026-11-15T12-00-00-000Z_${SESSION}.jsonl`]: `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`,
  });
}

const spoken = (turns: readonly ShownTurn[]) =>
  turns
    .filter(
      ({ role, marks }) => role !== "other" && !marks.includes("machineMade") && !marks.includes("injected"),
    )
    .map(({ role, said }) => [role, said.text.replaceAll(/<\/?state_snapshot>/g, "")]);

describe.each(HISTORIES.map((history) => [history.reader.host, history] as const))(
  "a conversation of %s",
  (host, history) => {
    const opened = async () => {
      const here = pageWorld();
      history.write(here.user);
      await here.sync();
      return here;
    };

    it("is given whole, with its tool call, its answer and its compaction", async () => {
      const here = await opened();
      const { turns, source, before, isEnd, notices } = await here.conversation({}, host, history.session);
      expect(spoken(turns)).toEqual(CONVERSATION.map((one) => [...one]));
      expect({ source, before, isEnd, notices }).toEqual({
        source: "transcript",
        before: null,
        isEnd: true,
        notices: [],
      });
      const call = turns.flatMap((turn) => turn.calls)[0];
      // Codex has no tool to read files: it runs a command.
      const [verb, about] = host === "codex" ? ["Run", "cat src/round.ts"] : ["Read", "src/round.ts"];
      expect(call).toMatchObject({ verb, about, files: ["src/round.ts"] });
      const answer = turns.find(({ role }) => role === "tool");
      expect(answer?.answers[0]?.call).toBe(call?.id);
      expect(turns.filter(({ marks }) => marks.includes("compaction"))).toHaveLength(1);
      expect(turns.some(({ marks }) => marks.includes("ours"))).toBe(true);
    });

    it("is the same read backwards, forwards and from the middle, a few turns at a time", async () => {
      const here = await opened();
      const get = (query: Record<string, string>) => here.conversation(query, host, history.session);
      const whole = (await get({})).turns;
      const backwards: ShownTurn[] = [];
      let page = await get({ limit: "2" });
      backwards.unshift(...page.turns);
      for (let pages = 0; page.before !== null && pages < 50; pages++) {
        page = await get({ limit: "2", before: page.before });
        backwards.unshift(...page.turns);
      }
      expect(backwards.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
      const forwards: ShownTurn[] = [];
      page = await get({ limit: "2", after: "start" });
      forwards.push(...page.turns);
      for (let pages = 0; !page.isEnd && pages < 50; pages++) {
        page = await get({ limit: "2", after: page.after });
        forwards.push(...page.turns);
      }
      expect([...new Set(forwards.map(({ id }) => id))]).toEqual(whole.map(({ id }) => id));
      for (const { id } of whole) {
        const around = await get({ limit: "2", around: id });
        expect(around.turns.map((turn) => turn.id)).toContain(id);
      }
    });

    it("is taken from the index once the host has deleted the transcript, and says so", async () => {
      const here = await opened();
      const library = await here.web.sessions();
      for (const { path } of library.transcripts({ host, id: history.session })) rmSync(path);
      const { turns, source, notices } = await here.conversation({}, host, history.session);
      expect(source).toBe("index");
      expect(notices).toEqual(["The transcript cannot be found."]);
      expect(said(turns)).toContain("In round.ts — naïvely.");
    });
  },
);

describe("a conversation that goes on", () => {
  it("gives what came since, and keeps its cursors", async () => {
    const here = pageWorld();
    here.transcript(...Array.from({ length: 30 }, (_, i) => asked(`prompt ${i}`, `p${i}`)));
    await here.sync();
    const first = await here.conversation({ limit: "10" });
    expect(said(first.turns)).toEqual(Array.from({ length: 10 }, (_, i) => `prompt ${i + 20}`));
    appendFileSync(here.path, asked("a new one", "new"));
    const more = await here.conversation({ after: first.after });
    expect(said(more.turns)).toEqual(["prompt 29", "a new one"]);
    const earlier = await here.conversation({ limit: "10", before: first.before ?? "" });
    expect(said(earlier.turns)).toEqual(Array.from({ length: 10 }, (_, i) => `prompt ${i + 10}`));
  });

  it("leaves out a last line that is half written, and gives it once it is complete", async () => {
    const here = pageWorld();
    const half = asked("the second", "b");
    here.transcript(asked("the first", "a"), half.slice(0, 40));
    await here.sync();
    const page = await here.conversation();
    expect(said(page.turns)).toEqual(["the first"]);
    appendFileSync(here.path, half.slice(40));
    expect(said((await here.conversation({ after: page.after })).turns)).toContain("the second");
  });

  it("asks to be loaded again when the file was replaced by another one", async () => {
    const here = pageWorld();
    here.transcript(...Array.from({ length: 20 }, (_, i) => asked(`prompt ${i}`)));
    await here.sync();
    const { after } = await here.conversation();
    here.transcript(asked("x".repeat(20_000)));
    expect(await here.conversation({ after })).toMatchObject({ isReset: true });
  });

  it("tells open pages when the transcript grows, and when it is deleted", async () => {
    const here = pageWorld();
    here.transcript(asked("one"));
    await here.sync();
    await here.conversation();
    const next = () =>
      new Promise<WebEvent>((resolve) => {
        const stop = here.web.subscribe((event) => {
          stop();
          resolve(event);
        });
      });
    const grown = next();
    appendFileSync(here.path, asked("two"));
    expect(await grown).toEqual({
      type: "session",
      session: { host: "claude-code", id: SESSION },
      reason: "transcript",
    });
    // A page that gets this event asks for more.
    await here.conversation();
    const gone = next();
    rmSync(here.path);
    expect(await gone).toMatchObject({ type: "session", reason: "transcript" });
    expect((await here.conversation()).source).toBe("index");
  });

  it("has turns that only just began: a session that nobody indexed yet", async () => {
    const here = pageWorld();
    here.transcript(asked("hello"));
    expect(said((await here.conversation()).turns)).toEqual(["hello"]);
  });
});

describe("what a conversation shows", () => {
  it("has no secret in prompts, tool inputs and results, also across the place where a text is cut", async () => {
    const here = pageWorld();
    const key = "sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefghij";
    const long = `${"word ".repeat(399)}${key} and more ${"word ".repeat(4000)}`;
    here.transcript(
      asked(`use ${key}`),
      called(
        "Bash",
        { command: `curl -H "x-api-key: ${key}" https://example.org`, password: "hunter2-Xy77" },
        "c1",
      ),
      returned("c1", long),
    );
    await here.sync();
    const text = JSON.stringify(await here.conversation());
    expect(text).toContain("[redacted:");
    expect(text).not.toContain("AbCdEfGh");
    expect(text).not.toContain("hunter2");
  });

  it("has edits as diffs, from every form that hosts use", async () => {
    const here = pageWorld();
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n keep\n-old\n+new\n*** End Patch";
    here.transcript(
      called("Edit", {
        file_path: `${"/work/shop"}/src/a.ts`,
        old_string: "keep\nold\n",
        new_string: "keep\nnew\n",
      }),
      called("MultiEdit", { file_path: "/work/shop/a", edits: [{ old_string: "old", new_string: "new" }] }),
      called("apply_patch", { input: patch }),
      called("str_replace_editor", { path: "/work/shop/a", old_str: "old", new_str: "new" }),
      called("Write", { file_path: "/work/shop/a", content: "new\n" }),
      called("Read", { file_path: "/work/shop/a" }),
    );
    await here.sync();
    const calls = (await here.conversation()).turns.flatMap((turn) => turn.calls);
    const diffs = calls.map(({ diff }) => diff?.text.split("\n").filter((one) => /^[-+]\w/.test(one)));
    const both = ["-old", "+new"];
    expect(diffs).toEqual([both, both, both, both, ["+new"], undefined]);
    expect(calls[0]?.diff?.text).toContain(" keep");
    expect(calls.map(({ verb }) => verb)).toEqual(["Edit", "Edit", "Edit", "Edit", "Write", "Read"]);
  });

  it("names images by their type and size and never has their data", async () => {
    const here = pageWorld();
    const data = "A".repeat(40_000);
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    here.transcript(asked([{ type: "text", text: "look" }, image]), returned("c", [image]));
    await here.sync();
    const { turns } = await here.conversation();
    expect(turns.map(({ images }) => images)).toEqual(Array(2).fill([{ kind: "image/png", bytes: 30_000 }]));
    expect(JSON.stringify(turns)).not.toContain("AAAA");
  });

  it("has no terminal colours, control characters, invisible characters or overrides of direction", async () => {
    const here = pageWorld();
    here.transcript(
      returned(
        "c",
        "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07\x00\u202eabc\u200b!",
      ),
    );
    await here.sync();
    expect(said((await here.conversation()).turns)).toEqual(["red link\ufffd\ufffdabc!"]);
  });

  it("cuts long texts, says how long they are, and gives the rest on request", async () => {
    const here = pageWorld();
    const long = "line of output\n".repeat(2000);
    here.transcript(called("Bash", { command: "make" }, "c1"), returned("c1", long));
    await here.sync();
    const { turns } = await here.conversation();
    const result = turns.find(({ role }) => role === "tool");
    expect(result?.said.text).toHaveLength(2000);
    expect(result?.said.of).toBe(long.trim().length);
    const query = new URLSearchParams({ place: result?.place ?? "", id: result?.id ?? "", part: "said" });
    const all = await here.json<WholeText>(`/conversation/turn?${query}`);
    expect(all.text).toBe(long.trim());
    const call = turns.find(({ calls }) => calls.length > 0);
    const input = new URLSearchParams({
      place: call?.place ?? "",
      id: call?.id ?? "",
      part: "input",
      call: "0",
    });
    expect((await here.json<WholeText>(`/conversation/turn?${input}`)).text).toContain('"command": "make"');
  });

  it("marks prompts that nobody typed, and branches that were abandoned", async () => {
    const here = pageWorld();
    here.transcript(asked("real"), asked("<command-name>/clear</command-name>"));
    piSession(here.user, [
      { id: "m1", parentId: null, message: { role: "user", content: "first" } },
      { id: "m2", parentId: "m1", message: { role: "user", content: "regretted" } },
      { id: "m3", parentId: "m1", message: { role: "user", content: "instead" } },
    ]);
    await here.sync();
    expect((await here.conversation()).turns.map(({ marks }) => marks)).toEqual([[], ["machineMade"]]);
    const { turns } = await here.conversation({}, "pi");
    expect(turns.map(({ said, marks }) => [said.text, ...marks])).toEqual([
      ["first"],
      ["regretted", "otherBranch"],
      ["instead"],
    ]);
  });

  it("shows lines that are too long or damaged as a notice, and everything around them", async () => {
    const here = pageWorld();
    here.transcript(asked("before"), asked("x".repeat(5 * 1024 * 1024)), "{not json}\n", asked("after"));
    await here.sync();
    const { turns, notices } = await here.conversation();
    expect(said(turns)).toEqual(["before", "after"]);
    expect(notices.join(" ")).toContain("1 damaged line");
    expect(notices.join(" ")).toContain("1 line too long");
  });

  it("shows a single line of 1 MB, cut", async () => {
    const here = pageWorld();
    here.transcript(asked("x".repeat(1024 * 1024)));
    await here.sync();
    const { turns } = await here.conversation();
    expect(turns[0]?.said.text.length).toBe(20_000);
    expect(turns[0]?.said.of).toBe(1024 * 1024);
  });
});

describe("finding and refusing", () => {
  it("finds passages inside one session with the turn that they are in", async () => {
    const here = pageWorld();
    here.transcript(
      asked("How are prices rounded?", "q1"),
      answered("Half to even, as banks do.", "a1"),
      asked("Thanks."),
    );
    await here.sync();
    const { hits } = await here.json<FoundInSession>("/conversation/find?q=rounded");
    expect(hits[0]).toMatchObject({ turn: "q1", role: "user" });
    expect((await here.json<FoundInSession>("/conversation/find?q=")).hits).toEqual([]);
  });

  it("keeps two sessions with the same id of two hosts apart", async () => {
    const here = pageWorld();
    here.transcript(asked("of Claude Code"));
    piSession(here.user, [{ id: "m1", parentId: null, message: { role: "user", content: "of pi" } }]);
    await here.sync();
    expect(said((await here.conversation({}, "claude-code")).turns)).toEqual(["of Claude Code"]);
    expect(said((await here.conversation({}, "pi")).turns)).toEqual(["of pi"]);
  });

  it.each([
    ["an unknown session", "/conversation", "nobody", 404],
    ["an unknown host", "/conversation", undefined, 404],
    ["a cursor of someone else", "/conversation?before=..%2f..%2fetc", SESSION, 400],
    ["a turn that is not there", "/conversation?around=nowhere", SESSION, 404],
    ["an unknown field", "/conversation?path=/etc/passwd", SESSION, 400],
    ["too many turns", "/conversation?limit=100000", SESSION, 400],
    ["a part that does not exist", "/conversation/turn?place=00000000.0&id=x&part=secret", SESSION, 400],
    ["a place in another file", "/conversation/turn?place=00000000.0&id=x&part=said", SESSION, 404],
  ])("refuses %s", async (_, rest, id, status) => {
    const here = pageWorld();
    here.transcript(asked("hello"));
    await here.sync();
    const response = await here.get(rest, id === undefined ? "nohost" : "claude-code", id ?? SESSION);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.code).toBeTypeOf("string");
  });

  it("says that a session which was removed from the index is not there", async () => {
    const here = pageWorld();
    here.transcript(asked("hello"));
    await here.sync();
    (await here.web.sessions()).forget({ host: "claude-code", id: SESSION });
    expect((await here.get("/conversation")).status).toBe(404);
  });
});
