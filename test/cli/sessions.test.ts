import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { answer, ask, place } from "../sources/sessions/place.ts";

function setUp() {
  const here = place();
  const run = async (...argv: string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const terminal = {
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text),
    };
    const world = { env: here.env, cwd: here.folder, now: Date.now, packageRoot: "", stdin: -1 };
    const code = await main(["sessions", ...argv], world, terminal);
    return { code, out: out.join(""), err: err.join("") };
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
  it("index reads everything and makes records, list and search show it", async () => {
    const { run, json } = setUp();
    expect(await run("index")).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 of 2 sessions read"),
    });
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
    expect((await run("search", "giraffe")).out).toContain("no session has these words");
    expect((await json("list", "--branch", "other")).data.sessions).toEqual([]);
    expect((await json("list", "--since", "2099-01-01")).data.sessions).toEqual([]);
  });

  it("search filters by host, project, branch, file and time, and says which filter nothing fits", async () => {
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
    for (const id of ["11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "33333333-cccc-4ccc-8ccc-cccccccccccc"])
      expect(shown).toContain(`      cd /work/shop && claude --resume ${id}\n`);
    expect(shown).toContain("      user: Which prices do banks round?\n");
  });

  it("show, resume, handoff and export take a name or the beginning of an id", async () => {
    const { run } = setUp();
    expect((await run("show", "rounding")).out).toContain("## Goal");
    expect((await run("resume", "111111")).out.trim()).toBe(
      "cd /work/shop && claude --resume 11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
    );
    expect((await run("handoff", "rounding")).out).toContain("# Handoff: Fix the rounding of prices");
    expect((await run("export", "rounding")).out).toContain("Rounded half to even now");
    expect(await run("show", "ruonding")).toMatchObject({ code: 1, err: expect.stringContaining("nearest") });
    expect(await run("show", "giraffe")).toMatchObject({
      code: 1,
      err: expect.stringContaining("sessions list"),
    });
  });

  it("name and forget change what is known, for good", async () => {
    const { run, json } = setUp();
    await run("name", "rounding", "Cents", "and", "sense");
    expect((await json("list")).data.sessions.map(({ name }: { name: string }) => name)).toContain(
      "Cents and sense",
    );
    expect((await run("forget", "Cents and sense")).out).toContain("stays:");
    expect((await json("list")).data.sessions).toHaveLength(1);
    expect((await run("name", "parser")).code).not.toBe(0);
  });
});
