import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../../../support/in-process.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { answer, ask, place } from "../place.ts";

function setUp() {
  const here = place();
  const run = async (...argv: string[]) => {
    const done = await runInProcess(["sessions", ...argv], { env: here.env, cwd: here.folder });
    return { code: done.code, out: done.stdout, err: done.stderr };
  };
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, "--json")).out);
  here.write("11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa", [
    ask("Fix the rounding of prices"),
    answer("Rounded half to even now, which is what banks do."),
  ]);
  here.write("22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb", [ask("Speed up the parser\u001b[31m please")]);
  return { ...here, run, json };
}

describe("continuo sessions", () => {
  it("names the host where two hosts have a session of the same id", async () => {
    const { run, env } = setUp();
    const id = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    const entries = [
      { type: "session", version: 3, id, cwd: "/work/shop" },
      { type: "message", id: "m1", parentId: null, message: { role: "user", content: "Prune the hedge" } },
    ];
    write(String(env["HOME"]), {
      [`.pi/agent/sessions/--work-shop--/2026-01-01T00-00-00-000Z_${id}.jsonl`]: entries
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(""),
    });
    const twice = await run("show", id);
    expect(twice.err).toContain(`claude-code:${id}  Fix the rounding of prices`);
    expect(twice.err).toContain(`pi:${id}  Prune the hedge`);
    expect((await run("show", `pi:${id}`)).out).toContain("Prune the hedge");
    expect((await run("show", `claude-code:${id}`)).out).toContain("Fix the rounding of prices");
    expect((await run("ask", id, "which hedge?")).err).toContain(`@@pi:${id}`);
  });

  it("calls a session in which nothing was asked unnamed, not by its id", async () => {
    const here = setUp();
    here.write("33333333-cccc-4ccc-8ccc-cccccccccccc", [answer("", [{ name: "Bash", input: {} }])]);
    expect((await here.run("show", "33333333")).out).toContain("Unnamed session");
    const asked = await here.run("ask", "33333333", "which hedge?");
    expect(asked.out + asked.err).toContain('"Unnamed session" (');
    expect(asked.out + asked.err).not.toContain('"33333333');
  });

  it("index reads all sessions and writes records, list and search show them", async () => {
    const { run, json } = setUp();
    expect(await run("index")).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 of 2 sessions read"),
    });
    expect((await run("index")).out).toMatch(/^The index is up to date: 2 sessions, none new\n/);
    const listed = await run("list");
    expect(listed.out).toContain("Fix the rounding of prices");
    expect(listed.out).not.toContain("\u001b");
    const { data } = await json("search", "banks");
    expect(data).toMatchObject({
      total: 1,
      results: [
        {
          host: "claude-code",
          name: "Fix the rounding of prices",
          best: { role: "assistant" },
          resume: "cd /work/shop && claude --resume 11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
        },
      ],
    });
    expect((await run("search", "giraffe")).out).toContain("No matching sessions.");
    expect((await json("list", "--branch", "other")).data.sessions).toEqual([]);
    expect((await json("list", "--since", "2099-01-01")).data.sessions).toEqual([]);
  });

  it("search filters by host, project, branch, file and time, and says which filter matches nothing", async () => {
    const { run, json, write } = setUp();
    write("33333333-cccc-4ccc-8ccc-cccccccccccc", [
      ask("Which prices do banks round?"),
      answer("These.", [{ name: "Edit", input: { file_path: "/work/shop/src/cents.ts" } }]),
    ]);
    const found = async (...filter: string[]) =>
      (await json("search", "banks", ...filter)).data.results.map(({ id }: { id: string }) => id.slice(0, 1));
    expect((await found()).toSorted()).toEqual(["1", "3"]);
    expect(await found("--file", "src/cents.ts")).toEqual(["3"]);
    expect(await found("--file", "cents.ts", "--branch", "main", "--host", "claude-code")).toEqual(["3"]);
    expect(await found("--project", "shop", "--since", "2026-10-31", "--limit", "1")).toHaveLength(1);
    for (const filter of [
      ["--host", "pi"],
      ["--until", "2026-10-31"],
      ["--since", "2099-01-01"],
    ])
      expect(await found(...filter), filter.join(" ")).toEqual([]);
    expect((await run("search", "banks", "--project", "shpo")).out).toContain(
      'No session is of project "shpo". There are: shop.',
    );
    expect((await run("search", "banks", "--branch", "nope")).out).toContain('branch "nope"');
    const shown = (await run("search", "banks")).out;
    for (const id of ["11111111", "33333333"])
      expect(shown).toMatch(new RegExp(`^  continuo sessions resume ${id}$`, "m"));
    expect(shown).toMatch(/; matches: banks\n/);
    expect(shown).not.toContain("match 0.");
    expect(shown).toContain("  user: Which prices do banks round?\n");
  });

  it("show, resume, handoff and export accept a name or a prefix of an id", async () => {
    const { run } = setUp();
    expect((await run("show", "rounding")).out).toContain("## Goal");
    expect((await run("resume", "111111")).out.trim()).toBe(
      "cd /work/shop && claude --resume 11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    );
    const handoff = (await run("handoff", "rounding")).out;
    expect(handoff).toContain("# Handoff: Fix the rounding of prices");
    expect(handoff).toMatch(/\n\nFor anything else .* continuo sessions ask 11111111-aaaa-\S+ QUESTION\n$/);
    expect((await run("export", "rounding")).out).toContain("Rounded half to even now");
    expect(await run("show", "ruonding")).toMatchObject({
      code: 1,
      err: expect.stringContaining("similar names"),
    });
    expect(await run("show", "giraffe")).toMatchObject({
      code: 1,
      err: expect.stringContaining("sessions list"),
    });
  });

  it("name and forget are permanent", async () => {
    const { run, json } = setUp();
    await run("name", "rounding", "Cents", "and", "sense");
    expect((await json("list")).data.sessions.map(({ name }: { name: string }) => name)).toContain(
      "Cents and sense",
    );
    expect((await run("forget", "Cents and sense", "--yes")).out).toContain(
      "The original transcript is kept:",
    );
    expect((await json("list")).data.sessions).toHaveLength(1);
    expect((await run("name", "parser")).code).not.toBe(0);
  });

  it("forget needs a yes, says what it keeps, and remember takes it back with the name", async () => {
    const { run, json, path } = setUp();
    const id = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    await run("name", "rounding", "Cents");
    expect(await run("forget", "Cents")).toMatchObject({ code: 1, err: expect.stringContaining("--yes") });
    expect((await json("list")).data.sessions).toHaveLength(2);
    expect((await run("forget", "Cents", "--yes")).out).toContain(
      `Undo: continuo sessions remember ${id.slice(0, 8)}\n`,
    );
    expect((await json("list")).data.sessions).toHaveLength(1);
    expect((await run("remember")).out).toMatch(/11111111 {2}Claude Code {2}just now/);
    expect(await run("remember", "222222")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no forgotten"),
    });
    expect((await run("remember", "11111111")).out).toBe('"Cents" is indexed again.\n');
    expect((await json("search", "banks")).data.total).toBe(1);
    expect((await run("remember")).out).toBe("No session was forgotten.\n");
    await run("forget", "Cents", "--yes");
    rmSync(path(id));
    expect(await run("remember", "last")).toMatchObject({
      code: 1,
      err: expect.stringContaining("deleted the transcript"),
    });
    expect((await json("remember")).data.forgotten).toHaveLength(1);
  });

  it("forget of a session whose transcript is gone says that it cannot be undone", async () => {
    const { run, path } = setUp();
    await run("index");
    rmSync(path("11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa"));
    await run("index");
    expect((await run("forget", "rounding", "--yes")).out).toContain("This cannot be undone.");
  });

  it("resume never passes an odd id to a program", async () => {
    const { run, json, write } = setUp();
    for (const id of ["--dangerously", "-x", "a b", "odd\u001b[31m"]) {
      write(id, [ask("Tell me of the heron")]);
      expect(await run("resume", "heron"), id).toMatchObject({
        code: 1,
        err: expect.stringContaining("its id has"),
      });
      expect((await json("search", "heron")).data.results[0].resume).toBeNull();
      await run("forget", "heron", "--yes");
    }
  });

  it("a search that finds nothing says what else to try", async () => {
    const { run } = setUp();
    expect((await run("search", "giraffe's")).out).toContain(
      "search your notes too: continuo search 'giraffe'\\''s'\n",
    );
    expect((await run("search", "banks", "--until", "2026-10-31")).out).toContain(
      "Without --until 1 session matches: continuo sessions search banks\n",
    );
  });

  it("list shows the origin of sessions, --tree puts them below it, and show lists all ancestors", async () => {
    const { run, json, write, touch } = setUp();
    const first = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    const [fork, again] = ["33333333-cccc-4ccc-8ccc-cccccccccccc", "44444444-dddd-4ddd-8ddd-dddddddddddd"];
    write(fork, [ask("Round up instead, please")], { forkedFrom: { sessionId: first } });
    write(again, [ask("Round down after all")], { forkedFrom: { sessionId: fork } });
    for (const id of [first, fork, again]) touch(id);
    const listed = (await run("list")).out.trimEnd().split("\n");
    expect(listed.find((line) => line.includes("  44444444  "))).toMatch(
      / {2}Round down after all \(fork of 33333333\)$/,
    );
    const tree = (await run("list", "--tree")).out.trimEnd().split("\n");
    const at = tree.findIndex((line) => line.includes("  11111111  "));
    expect(tree.slice(at, at + 3)).toEqual([
      expect.stringMatching(/ {2}Fix the rounding of prices$/),
      expect.stringMatching(/ {2}└ Round up instead, please \(fork of 11111111\)$/),
      expect.stringMatching(/ {4}└ Round down after all \(fork of 33333333\)$/),
    ]);
    expect((await run("show", again)).out).toContain(
      "  fork of Round up instead, please (33333333)\n    fork of Fix the rounding of prices (11111111)\n",
    );
    expect((await run("show", first)).out).toContain("  fork: Round up instead, please (33333333)\n");
    const { data } = await json("show", again);
    expect(data.session.forkOf).toBe(fork);
    expect(data.ancestors.map(({ id }: { id: string }) => id)).toEqual([fork, first]);
  });

  it("show names an origin that is not indexed, and turn ids only with --json", async () => {
    const { run, json, write } = setUp();
    write("55555555-eeee-4eee-8eee-eeeeeeeeeeee", [ask("Mend the fence", "turn-of-fence")], {
      forkedFrom: { sessionId: "long-gone" },
    });
    const shown = await run("show", "mend-the-fence");
    expect(shown.out).toContain("  fork of long-gone (not indexed)\n");
    expect(shown.out).toContain("- Mend the fence\n");
    expect((await json("show", "mend-the-fence")).data.record.summary).toContain(
      "- Mend the fence [turn-of-fence]",
    );
  });

  it("without a subcommand lists sessions that are not empty, and says when there are more", async () => {
    const { run, write } = setUp();
    write("66666666-ffff-4fff-8fff-ffffffffffff", []);
    const { out, err, code } = await run("list", "--limit", "1");
    expect({ code, lines: out.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 4 });
    expect(out).toMatch(/\n\nShowing 1 of \d+\. Use --limit\.\n$/);
    expect(err).toBe("");
    expect((await run()).out).not.toContain("66666666");
    expect((await run()).out).toContain("11111111");
  });

  it("an empty list says why: which filter matches nothing, or that there are no transcripts", async () => {
    const { run } = setUp();
    expect((await run("list", "--project", "shpo")).out).toBe(
      'No sessions found.\nNo session is of project "shpo". There are: shop.\n',
    );
    const env = { HOME: temporaryFolder() };
    expect((await runInProcess(["sessions"], { env, cwd: env.HOME })).stdout).toMatch(
      /^There are no past sessions on this machine\. Continuo looks for those of Claude Code, .*\.\n$/,
    );
  });

  it("the ids that a list prints are accepted by other subcommands", async () => {
    const { run, write } = setUp();
    write("11111111-aabb-4aaa-8aaa-aaaaaaaaaaaa", [ask("Count the sheep")]);
    const ids = (await run("list")).out.match(/1{8}-aa\w/g) ?? [];
    expect(ids.toSorted()).toEqual(["11111111-aaa", "11111111-aab"]);
    for (const id of ids) expect((await run("resume", id)).code, id).toBe(0);
  });

  it("search says how to see more results", async () => {
    const { run, write } = setUp();
    write("33333333-cccc-4ccc-8ccc-cccccccccccc", [ask("Which prices do banks round?")]);
    expect((await run("search", "prices", "--limit", "1")).out).toMatch(
      /\n\nShowing 1 of 2\. Use --limit\.\n$/,
    );
  });

  it("search shows copies once, and weaker matches only with --weaker", async () => {
    const { run, write } = setUp();
    const asked = "Refunds of split payments are off by a cent";
    for (const digit of [3, 4, 5]) write(`${digit}3333333-cccc-4ccc-8ccc-cccccccccccc`, [ask(asked)]);
    for (const digit of [6, 7])
      write(`${digit}3333333-cccc-4ccc-8ccc-cccccccccccc`, [
        ask(`Page ${digit}: ${"the map and its tiles ".repeat(30)} payments`),
      ]);
    const { out } = await run("search", "refunds payments");
    expect(out.match(/^Refunds of split/gm)).toHaveLength(1);
    expect(out).toContain("; 2 copies\n");
    expect(out).toMatch(/\n\n2 weaker matches left out\. Use --weaker\.\n$/);
    expect((await run("search", "refunds payments", "--weaker")).out).toContain("Page 7");
  });

  it("lists the sessions that a prefix could mean, one per line, even if it is too short", async () => {
    const { run } = setUp();
    expect((await run("show", "1111")).err).toMatch(
      /similar names:\n {4}11111111-\S+ {2}Fix the rounding of prices \(claude-code\)/,
    );
    expect((await run("ask", "zzzz", "why?")).err).not.toContain("do not guess");
    expect((await run("ask", "ruonding", "why?")).err).toMatch(
      /there are:\n {4}"Fix the rounding of prices" \(claude-code, \S+, @@11111111-\S+\)\n/,
    );
  });

  it("prints no control characters, whatever a file is named", async () => {
    const { run, write } = setUp();
    write("77777777\u001b[31mred", [ask("Tell me of the heron")]);
    for (const args of [
      ["list"],
      ["show", "heron"],
      ["search", "heron"],
      ["resume", "heron"],
      ["export", "heron"],
    ])
      expect((await run(...args)).out, args[0]).not.toContain("\u001b");
    expect((await run("forget", "heron", "--yes")).out).not.toContain("\u001b");
  });
});
