import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBasis } from "../../src/store/basis.ts";
import { type PreparedFor, readPrepared, writePrepared } from "../../src/store/prepared.ts";
import { temporaryFolder } from "../support/world.ts";

/** Stamps of files that were written a moment ago are not relied on: here, all were written long ago. */
const later = () => Date.now() + 60_000;
const FOREVER = Number.MAX_SAFE_INTEGER;

function place() {
  const folder = temporaryFolder();
  const notes = join(folder, "notes");
  mkdirSync(notes);
  writeFileSync(join(notes, "a.md"), "one");
  const wanted: PreparedFor = {
    home: join(folder, "home"),
    source: "memory",
    about: ["/projects/shop/.git", "/projects/shop"],
    given: { additions: true },
  };
  const basis = () => {
    const made = createBasis(later);
    made.watch(notes, join(notes, "a.md"), join(notes, "absent.md"));
    return made;
  };
  const store = (value: unknown = { text: "prepared" }, more: Partial<PreparedFor> = {}) =>
    writePrepared({ ...wanted, ...more }, value, basis(), FOREVER);
  const stored = () => join(wanted.home, "cache", "prepared");
  const file = () => join(stored(), readdirSync(stored())[0] ?? "");
  return { folder, notes, wanted, basis, store, stored, file };
}

