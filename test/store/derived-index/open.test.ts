import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setAside } from "../../../src/store/derived-index/damage.ts";
import { alone, openIndex, shared } from "../../../src/store/derived-index/open.ts";
import { device } from "../../support/planting.ts";
import { CONTENT } from "./content.ts";
import { unprivileged } from "./unprivileged.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "continuo-index-"));
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true, force: true });
});

const onWindows = process.platform === "win32";

describe("opening the index", () => {
  it("makes its folder, and files only the user can read", () => {
    const file = path.join(dir, "home", "deep", "index.db");
    const db = openIndex({ path: file, migrations: CONTENT });
    if (!onWindows) {
      for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    }
    db.close();
  });

  it.skipIf(onWindows)("in a read-only folder says so, whether or not there is an index", () => {
    const file = path.join(dir, "index.db");
    const unwritable = expect.objectContaining({
      code: "index-unwritable",
      message: expect.stringContaining(file),
      hint: expect.stringContaining("read-only"),
    });
    chmodSync(dir, 0o555);
    expect(() => unprivileged(() => openIndex({ path: file, migrations: CONTENT }))).toThrow(unwritable);
    chmodSync(dir, 0o755);
    openIndex({ path: file, migrations: CONTENT }).close();
    chmodSync(dir, 0o555);
    expect(() => unprivileged(() => openIndex({ path: file, migrations: CONTENT }))).toThrow(unwritable);
    expect(() =>
      unprivileged(() => openIndex({ path: path.join(dir, "new", "index.db"), migrations: CONTENT })),
    ).toThrow(expect.objectContaining({ code: "index-unwritable" }));
  });

  it.skipIf(onWindows)("follows a link, and sets aside what it points to", () => {
    mkdirSync(path.join(dir, "elsewhere"));
    const target = path.join(dir, "elsewhere", "real.db");
    const link = path.join(dir, "index.db");
    symlinkSync(path.join("elsewhere", "real.db"), link);
    openIndex({ path: link, migrations: CONTENT }).close();
    expect(statSync(target).isFile()).toBe(true);
    const db = openIndex({
      path: link,
      migrations: [],
      onRebuilt: (_, movedTo) => expect(movedTo).toBe(`${target}.bad-1`),
    });
    db.close();
    expect(existsSync(`${target}.bad-1`)).toBe(true);
    expect(existsSync(target)).toBe(true);
  });
});

describe("the gate", () => {
  const busy = expect.objectContaining({ code: "index-busy" });

  it("keeps everybody out while one process makes or sets aside the files", () => {
    const file = path.join(dir, "index.db");
    openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 }).close();
    alone(file, 50, () =>
      expect(() => openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 })).toThrow(busy),
    );
    openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 }).close();
  });

  it("sets nothing aside while another process is opening, but opens beside it", () => {
    const file = path.join(dir, "index.db");
    shared(file, 50, () => {
      expect(() => openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 })).toThrow(busy);
      writeFileSync(file, "garbage ".repeat(1000));
      expect(() => openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 })).toThrow(busy);
      expect(readdirSync(dir).sort()).toEqual(["index.db", "index.db.lock"]);
    });
    openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 }).close();
    shared(file, 50, () => openIndex({ path: file, migrations: CONTENT, busyTimeoutMs: 50 }).close());
  });
});

describe("setting aside", () => {
  it("keeps the newest file only, and never deletes a folder", () => {
    const file = path.join(dir, "index.db");
    const put = () => openIndex({ path: file, migrations: CONTENT }).close();
    mkdirSync(file);
    expect(setAside(file)).toBe(`${file}.bad-1`);
    put();
    expect(setAside(file)).toBe(`${file}.bad-2`);
    put();
    expect(setAside(file)).toBe(`${file}.bad-3`);
    const names = readdirSync(dir).filter((name) => !name.endsWith(".lock"));
    expect(names.sort()).toEqual(["index.db.bad-1", "index.db.bad-3"]);
  });
});

describe.skipIf(onWindows)("an index that is a link to what is no file", () => {
  it("is made anew in the link's place: the device or folder that it leads to stays", () => {
    mkdirSync(path.join(dir, "target"));
    for (const target of [path.join(dir, "target"), device("zero")]) {
      const index = path.join(dir, `index-${path.basename(target)}.db`);
      symlinkSync(target, index);
      openIndex({ path: index, migrations: CONTENT }).close();
      expect(statSync(index).isFile()).toBe(true);
      expect(statSync(target).isFile()).toBe(false);
    }
  });

  it("is refused when the link leads to itself", () => {
    symlinkSync("index.db", path.join(dir, "index.db"));
    expect(() => openIndex({ path: path.join(dir, "index.db"), migrations: CONTENT })).toThrow(
      /leads back to itself/,
    );
  });
});
