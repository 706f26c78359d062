import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCodeCache } from "../../src/entries/code-cache.ts";
import { codeCacheBytes } from "../../src/entries/keep.ts";
import { ROOT, runScript } from "../support/child.ts";
import { temporaryFolder, temporaryWorld } from "../support/world.ts";

const CODE = new Map([
  ["core-12345678.cjs", Buffer.from("some compiled code")],
  ["hook-12345678.cjs", Buffer.from([1, 2, 3])],
]);

function fileWith(bytes: Buffer, mode = 0o600): string {
  const path = join(temporaryFolder(), "kept");
  writeFileSync(path, bytes, { mode });
  chmodSync(path, mode);
  return path;
}

const twice = (bytes: Buffer) => Buffer.concat([bytes, bytes]);

describe("a file of compiled code", () => {
  it("has the code of each file as it was written", () => {
    const read = readCodeCache(fileWith(twice(codeCacheBytes(CODE, 1))));
    expect([...(read?.code ?? [])].map(([name, code]) => [name, code.toString("hex")])).toEqual(
      [...CODE].map(([name, code]) => [name, code.toString("hex")]),
    );
    expect(read).toMatchObject({ written: 1, isDue: false });
  });

  it("counts only if no byte of it is damaged", () => {
    const whole = twice(codeCacheBytes(CODE, 1));
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect([at, readCodeCache(fileWith(damaged))]).toEqual([at, undefined]);
    }
  });

  it.each([
    ["is empty", Buffer.alloc(0)],
    ["is cut", twice(codeCacheBytes(CODE, 1)).subarray(0, -8)],
    ["has one copy", codeCacheBytes(CODE, 1)],
    ["has nothing but zeros, as after a power cut", Buffer.alloc(4096)],
    ["is something else", Buffer.from("{}{}")],
  ])("does not count if it %s", (_, bytes) => {
    expect(readCodeCache(fileWith(bytes))).toBeUndefined();
  });

  it.skipIf(process.platform === "win32").each([0o604, 0o640, 0o660, 0o666])(
    "does not count if others can read or write it (mode %o)",
    (mode) => {
      expect(readCodeCache(fileWith(twice(codeCacheBytes(CODE, 1)), mode))).toBeUndefined();
    },
  );

  it("is due again after ten minutes, a few times", () => {
    const dueAfter = (minutes: number, written: number) => {
      const path = fileWith(twice(codeCacheBytes(CODE, written)));
      return readCodeCache(path, statSync(path).mtimeMs + minutes * 60_000)?.isDue;
    };
    expect([dueAfter(5, 1), dueAfter(11, 1), dueAfter(11, 3), dueAfter(11, 4)]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("compiled code is kept", () => {
  /** A package of its own, and a session start that runs it. */
  function installed() {
    const folder = temporaryFolder();
    cpSync(join(ROOT, "dist"), join(folder, "dist"), {
      recursive: true,
      filter: (path) => !/claude-code-plugin|types$/.test(path),
    });
    const world = temporaryWorld({ ".continuo/rules/a.md": "Rule A." });
    let sessions = 0;
    const start = () =>
      runScript(join(folder, "dist", "continuo.cjs"), ["hook", "claude-code", "SessionStart"], {
        env: world.env,
        cwd: world.root,
        stdin: JSON.stringify({ session_id: `s${++sessions}`, cwd: world.root, source: "startup" }),
      });
    const help = () => runScript(join(folder, "dist", "continuo.cjs"), ["--help"], { env: world.env });
    const beside = join(folder, "node_modules", ".cache", "continuo");
    const inHome = join(world.home.root, "cache", "compiled");
    return { folder, start, help, beside, inHome };
  }
  const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []);

  it("beside the package, for this user only, and is written once", async () => {
    const { start, beside, inHome } = installed();
    const { stdout } = await start();
    const [file = "", ...others] = filesIn(beside);
    expect(file).toMatch(/^\w{8}-v[\d.]+-\w+-hook-claude-code-SessionStart/);
    expect([others, filesIn(inHome)]).toEqual([[], []]);
    const path = join(beside, file);
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readCodeCache(path)?.code.size).toBeGreaterThan(3);
    const before = statSync(path);
    expect(await start()).toMatchObject({ code: 0, stdout });
    expect(statSync(path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
  });

  it("and a damaged file changes no answer and is replaced", async () => {
    const { start, beside } = installed();
    const { stdout } = await start();
    const path = join(beside, filesIn(beside)[0] ?? "");
    const bytes = readFileSync(path);
    bytes.fill(0x41, bytes.length / 4, bytes.length / 4 + 5000);
    writeFileSync(path, bytes);
    expect(await start()).toMatchObject({ code: 0, stdout, stderr: "" });
    expect(readCodeCache(path)).toBeDefined();
  });

  it("again with what a later process compiled besides", async () => {
    const { start, beside } = installed();
    await start();
    const path = join(beside, filesIn(beside)[0] ?? "");
    const hourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(path, hourAgo, hourAgo);
    await start();
    expect(readCodeCache(path)?.written).toBe(2);
  });

  it.skipIf(process.platform === "win32")(
    "below the home if others may write to the package's folder, and nowhere if there is no home",
    async () => {
      const { folder, start, help, beside, inHome } = installed();
      chmodSync(folder, 0o777);
      await help();
      expect([filesIn(beside), filesIn(inHome)]).toEqual([[], []]);
      await start();
      expect(filesIn(beside)).toEqual([]);
      expect(filesIn(inHome)).toHaveLength(1);
      expect(statSync(inHome).mode & 0o777).toBe(0o700);
    },
  );

  it("for a week at least, if it is of another build", async () => {
    const { start, beside } = installed();
    mkdirSync(beside, { recursive: true });
    const age = (name: string, days: number) => {
      writeFileSync(join(beside, name), "");
      const at = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(beside, name), at, at);
    };
    age("11111111-new", 6);
    age("22222222-old", 8);
    await start();
    expect(filesIn(beside).filter((name) => /-(new|old)$/.test(name))).toEqual(["11111111-new"]);
  });
});
