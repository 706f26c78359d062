import { createHash } from "node:crypto";
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFileAtomic } from "../../../../src/store/write-file.ts";
import { inFolder } from "../../../../src/web/server/files/folder.ts";
import { files } from "../../../../src/web/server/files/routes.ts";
import { json, temporaryWeb } from "../../../support/web.ts";

function place() {
  const here = temporaryWeb({ "src/a.txt": "a\n", "outside/a.txt": "theirs\n" }, [files]);
  const at = (name: string) => join(here.root, name);
  const save = (name: string, text: string) => {
    const checksum = createHash("sha256")
      .update(readFileSync(at(name)))
      .digest("hex");
    return here.send<object>("PUT", "/api/files", { path: at(name), text, checksum });
  };
  /** As a process does that wants the write to go elsewhere. */
  const swap = () => {
    renameSync(at("src"), at("moved"));
    symlinkSync(at("outside"), at("src"));
  };
  const create = (name: string, text: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: the bodies of several statuses
    here.send<any>("PUT", "/api/files", { path: at(name), text });
  return { ...here, at, save, swap, create };
}

describe("saving", () => {
  it.skipIf(process.platform !== "linux")(
    "in a folder that becomes a link writes nothing where the link leads",
    () => {
      const { at, swap } = place();
      inFolder(at("src"), (within) => {
        swap();
        writeFileAtomic(within("a.txt"), "new\n", { follows: false });
      });
      expect(readFileSync(at("outside/a.txt"), "utf8")).toBe("theirs\n");
      expect(readdirSync(at("outside"))).toEqual(["a.txt"]);
      expect(readFileSync(at("moved/a.txt"), "utf8")).toBe("new\n");
    },
  );

  it("in a folder that has become a link, or is below one, is refused", () => {
    const { at, swap } = place();
    mkdirSync(at("src/deep"));
    mkdirSync(at("outside/deep"));
    swap();
    expect(() => inFolder(at("src"), () => undefined)).toThrow();
    expect(() => inFolder(at("src/deep"), () => undefined)).toThrow(/replaced meanwhile/);
  });

  it("a file with several names is refused: they would no longer be one file", async () => {
    const { at, save } = place();
    linkSync(at("src/a.txt"), at("src/b.txt"));
    const { status, body } = await save("src/a.txt", "new\n");
    expect(status).toBe(403);
    expect(body.error?.message).toContain("hard links");
    expect(readFileSync(at("src/b.txt"), "utf8")).toBe("a\n");
  });

  it.skipIf(process.getuid?.() !== 0)("as root leaves a file to its owner, with its mode", async () => {
    const { at, save } = place();
    writeFileSync(at("src/a.txt"), "a\n", { mode: 0o640 });
    chownSync(at("src/a.txt"), 1234, 2345);
    const { mode } = statSync(at("src/a.txt"));
    expect((await save("src/a.txt", "new\n")).status).toBe(200);
    expect(statSync(at("src/a.txt"))).toMatchObject({ uid: 1234, gid: 2345, mode });
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("new\n");
  });

  it("half a character is refused, and the file stays", async () => {
    const { at, save } = place();
    const { status, body } = await save("src/a.txt", "lone \ud800 surrogate");
    expect(status).toBe(400);
    expect(body.error?.message).toContain("surrogate");
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("a\n");
  });
});

describe("saving a file that is not there", () => {
  it("writes it: one that was deleted while it was edited comes back with the text as given", async () => {
    const { app, at, create } = place();
    rmSync(at("src/a.txt"));
    const missing = await app.request(`/api/files?path=${encodeURIComponent(at("src/a.txt"))}`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { path: at("src/a.txt") }]);
    const { status, body } = await create("src/a.txt", "\ufeffmine\r\n");
    expect([status, body]).toMatchObject([200, { path: at("src/a.txt"), size: 9 }]);
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("\ufeffmine\r\n");
    expect(readdirSync(at("src"))).toEqual(["a.txt"]);
    const again = await app.request(
      "/api/files",
      json("PUT", { path: at("src/a.txt"), text: "more\n", checksum: body.checksum }),
    );
    expect(again.status).toBe(200);
  });

  it("replaces none that is there, and says which text that has", async () => {
    const { at, create } = place();
    const { status, body } = await create("src/a.txt", "mine\n");
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: "file-changed",
      message: expect.stringContaining("exists already"),
    });
    expect(body.checksums.now).toBe(createHash("sha256").update("a\n").digest("hex"));
    expect(readFileSync(at("src/a.txt"), "utf8")).toBe("a\n");
  });

  it("is refused outside projects, for keys, through a link that leads out, and without its folder", async () => {
    const { at, create, root } = place();
    symlinkSync(join(root, ".."), at("out"));
    symlinkSync(join(root, "..", "new.txt"), at("dangling"));
    for (const name of ["../new.txt", "out/new.txt", ".env", "src/server.pem", ".git/hooks/pre-commit"])
      expect((await create(name, "x")).status).toBe(403);
    await create("dangling", "x");
    expect(existsSync(join(root, "..", "new.txt"))).toBe(false);
    expect(await create("gone/a.txt", "x")).toMatchObject({
      status: 404,
      body: { error: { code: "no-such-folder" } },
    });
    expect((await create("src/b.txt", "x".repeat(2 * 1024 * 1024 + 1))).status).toBe(413);
    expect(readdirSync(at("src"))).toEqual(["a.txt"]);
  });
});