describe("a prepared value", () => {
  test("is returned while everything that it was made from is as it was", () => {
    const { wanted, store } = place();
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
    expect(store()).toBe(true);
    expect(readPrepared(wanted, { now: 0 })).toEqual({ text: "prepared" });
  });

  test.each<[string, (notes: string) => void]>([
    ["a changed file", (notes) => writeFileSync(join(notes, "a.md"), "two, longer")],
    [
      "a file of the same size and time",
      (notes) => {
        const { atime, mtime } = statSync(join(notes, "a.md"));
        writeFileSync(join(notes, "a.md"), "two");
        utimesSync(join(notes, "a.md"), atime, mtime);
      },
    ],
    ["a deleted file", (notes) => rmSync(join(notes, "a.md"))],
    ["a new file in a folder", (notes) => writeFileSync(join(notes, "b.md"), "new")],
    ["a file that was absent", (notes) => writeFileSync(join(notes, "absent.md"), "now here")],
    [
      "a replaced folder",
      (notes) => {
        renameSync(notes, `${notes}-old`);
        mkdirSync(notes);
      },
    ],
  ])("is not returned after %s", (_, change) => {
    const { notes, wanted, store } = place();
    store();
    change(notes);
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
  });

  test("is not returned for another project, other settings, or after its time", () => {
    const { wanted, store, basis } = place();
    store();
    expect(
      readPrepared({ ...wanted, about: ["/projects/other/.git", "/projects/other"] }, { now: 0 }),
    ).toBeUndefined();
    expect(readPrepared({ ...wanted, given: { additions: false } }, { now: 0 })).toBeUndefined();
    expect(readPrepared({ ...wanted, source: "sessions" }, { now: 0 })).toBeUndefined();
    writePrepared(wanted, "short", basis(), 1_000);
    expect(readPrepared(wanted, { now: 1_000 })).toBe("short");
    expect(readPrepared(wanted, { now: 1_001 })).toBeUndefined();
  });

  test("whose file has the name of another project's is not that project's", () => {
    const { wanted, store, file } = place();
    store();
    const stored = JSON.parse(readFileSync(file(), "utf8"));
    writeFileSync(file(), JSON.stringify({ ...stored, about: ["/projects/other/.git", "/projects/other"] }));
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
  });

  test("that was made by another version or in another format is not returned", () => {
    const { wanted, store, file } = place();
    store();
    const stored = JSON.parse(readFileSync(file(), "utf8"));
    for (const other of [{ format: 0 }, { format: 99 }, { made: "0123456789abcdef" }, { until: "always" }]) {
      writeFileSync(file(), JSON.stringify({ ...stored, ...other }));
      expect(readPrepared(wanted, { now: 0 }), JSON.stringify(other)).toBeUndefined();
    }
    writeFileSync(file(), JSON.stringify(stored));
    expect(readPrepared(wanted, { now: 0 })).toEqual({ text: "prepared" });
  });

  test("is not stored if a file changed just before it was stamped, because it may change again unnoticed", () => {
    const { notes, wanted } = place();
    const { mtimeMs } = statSync(join(notes, "a.md"));
    const basis = createBasis(() => mtimeMs + 1);
    basis.watch(join(notes, "a.md"));
    expect(writePrepared(wanted, "young", basis, FOREVER)).toBe(false);
    // Some file systems store whole seconds.
    const at = Math.floor(Date.now() / 1000) - 100;
    const whole = createBasis(() => at * 1000 + 1_500);
    const file = join(notes, "whole.md");
    writeFileSync(file, "x");
    utimesSync(file, at, at);
    whole.watch(file);
    expect(writePrepared(wanted, "young", whole, FOREVER)).toBe(false);
  });

  test("is not stored if it has too many files, is too large, or its maker gave up", () => {
    const { wanted, folder, store } = place();
    const many = createBasis(later);
    for (let i = 0; i < 2_000; i++) many.watch(join(folder, `absent-${i}`));
    expect(writePrepared(wanted, "many", many, FOREVER)).toBe(false);
    const gone = createBasis(later);
    gone.giveUp();
    expect(writePrepared(wanted, "gone", gone, FOREVER)).toBe(false);
    expect(store("x".repeat(200_000))).toBe(false);
    expect(existsSync(join(wanted.home, "cache", "prepared"))).toBe(false);
  });

  test("counts only existence where only that matters", () => {
    const { notes, wanted } = place();
    const basis = createBasis(later);
    basis.watchExistence(notes, join(notes, "absent.md"));
    writePrepared(wanted, "value", basis, FOREVER);
    writeFileSync(join(notes, "b.md"), "new");
    expect(readPrepared(wanted, { now: 0 })).toBe("value");
    writeFileSync(join(notes, "absent.md"), "now here");
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
  });

  test("counts only names where only those matter, and not those of the session that asks", () => {
    const { notes, wanted } = place();
    const self = "0d5f1c3e-aaaa-bbbb";
    const basis = createBasis(later);
    basis.watchNames(notes);
    writePrepared(wanted, "value", basis, FOREVER);
    writeFileSync(join(notes, "a.md"), "changed in place");
    writeFileSync(join(notes, "short-lived"), "");
    rmSync(join(notes, "short-lived"));
    expect(readPrepared(wanted, { now: 0 })).toBe("value");
    writeFileSync(join(notes, `session-${self}.jsonl`), "");
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
    expect(readPrepared(wanted, { now: 0, self })).toBe("value");
    writeFileSync(join(notes, "another.jsonl"), "");
    expect(readPrepared(wanted, { now: 0, self })).toBeUndefined();
  });

  test("counts the file of a session whose id only begins like that of the session that asks", () => {
    const { notes, wanted } = place();
    // Codex's ids begin with the time: those of one minute have the same first characters.
    const self = "019a8c3e-1111-7000-8000-000000000001";
    const other = "019a8c3e-2222-7000-8000-000000000002";
    const basis = createBasis(later);
    basis.watchNames(notes);
    writePrepared(wanted, "value", basis, FOREVER);
    writeFileSync(join(notes, `rollout-${self}.jsonl`), "");
    expect(readPrepared(wanted, { now: 0, self })).toBe("value");
    writeFileSync(join(notes, `rollout-${other}.jsonl`), "");
    expect(readPrepared(wanted, { now: 0, self })).toBeUndefined();
  });

  test("compares the first eight characters of the id where names contain only those", () => {
    const { notes, wanted } = place();
    const self = "0d5f1c3e-aaaa-bbbb";
    const basis = createBasis(later);
    basis.watchShortNames(notes);
    writePrepared(wanted, "value", basis, FOREVER);
    writeFileSync(join(notes, "session-2026-11-16T10-00-0d5f1c3e.jsonl"), "");
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
    expect(readPrepared(wanted, { now: 0, self })).toBe("value");
    writeFileSync(join(notes, "session-2026-11-16T10-00-1d5f1c3e.jsonl"), "");
    expect(readPrepared(wanted, { now: 0, self })).toBeUndefined();
  });

  test("counts only lines that say something where lines are added", () => {
    const { folder, wanted } = place();
    const path = join(folder, "session.jsonl");
    const line = (entry: unknown) => `${JSON.stringify(entry)}\n`;
    const said = line({ type: "user", text: "x".repeat(2_000) });
    const store = () => {
      writeFileSync(path, said);
      const basis = createBasis(later);
      basis.watchLines(path, ["cost", "system/turn_duration"]);
      writePrepared(wanted, "value", basis, FOREVER);
    };
    const isValid = () => readPrepared(wanted, { now: 0 }) === "value";
    store();
    expect(isValid()).toBe(true);
    appendFileSync(path, line({ type: "cost" }) + line({ type: "system", subtype: "turn_duration" }));
    expect(isValid()).toBe(true);
    for (const added of [
      line({ type: "user" }),
      line({ type: "system", subtype: "compact_boundary" }),
      line({ type: "system" }),
      line([]),
      "no JSON\n",
      JSON.stringify({ type: "cost" }), // half a line, as far as anybody knows
      "\n",
      line({ type: "cost" }).repeat(10_000),
    ]) {
      store();
      appendFileSync(path, added);
      expect(isValid(), added.slice(0, 60)).toBe(false);
    }
    store();
    truncateSync(path, 10);
    expect(isValid()).toBe(false);
    store();
    writeFileSync(path, said.replace('xxx"', 'yyy"') + line({ type: "cost" }));
    expect(isValid()).toBe(false);
  });

  test("is a file of its owner alone, replaced whole", () => {
    const { store, file, stored } = place();
    store("first");
    store("second");
    expect(readdirSync(stored())).toHaveLength(1);
    expect(readFileSync(file(), "utf8")).toContain("second");
    if (process.platform !== "win32") {
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      expect(statSync(stored()).mode & 0o777).toBe(0o700);
    }
  });

  test("of projects that are not used any more is removed", () => {
    const { wanted, store, stored } = place();
    for (let i = 0; i < 400; i++) store(i, { about: [`/projects/${i}`] });
    expect(readdirSync(stored()).length).toBeLessThanOrEqual(300);
    expect(readPrepared({ ...wanted, about: ["/projects/399"] }, { now: 0 })).toBe(399);
  });

  test("costs nothing but time where the home cannot be written", () => {
    const { folder, store } = place();
    writeFileSync(join(folder, "home"), "a file where the home should be");
    expect(store()).toBe(false);
  });
});

