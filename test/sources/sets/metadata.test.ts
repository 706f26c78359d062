import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findSession,
  type MetaPatch,
  metaFile,
  metaOf,
  patchMeta,
  type RawMeta,
} from "../../../src/moments/state/session-meta.ts";
import { changeStored } from "../../../src/sources/sets/events.ts";
import { childScript, runScript } from "../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const KEY = { host: "claude-code", id: "0b1c-42" } as const;
const OPTIONS = { lockWaitMs: 30_000 };

function setUp(theirs?: string | Uint8Array) {
  const world = temporaryWorld();
  const user = world.env["HOME"] ?? "";
  const folder = join(user, ".caco/sessions", KEY.id);
  if (theirs !== undefined) write(folder, { "meta.json": theirs });
  return { ...world, user, folder, file: metaFile(world.home, user, KEY, OPTIONS) };
}

describe("where metadata is kept", () => {
  it("in Continuo's state, unless Caco has a folder for the session", async () => {
    const { file, home, user, folder } = setUp();
    expect(file.path).toBe(join(home.state, "claude-code", "0b1c-42.meta.json"));
    expect(file.read()).toBeUndefined();
    await file.update(() => ({ context: {} }));
    expect(existsSync(file.path)).toBe(false);
    mkdirSync(folder, { recursive: true });
    const theirs = metaFile(home, user, KEY, OPTIONS);
    expect(theirs.path).toBe(join(folder, "meta.json"));
    expect(findSession(home, user, KEY.id)).toEqual({ host: "copilot", id: KEY.id });
    await theirs.update(() => ({ envHint: "nvm use 24" }));
    expect(JSON.parse(readFileSync(theirs.path, "utf8"))).toEqual({ name: "", envHint: "nvm use 24" });
  });

  it("never outside, whatever the id is", () => {
    const { home, user, folder } = setUp("{}");
    const outside = temporaryFolder();
    symlinkSync(outside, join(dirname(folder), "link"));
    for (const id of [
      "..",
      ".",
      "../..",
      "a/../..",
      "/etc",
      "a\0b",
      "%2e%2e",
      "link",
      "",
      "a".repeat(500),
      "con",
    ]) {
      const { path } = metaFile(home, user, { host: "claude-code", id }, OPTIONS);
      expect(dirname(path), id).toBe(join(home.state, "claude-code"));
    }
  });
});

describe("fields of other programs", () => {
  it("stay, in their place", async () => {
    const { file } = setUp(
      '\ufeff{"model":"m","context":{"odd":[1],"none":[],"files":["/a"]},"kind":{"x":[null]},"name":"n"}',
    );
    await changeStored(file, KEY, { setName: "ports", items: ["1"] }, { at: 0 });
    expect(readFileSync(file.path, "utf8")).toBe(
      `${JSON.stringify({ model: "m", context: { odd: [1], files: ["/a"], ports: ["1"] }, kind: { x: [null] }, name: "n" }, null, 2)}\n`,
    );
    await changeStored(file, KEY, { setName: "files", mode: "clear" }, { at: 0 });
    expect(JSON.parse(readFileSync(file.path, "utf8")).context).toEqual({ odd: [1], ports: ["1"] });
  });

  it("survive any sequence of updates", () => {
    const field = fc.oneof(
      fc.constantFrom("name", "envHint", "context", "model", "__proto__", "unobserved"),
      fc.string(),
    );
    const patch: fc.Arbitrary<MetaPatch> = fc.record(
      {
        name: fc.string(),
        envHint: fc.option(fc.string()),
        unobserved: fc.option(fc.boolean()),
        context: fc.option(fc.dictionary(fc.string(), fc.array(fc.string(), { maxLength: 3 }))),
      },
      { requiredKeys: [] },
    );
    const ours = ["name", "envHint", "unobserved", "context"];
    fc.assert(
      fc.property(
        fc.dictionary(field, fc.jsonValue()),
        fc.array(patch, { maxLength: 8 }),
        (first, patches) => {
          let raw: RawMeta = first;
          for (const one of patches) raw = JSON.parse(JSON.stringify(patchMeta(raw, one)));
          const foreign = (meta: RawMeta) => Object.entries(meta).filter(([key]) => !ours.includes(key));
          expect(JSON.stringify(foreign(raw))).toBe(JSON.stringify(foreign(first)));
          expect(Object.values(metaOf(raw).context ?? {}).every((items) => items.length > 0)).toBe(true);
        },
      ),
    );
  });
});

