import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileView } from "../../../../src/web/api/files.ts";
import { files } from "../../../../src/web/server/files/routes.ts";
import { temporaryWeb } from "../../../support/web.ts";

const MB = 1024 * 1024;

function place(content: Record<string, string> = {}) {
  const here = temporaryWeb({ "spec.md": "# Spec\n", ...content }, [files]);
  const get = (path: string, query = "") =>
    here.send<FileView>("GET", `/api/files?path=${encodeURIComponent(path)}${query}`);
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several statuses
  const put = (body: unknown) => here.send<any>("PUT", "/api/files", body);
  return { ...here, get, put, at: (name: string) => join(here.root, name) };
}

describe("reading a file", () => {
  it("gives text, size, checksum, time and language", async () => {
    const { get, at, root } = place({ "src/a.ts": "export const a = 1;\n" });
    const { status, body } = await get(at("src/a.ts"));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      path: at("src/a.ts"),
      name: "a.ts",
      root,
      kind: "text",
      text: "export const a = 1;\n",
      size: 20,
      isCut: false,
      lineEnd: "lf",
      language: "typescript",
      modified: Math.trunc(statSync(at("src/a.ts")).mtimeMs),
    });
    expect(body.checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(body.readOnly).toBeUndefined();
  });

  it("says of a file that is no UTF-8 text that it is binary, and gives no bytes of it", async () => {
    const { get, at } = place();
    writeFileSync(at("logo.png"), Buffer.from([0x89, 0x50, 0, 1, 2]));
    writeFileSync(at("latin1.txt"), Buffer.from([0x66, 0xfc, 0x72]));
    writeFileSync(at("utf16.txt"), Buffer.from("hello", "utf16le"));
    for (const name of ["logo.png", "latin1.txt", "utf16.txt"])
      expect((await get(at(name))).body).toMatchObject({
        kind: "binary",
        text: "",
        readOnly: expect.any(String),
      });
  });

  it("gives the beginning of a large file in whole characters, read-only and without a checksum", async () => {
    const { get, put, at } = place();
    writeFileSync(at("large.txt"), `${"a".repeat(2 * MB - 1)}é and more`);
    const { body } = await get(at("large.txt"));
    expect(body).toMatchObject({ kind: "text", isCut: true, readOnly: expect.stringContaining("2 MB") });
    expect(body.text).toBe("a".repeat(2 * MB - 1));
    expect(body.checksum).toBeUndefined();
    const saved = await put({ path: at("large.txt"), text: "short", checksum: "0".repeat(64) });
    expect(saved).toMatchObject({ status: 403, body: { error: { code: "file-read-only" } } });
    truncateSync(at("large.txt"), 100 * MB); // sparse: only the beginning is read
    expect((await get(at("large.txt"))).body).toMatchObject({ size: 100 * MB, isCut: true });
  });

  it("refuses folders, pipes, and paths outside, each with a clear answer", async () => {
    const { get, at, root } = place();
    mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    symlinkSync("/dev/zero", at("zero"));
    expect((await get(at("folder"))).body.error.code).toBe("not-a-file");
    expect((await get(at("pipe"))).body.error.code).toBe("not-a-file");
    expect((await get(at("zero"))).status).toBe(403);
    expect((await get(at("nothing"))).status).toBe(404);
    expect((await get("/etc/passwd")).status).toBe(403);
    expect((await get("../etc/passwd")).status).toBe(400);
    expect((await get(join(root, "..", "home", "config.json"))).status).toBe(403);
    expect((await get(at("spec.md\0"))).status).toBe(400);
    expect((await get(at("spec.md"), "&extra=1")).status).toBe(400);
    expect((await get(at("spec.md"), `&path=${encodeURIComponent("/etc/passwd")}`)).status).toBe(400);
  });

  it("takes a relative path as one of the session's project", async () => {
    const { get, home, root } = place();
    mkdirSync(join(home.state, "codex"), { recursive: true });
    const state = {
      version: 1,
      session: { host: "codex", id: "s1" },
      project: { id: root, root, label: "x" },
      workingSet: [],
    };
    writeFileSync(join(home.state, "codex/s1.json"), JSON.stringify(state));
    expect((await get("spec.md", "&session=codex%2Fs1")).body.text).toBe("# Spec\n");
    expect((await get("spec.md", "&session=s1")).body.text).toBe("# Spec\n");
    expect((await get("../home/config.json", "&session=s1")).status).toBe(403);
    expect((await get("spec.md", "&session=..%2Fs1")).status).toBe(404);
    expect((await get("spec.md", "&session=unknown")).status).toBe(404);
  });
});