describe("what is in the place of a prepared value", () => {
  test.skipIf(process.platform === "win32")(
    "a link, a pipe, a folder, a huge file: ignored, and replaced",
    () => {
      const { folder, wanted, store, file } = place();
      store();
      const path = file();
      const elsewhere = join(folder, "elsewhere.json");
      renameSync(path, elsewhere);
      symlinkSync(elsewhere, path);
      expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
      expect(store("own")).toBe(true);
      expect(readFileSync(elsewhere, "utf8")).not.toContain("own");
      expect(readPrepared(wanted, { now: 0 })).toBe("own");
      rmSync(path);
      execFileSync("mkfifo", [path]);
      expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
      expect(store("own")).toBe(true);
      expect(readPrepared(wanted, { now: 0 })).toBe("own");
      truncateSync(path, 50_000_000);
      expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
      rmSync(path);
      mkdirSync(path);
      expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
      expect(store("own")).toBe(false);
    },
  );

  test("any bytes: ignored, never thrown, never taken for a value", () => {
    const { wanted, store, file } = place();
    store();
    const whole = readFileSync(file());
    fc.assert(
      fc.property(fc.nat(whole.length - 3), fc.uint8Array({ minLength: 1, maxLength: 20 }), (at, bytes) => {
        const damaged = Buffer.concat([whole.subarray(0, at), bytes]);
        writeFileSync(file(), damaged);
        expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
      }),
      { numRuns: 200 },
    );
    writeFileSync(file(), whole);
    appendFileSync(file(), " ");
    expect(readPrepared(wanted, { now: 0 })).toEqual({ text: "prepared" });
  });

  test.each([
    ["no list", {}],
    ["no stamp", ["same"]],
    ["no path", [{ path: 1, found: "" }]],
    ["nothing found", [{ path: "/nowhere" }]],
    ["an unknown comparison", [{ path: "/nowhere", found: "", by: "luck" }]],
    ["a path that is none", [{ path: "a\0b", found: "" }]],
  ])("a basis with %s: ignored", (_, basis) => {
    const { wanted, store, file } = place();
    store();
    const stored = JSON.parse(readFileSync(file(), "utf8"));
    writeFileSync(file(), JSON.stringify({ ...stored, basis }));
    expect(readPrepared(wanted, { now: 0 })).toBeUndefined();
  });
});
