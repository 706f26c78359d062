import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pipedText } from "../../../../src/cli/actions/piped-text.ts";
import type { Input } from "../../../../src/cli/command.ts";
import { notesWorld } from "../../../support/notes.ts";
import { write } from "../../../support/world.ts";

it.each([
  "memory://../../etc/passwd",
  "memory://%2e%2e/%2e%2e/etc/passwd",
  "memory://%252e%252e/secret",
  "memory://a/../../secret",
  "memory:///etc/passwd",
  "memory://C:/Windows/win.ini",
  "memory://..\\..\\secret",
  "../secret",
  "/etc/passwd",
  "memory://linked/secret",
])("an address that climbs out is refused by every command: %s", async (uri) => {
  const { run, tool, home, root } = notesWorld();
  write(root, { "secret.md": "hidden [[x]]" });
  write(home.root, { "secret.md": "hidden [[x]]" });
  write(join(home.root, "memory"), { "ok.md": "# Ok\n[[x]]\n" });
  symlinkSync(root, join(home.root, "memory", "linked"));
  for (const args of [
    ["read", uri],
    ["edit", uri, "append", "[[y]]"],
    ["delete", uri, "--yes"],
    ["move", "ok", uri],
    ["write", "[[y]]", "--title", "t", "--folder", uri],
  ]) {
    const done = await run(args);
    expect([done.code, done.stdout]).toEqual([1, ""]);
    expect(done.stderr).not.toContain("hidden");
  }
  const read = await tool("ReadMemory", { identifier: uri });
  expect([read.code, read.said]).toEqual([
    1,
    {
      error: {
        code: expect.stringMatching(/^(PATH_VALIDATION_ERROR|NOT_FOUND)$/),
        message: expect.any(String),
      },
    },
  ]);
  expect(readFileSync(join(root, "secret.md"), "utf8")).toBe("hidden [[x]]");
  expect(readFileSync(join(home.root, "secret.md"), "utf8")).toBe("hidden [[x]]");
  expect(readFileSync(join(home.root, "memory/ok.md"), "utf8")).toBe("# Ok\n[[x]]\n");
});

it("a note of 50 MB and one that is not text are reported, and the others work", async () => {
  const { run, data, tool, home } = notesWorld();
  write(join(home.root, "memory"), {
    "big.md": Buffer.alloc(50 * 2 ** 20, "a [[x]] "),
    "binary.md": Buffer.from([0, 1, 2, 255, 0]),
    "fine.md": "# Fine\n[[sqlite]] text\n",
  });
  expect(await data("sync")).toMatchObject({ notes: 3 });
  expect((await data("search", "sqlite"))["results"]).toMatchObject([{ uri: "memory://fine" }]);
  for (const [name, why] of [
    ["big", "50 MB"],
    ["binary", "not text"],
  ] as const) {
    expect((await run(["read", name])).stderr).toContain(why);
    expect((await run(["edit", name, "append", "[[y]]"])).stderr).toContain(why);
    expect((await tool("ReadMemory", { identifier: name })).said).toMatchObject({
      error: { code: "VALIDATION_ERROR" },
    });
  }
  expect(readFileSync(join(home.root, "memory/binary.md"))).toEqual(Buffer.from([0, 1, 2, 255, 0]));
});

it("a text that is too large or missing does not become a note", async () => {
  const { run, data } = notesWorld();
  const large = await run(["write", "--title", "Large"], "[[x]] ".repeat(1_000_000));
  expect([large.code, large.stderr]).toEqual([1, expect.stringContaining("more than 4 MB")]);
  const binary = await run(["write", "--title", "Binary"], Buffer.from([0x5b, 0x5b, 0xff, 0x5d, 0x5d]));
  expect([binary.code, binary.stderr]).toEqual([1, expect.stringContaining("not UTF-8 text")]);
  expect((await data("list"))["notes"]).toEqual([]);
});

it("processes that edit one note at the same time lose nothing", async () => {
  const { run, data } = notesWorld();
  await data("write", "[[x]]", "--title", "Shared");
  const names = Array.from({ length: 8 }, (_, i) => `line-${i}`);
  const done = await Promise.all(names.map((name) => run(["edit", "shared", "append", `[[${name}]]`])));
  expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, ""]));
  expect([...((await data("read", "shared"))["concepts"] as string[])].sort()).toEqual(
    [...names, "x"].sort(),
  );
});

it("of processes that write one note at the same time one wins, and the others get an error", async () => {
  const { run, data } = notesWorld();
  const done = await Promise.all([1, 2, 3, 4].map((i) => run(["write", `[[by-${i}]]`, "--title", "Same"])));
  expect(done.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
  for (const { code, stderr } of done) if (code === 1) expect(stderr).toContain("already");
  expect((await data("read", "same"))["concepts"]).toHaveLength(1);
});

it.skipIf(process.getuid?.() === 0)("a read-only folder is reported and stays unchanged", async () => {
  const { run, home } = notesWorld();
  const folder = join(home.root, "memory");
  write(folder, { "a.md": "# A\n[[x]]\n" });
  chmodSync(folder, 0o500);
  const changes = [
    ["write", "[[x]]", "--title", "T"],
    ["edit", "a", "append", "[[y]]"],
    ["delete", "a", "--yes"],
    ["move", "a", "b"],
  ];
  const done = await Promise.all(changes.map((args) => run(args)));
  chmodSync(folder, 0o700);
  for (const { code, stdout, stderr } of done) {
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("make the folder and its files writable");
  }
  expect(readdirSync(folder)).toEqual(["a.md"]);
  expect(readFileSync(join(folder, "a.md"), "utf8")).toBe("# A\n[[x]]\n");
});

it("a memory folder that is a file is reported, and nothing is lost", async () => {
  const { run, home } = notesWorld();
  mkdirSync(home.root, { recursive: true });
  writeFileSync(join(home.root, "memory"), "I am a file");
  const done = await run(["write", "[[x]]", "--title", "T"]);
  expect([done.code, done.stdout]).toEqual([1, ""]);
  expect((await run(["search", "x"])).code).toBe(0);
  expect(readFileSync(join(home.root, "memory"), "utf8")).toBe("I am a file");
});

it.skipIf(process.platform === "win32")(
  "where nothing can be read, the missing text is shown by an example",
  () => {
    const stdin = openSync(devNull, "r");
    onTestFinished(() => closeSync(stdin));
    const input = { values: {}, positionals: [], stdin } as unknown as Input;
    expect(() => pipedText(input, undefined, { most: 1, example: 'continuo note "Text."' })).toThrow(
      expect.objectContaining({
        message: "there is no text to write",
        hint: expect.stringMatching(/^for example: continuo note "Text\."\n.*--file FILE/),
      }),
    );
  },
);