describe("saving a file", () => {
  it("writes it and gives the new checksum, with which it can be saved again", async () => {
    const { get, put, at } = place();
    const { checksum } = (await get(at("spec.md"))).body;
    const first = await put({ path: at("spec.md"), text: "# Spec\n\nMore\n", checksum });
    expect(first.status).toBe(200);
    expect(readFileSync(at("spec.md"), "utf8")).toBe("# Spec\n\nMore\n");
    const second = await put({ path: at("spec.md"), text: "third", checksum: first.body.checksum });
    expect(second.status).toBe(200);
    expect(readFileSync(at("spec.md"), "utf8")).toBe("third");
  });

  it("refuses with both checksums if the file changed since, and leaves it as it is", async () => {
    const { get, put, at } = place();
    const { checksum } = (await get(at("spec.md"))).body;
    writeFileSync(at("spec.md"), "written by an agent\n");
    const now = (await get(at("spec.md"))).body.checksum;
    const { status, body } = await put({ path: at("spec.md"), text: "mine", checksum });
    expect(status).toBe(409);
    expect(body).toMatchObject({ error: { code: "file-changed" }, checksums: { edited: checksum, now } });
    expect(readFileSync(at("spec.md"), "utf8")).toBe("written by an agent\n");
    expect((await put({ path: at("spec.md"), text: "mine", checksum: now })).status).toBe(200);
  });

  it("lets exactly one of many that save at once through", async () => {
    const { get, put, at } = place();
    const { checksum } = (await get(at("spec.md"))).body;
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => put({ path: at("spec.md"), text: `writer ${i}`, checksum })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const winner = all.findIndex(({ status }) => status === 200);
    expect(readFileSync(at("spec.md"), "utf8")).toBe(`writer ${winner}`);
  });

  it("keeps mode, line ends, byte order mark and a missing final newline", async () => {
    const { get, put, at } = place();
    writeFileSync(at("run.sh"), "\ufeff#!/bin/sh\r\necho one\r\necho two", { mode: 0o755 });
    chmodSync(at("run.sh"), 0o755);
    const { body } = await get(at("run.sh"));
    expect(body).toMatchObject({ lineEnd: "crlf", hasByteOrderMark: true });
    const text = body.text.replaceAll("\r\n", "\n").replace("two", "three"); // as a field of the page gives it
    expect((await put({ path: at("run.sh"), text, checksum: body.checksum })).status).toBe(200);
    expect(readFileSync(at("run.sh"), "utf8")).toBe("\ufeff#!/bin/sh\r\necho one\r\necho three");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  });

  it("refuses write-protected files, files with different line ends and binary ones, and says why", async () => {
    const { get, put, at } = place();
    writeFileSync(at("mixed.txt"), "one\r\ntwo\nthree\rfour");
    writeFileSync(at("old-mac.txt"), "one\rtwo");
    chmodSync(at("spec.md"), 0o444);
    for (const [name, why] of [
      ["spec.md", "write-protected"],
      ["mixed.txt", "line ends"],
      ["old-mac.txt", "line ends"],
    ] as const) {
      const { body } = await get(at(name));
      expect(body.readOnly).toContain(why);
      const saved = await put({ path: at(name), text: "new", checksum: body.checksum });
      expect(saved).toMatchObject({
        status: 403,
        body: { error: { code: "file-read-only", message: expect.stringContaining(why) } },
      });
    }
    expect(readFileSync(at("spec.md"), "utf8")).toBe("# Spec\n");
  });

  it("writes through a link inside the project and through none that leads out", async () => {
    const { get, put, at, root } = place();
    symlinkSync("spec.md", at("link.md"));
    const { body } = await get(at("link.md"));
    expect((await put({ path: at("link.md"), text: "through", checksum: body.checksum })).status).toBe(200);
    expect(readFileSync(at("spec.md"), "utf8")).toBe("through");
    const outside = join(root, "..", "outside.md");
    writeFileSync(outside, "# Spec\n");
    rmSync(at("link.md"));
    symlinkSync(outside, at("link.md"));
    const saved = await put({ path: at("link.md"), text: "no", checksum: body.checksum });
    expect(saved.status).toBe(403);
    expect(readFileSync(outside, "utf8")).toBe("# Spec\n");
  });

  it("does not change another project's file that has the same content on disk (a hard link)", async () => {
    const { get, put, at, root } = place();
    linkSync(at("spec.md"), join(root, "..", "shared.md"));
    const { body } = await get(at("spec.md"));
    await put({ path: at("spec.md"), text: "mine", checksum: body.checksum });
    expect(readFileSync(join(root, "..", "shared.md"), "utf8")).toBe("# Spec\n");
  });

  it("refuses a wrong request: fields, checksum, size, kind of body", async () => {
    const { app, put, at } = place();
    const checksum = "0".repeat(64);
    expect((await put({ path: at("spec.md"), text: "x" })).status).toBe(409);
    expect((await put({ path: at("spec.md"), text: "x", checksum: "short" })).status).toBe(400);
    expect((await put({ path: at("spec.md"), text: 7, checksum })).status).toBe(400);
    expect((await put({ path: at("spec.md"), text: "x", checksum, force: true })).status).toBe(400);
    expect((await put({ path: at(".env"), text: "x", checksum })).status).toBe(403);
    expect((await put({ path: at("spec.md"), text: "x".repeat(14 * MB), checksum })).status).toBe(413);
    expect((await app.request("/api/files", { method: "PUT", body: "text" })).status).toBe(415);
  });

  it("refuses a text that became too large", async () => {
    const { get, put, at } = place();
    const { body } = await get(at("spec.md"));
    const saved = await put({ path: at("spec.md"), text: "x".repeat(2 * MB + 1), checksum: body.checksum });
    expect(saved).toMatchObject({ status: 413, body: { error: { code: "file-too-large" } } });
  });
});