describe("a file that cannot be used", () => {
  const CORRUPT: Record<string, string | Uint8Array> = {
    "half a file": '{"name": "x',
    "a list": "[]",
    null: "null",
    "not UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    zeros: new Uint8Array(100),
    "a context that is text": '{"context": "files"}',
  };
  for (const [what, content] of Object.entries(CORRUPT)) {
    it(`${what}: is copied once, never overwritten, and reported`, async () => {
      const { file, folder } = setUp(content);
      const before = readFileSync(file.path);
      for (let i = 0; i < 3; i++) {
        await expect(file.update(() => ({ name: "new" }))).rejects.toMatchObject({ code: "meta-corrupt" });
        expect(() => file.read()).toThrow(/not a session's metadata/);
      }
      expect(readFileSync(file.path)).toEqual(before);
      const copies = readdirSync(folder).filter((name) => /^meta\.json\.corrupt-\d+$/.test(name));
      expect(copies).toHaveLength(1);
      expect(readFileSync(join(folder, copies[0]!))).toEqual(before);
    });
  }

  it("an empty one counts as missing", async () => {
    for (const content of ["", " \n"]) {
      const { file } = setUp(content);
      expect(file.read()).toBeUndefined();
      expect(await file.update(() => ({ name: "n" }))).toEqual({ name: "n" });
    }
  });

  it("a huge one, and one that is not a file, are not changed", async () => {
    const { file } = setUp(Buffer.alloc(50_000_000, " "));
    await expect(file.update(() => ({ name: "n" }))).rejects.toMatchObject({ code: "meta-too-large" });
    const other = setUp();
    mkdirSync(join(other.folder, "meta.json"), { recursive: true });
    const folder = metaFile(other.home, other.user, KEY, OPTIONS);
    expect(() => folder.read()).toThrow(/not a file/);
  });

  it.skipIf(process.getuid?.() === 0)("a read-only folder keeps its files", async () => {
    const { file, folder } = setUp('{"name":"n"}');
    chmodSync(folder, 0o500);
    await expect(file.update(() => ({ name: "new" }))).rejects.toThrow(/EACCES/);
    chmodSync(folder, 0o700);
    expect(file.read()?.name).toBe("n");
  });

  it("an unwritable home is reported, and nothing changes", async () => {
    const { home, user, file } = setUp('{"name":"n"}');
    writeFileSync(home.root, "a file where the home should be");
    await expect(metaFile(home, user, KEY, OPTIONS).update(() => ({ name: "new" }))).rejects.toThrow();
    expect(file.read()?.name).toBe("n");
  });
});

describe("a hundred writers", () => {
  it("in ten processes lose no item and no field of other programs", async () => {
    const { file, home, user, folder } = setUp('{"count": 0, "theirs": {"deep": 1}}');
    const script = await childScript(
      temporaryFolder(),
      `import { homeAt } from "./src/store/home.ts";
       import { metaFile } from "./src/moments/state/session-meta.ts";
       import { changeStored } from "./src/sources/sets/events.ts";
       const [root, user, n] = process.argv.slice(2);
       const key = ${JSON.stringify(KEY)};
       const file = metaFile(homeAt(root), user, key, { lockWaitMs: 50_000 });
       await Promise.all(Array.from({ length: 10 }, async (_, i) => {
         const k = Number(n) * 10 + i;
         // Fifty items fit; the other fifty writers only count.
         if (k % 2 === 0) await changeStored(file, key, { setName: "set" + (k % 5), items: ["item" + k], mode: "merge" }, { at: 0 });
         else await file.update((meta) => ({ name: meta.name + "+" }));
       }));`,
    );
    const ended = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        runScript(script, [home.root, user, String(n)], { env: process.env }),
      ),
    );
    expect(ended.map(({ code, stderr }) => code || stderr)).toEqual(ended.map(() => ""));
    const meta = file.read();
    expect(
      Object.values(meta?.context ?? {})
        .flat()
        .sort(),
    ).toEqual(Array.from({ length: 50 }, (_, i) => `item${i * 2}`).sort());
    expect(meta?.name).toBe("+".repeat(50));
    expect(JSON.parse(readFileSync(file.path, "utf8"))).toMatchObject({ count: 0, theirs: { deep: 1 } });
    expect(readdirSync(folder)).toEqual(["meta.json"]);
  });
});
