import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openBrowser, wantsBrowser } from "../../../src/cli/commands/web/browser.ts";
import { webCommand } from "../../../src/cli/commands/web/web.ts";
import type { ServedWeb } from "../../../src/cli/registries.ts";
import { registries } from "../../../src/entries/registries.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const SERVED: ServedWeb = {
  url: "http://127.0.0.1:4000/enter/token",
  port: 4000,
  pid: 77,
  isNew: true,
  close: async () => undefined,
};

async function run(values: Record<string, string | boolean>, served: Partial<ServedWeb> = {}) {
  const { env, root } = temporaryWorld();
  const serveWeb = vi.fn(async () => ({ ...SERVED, ...served }));
  const told: string[] = [];
  const world = { ...registries, serveWeb, env, cwd: root, now: Date.now, packageRoot: "", stdin: -1 };
  const outcome = await webCommand.run({
    ...world,
    tell: (line) => told.push(line),
    values,
    positionals: [],
  });
  return { outcome, told, serveWeb };
}

describe("continuo web", () => {
  it("prints the link alone, so that a script can use it, and says the rest beside it", async () => {
    const { outcome, told, serveWeb } = await run({ port: "4000", "no-open": true });
    expect(outcome).toEqual({ data: { url: SERVED.url, port: 4000, pid: 77 }, text: SERVED.url });
    expect(told).toEqual(["This link works once, within ten minutes. Ctrl-C ends it."]);
    expect(serveWeb).toHaveBeenCalledWith(expect.anything(), { port: 4000 });
  });

  it("says that it runs already", async () => {
    const { told } = await run({}, { isNew: false });
    expect(told[0]).toContain("It runs already (process 77).");
  });
});

describe("a browser", () => {
  const screen = { DISPLAY: ":0" };
  it.each([
    [screen, true, "linux", true],
    [{ WAYLAND_DISPLAY: "w" }, true, "linux", true],
    [{}, true, "linux", false],
    [screen, false, "linux", false],
    [{ ...screen, CI: "true" }, true, "linux", false],
    [{ ...screen, SSH_CONNECTION: "1.2.3.4 5 6.7.8.9 22" }, true, "linux", false],
    [{}, true, "darwin", true],
    [{}, false, "darwin", false],
    [{}, true, "win32", true],
  ] as const)(
    "is opened only for a person with a screen: %j, terminal %s, %s",
    (env, isTerminal, platform, wanted) => {
      expect(wantsBrowser(env, isTerminal, platform)).toBe(wanted);
    },
  );

  it("gets the address as one argument, without a shell", async () => {
    const folder = temporaryFolder();
    write(folder, { "bin/xdg-open": `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/opened'\n` });
    chmodSync(join(folder, "bin", "xdg-open"), 0o755);
    chmodSync(join(folder, "bin"), 0o755);
    const url = "http://127.0.0.1:1/enter/a?x=$(touch pwned)&y=`id`;'\"";
    openBrowser(url, { env: { PATH: join(folder, "bin"), HOME: folder }, cwd: "/nowhere" }, "linux");
    await vi.waitFor(() => expect(existsSync(join(folder, "opened"))).toBe(true), { timeout: 20_000 });
    await vi.waitFor(() => expect(readFileSync(join(folder, "opened"), "utf8")).toBe(`${url}\n`), {
      timeout: 20_000,
    });
  });

  it("that is missing, or belongs to a project, is not started", () => {
    const folder = temporaryFolder();
    write(folder, { "project/bin/xdg-open": "#!/bin/sh\nexit 1\n" });
    chmodSync(join(folder, "project", "bin", "xdg-open"), 0o755);
    const env = { PATH: join(folder, "project", "bin"), HOME: folder };
    expect(() =>
      openBrowser("http://127.0.0.1:1/", { env, cwd: join(folder, "project") }, "linux"),
    ).not.toThrow();
    expect(() => openBrowser("http://127.0.0.1:1/", { env: {}, cwd: folder }, "linux")).not.toThrow();
  });
});