describe("listing a folder", () => {
  it("gives folders first, without ignored files, keys, links and git's own folder", async () => {
    const { app, root, at } = place({
      "b.ts": "",
      "src/x.ts": "",
      "dist/out.js": "",
      ".env": "",
      ".gitignore": "dist\n",
    });
    execFileSync("git", ["init", "-q", root]);
    symlinkSync("/etc", at("etc"));
    const response = await app.request(`/api/files/list?folder=${encodeURIComponent(root)}`);
    const { entries, isCut } = (await response.json()) as {
      entries: { name: string; kind: string }[];
      isCut: boolean;
    };
    expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      "folder src",
      "file .gitignore",
      "file b.ts",
      "file spec.md",
    ]);
    expect(isCut).toBe(false);
    expect((await app.request(`/api/files/list?folder=${encodeURIComponent(at("b.ts"))}`)).status).toBe(400);
    expect((await app.request("/api/files/list?folder=/etc")).status).toBe(403);
  });

  it("is cut at a thousand entries", async () => {
    const { app, root } = place(
      Object.fromEntries(Array.from({ length: 1_050 }, (_, i) => [`f${i}.txt`, ""])),
    );
    const response = await app.request(`/api/files/list?folder=${encodeURIComponent(root)}`);
    const { entries, isCut } = (await response.json()) as { entries: unknown[]; isCut: boolean };
    expect([entries.length, isCut]).toEqual([1_000, true]);
  });
});
