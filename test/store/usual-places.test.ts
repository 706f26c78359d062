import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/store/find-program.ts";
import { usualPlaces } from "../../src/store/usual-places.ts";
import { temporaryFolder, write } from "../support/world.ts";

const NOTHING = { list: () => [], read: () => "", runtime: "/opt/node/bin/node" };

describe("usual places of programs", () => {
  it("on Linux and macOS: the home's, the system's, npm's, and every version of nvm, the newest first", () => {
    const places = usualPlaces(
      { HOME: "/home/ann" },
      {
        ...NOTHING,
        platform: "linux",
        read: (file) => (file === "/home/ann/.npmrc" ? "//r/:_authToken=x\nprefix = ~/.packages\n" : ""),
        list: (folder) => (folder === "/home/ann/.nvm/versions/node" ? ["v9.0.0", "v24.1.0", "alias"] : []),
      },
    );
    for (const folder of [
      "/home/ann/.local/bin",
      "/home/ann/.claude/local",
      "/home/ann/.npm-global/bin",
      "/home/ann/.bun/bin",
      "/home/ann/.packages/bin",
      "/usr/local/bin",
      "/opt/homebrew/bin",
      "/opt/node/bin",
    ])
      expect(places).toContain(folder);
    expect(places.filter((folder) => folder.includes(".nvm"))).toEqual([
      "/home/ann/.nvm/versions/node/v24.1.0/bin",
      "/home/ann/.nvm/versions/node/v9.0.0/bin",
    ]);
  });

  it("on Windows: npm's and the user's programs, however the variables are spelled", () => {
    const env = {
      UserProfile: "C:\\Users\\ann",
      AppData: "C:\\Users\\ann\\AppData\\Roaming",
      LOCALAPPDATA: "C:\\L",
    };
    const places = usualPlaces(env, { ...NOTHING, platform: "win32", runtime: "C:\\node\\node.exe" });
    for (const folder of [
      "C:\\Users\\ann\\AppData\\Roaming\\npm",
      "C:\\L\\Programs",
      "C:\\Users\\ann\\.local\\bin",
      "C:\\node",
    ])
      expect(places).toContain(folder);
  });

  it("are absolute: without a home, or with a relative one, nothing of the current folder is among them", () => {
    for (const env of [
      {},
      { HOME: "." },
      { HOME: "", PNPM_HOME: "bin", NVM_DIR: "nvm", npm_config_prefix: "." },
    ])
      for (const folder of usualPlaces(env, { ...NOTHING, platform: "linux", list: () => ["v1"] }))
        expect(folder).toMatch(/^\//);
  });

  it.skipIf(process.platform === "win32")("are searched after the PATH, and never in a project", () => {
    const home = temporaryFolder();
    const add = (folder: string) => {
      write(folder, { agent: "#!/bin/sh\n" });
      chmodSync(join(folder, "agent"), 0o755);
      return join(folder, "agent");
    };
    const env = { HOME: home, PATH: join(home, "on-path") };
    const also = usualPlaces(env, { ...NOTHING, platform: "linux" });
    const usual = add(join(home, ".local", "bin"));
    expect(findProgram("agent", { env, also })).toBe(usual);
    expect(findProgram("agent", { env, also, near: [join(home, ".local")] })).toBeUndefined();
    // A link into the project is the project's program.
    const project = temporaryFolder();
    symlinkSync(add(project), join(home, ".local", "bin", "other"));
    expect(findProgram("other", { env, also, near: [project] })).toBeUndefined();
    const first = add(join(home, "on-path"));
    expect(findProgram("agent", { env, also })).toBe(first);
  });
});
