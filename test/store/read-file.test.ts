import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readBytes, readText } from "../../src/store/read-file.ts";
import { device } from "../support/planting.ts";
import { temporaryFolder } from "../support/world.ts";

const LIMIT = { maxBytes: 1000 };

describe("one way to read a file that others wrote", () => {
  test("a regular file is read whole, even through a link, up to its limit", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a"), "x".repeat(1000));
    symlinkSync("a", join(folder, "link"));
    expect(readText(join(folder, "link"), LIMIT)).toBe("x".repeat(1000));
    expect(() => readText(join(folder, "a"), { maxBytes: 999 })).toThrow(
      expect.objectContaining({ code: "too-large" }),
    );
    expect(readBytes(join(folder, "a"), { maxBytes: 10, cut: true })).toHaveLength(10);
  });

  test.skipIf(process.platform === "win32")(
    "a pipe, a socket, a device, a folder and a loop of links are refused at once",
    async () => {
      const folder = temporaryFolder();
      const at = (name: string) => join(folder, name);
      execFileSync("mkfifo", [at("pipe")]);
      symlinkSync(device("zero"), at("zero"));
      symlinkSync(device("tty"), at("tty"));
      symlinkSync("loop", at("loop"));
      mkdirSync(at("folder"));
      const server = createServer().listen(at("socket"));
      onTestFinished(() => void server.close());
      await new Promise((resolve) => server.once("listening", resolve));
      for (const name of ["pipe", "zero", "tty", "folder", "socket"])
        expect(() => readText(at(name), LIMIT), name).toThrow(
          expect.objectContaining({ code: "not-a-file" }),
        );
      expect(() => readText(at("loop"), LIMIT)).toThrow(expect.objectContaining({ code: "ELOOP" }));
      expect(() => readText(at("none"), LIMIT)).toThrow(expect.objectContaining({ code: "ENOENT" }));
    },
  );

  test("a sparse file of 1 GB is refused without being read", () => {
    const path = join(temporaryFolder(), "sparse");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 30);
    expect(() => readBytes(path, { maxBytes: 2 ** 20 })).toThrow(
      expect.objectContaining({ code: "too-large" }),
    );
  });

  test.skipIf(process.platform !== "linux")(
    "a file below /proc gives no more than the size it claims",
    () => {
      expect(readText("/proc/self/environ", LIMIT)).toBe("");
    },
  );

  test("with a root, a link may only lead to a file inside it", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "root"));
    writeFileSync(join(folder, "secret"), "secret");
    writeFileSync(join(folder, "root", "..own"), "own");
    symlinkSync("../secret", join(folder, "root", "out"));
    symlinkSync("..own", join(folder, "root", "in"));
    const root = join(folder, "root");
    expect(readText(join(root, "in"), { ...LIMIT, root })).toBe("own");
    expect(() => readText(join(root, "out"), { ...LIMIT, root })).toThrow(
      expect.objectContaining({ code: "outside-root" }),
    );
  });
});
