import { createHash } from "node:crypto";
import {
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
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
  const save = async (name: string, text: string) => {
    const checksum = createHash("sha256")
      .update(readFileSync(at(name)))
      .digest("hex");
    const response = await here.app.request("/api/files", json("PUT", { path: at(name), text, checksum }));
    return { status: response.status, body: (await response.json()) as { error?: { message: string } } };
  };
  /** As a process does that wants the write to go elsewhere. */
  const swap = () => {
    renameSync(at("src"), at("moved"));
    symlinkSync(at("outside"), at("src"));
  };
  return { at, save, swap };
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
