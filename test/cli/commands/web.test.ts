import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { asCommand } from "../../../src/cli/actions/as-command.ts";
import { openBrowser, WEB, wantsBrowser } from "../../../src/cli/commands/web/web.ts";
import type { ServedWeb } from "../../../src/setup/registries.ts";
import { inputIn } from "../../support/in-process.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const SERVED: ServedWeb = {
  url: "http://127.0.0.1:4000/enter/token",
  port: 4000,
  pid: 77,
  isNew: true,
  close: async () => undefined,
};

async function run(values: Record<string, string | boolean>, served: Partial<ServedWeb> = {}) {
  const made = temporaryWorld();
  const serveWeb = vi.fn(async () => ({ ...SERVED, ...served }));
  const told: string[] = [];
  const outcome = await asCommand(WEB).run({
    ...inputIn(made),
    serveWeb,
    tell: (line: string) => told.push(line),
    values,
    positionals: [],
  });
  return { outcome, told, serveWeb };
}

describe("continuo web", () => {
  it("prints the link alone, so that a script can use it, and says the rest beside it", async () => {
    const { outcome, told, serveWeb } = await run({ port: "4000", "no-open": true });
    expect(outcome).toEqual({ data: { url: SERVED.url, port: 4000, pid: 77 }, text: SERVED.url });
    expect(told).toEqual(["This link works once, within ten minutes. Ctrl-C stops it."]);
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

  /** A browser that writes down its arguments. */
  function place() {
    const folder = temporaryFolder();
    write(folder, { "bin/xdg-open": `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/opened'\n` });
    chmodSync(join(folder, "bin", "xdg-open"), 0o755);
    chmodSync(join(folder, "bin"), 0o755);
    const env = { PATH: join(folder, "bin"), HOME: folder, CONTINUO_HOME: join(folder, "home") };
    const pages = () => {
      const open = join(folder, "home", "web-open");
      return existsSync(open) ? readdirSync(open).map((name) => join(open, name)) : [];
    };
    return { folder, env, pages, opened: join(folder, "opened") };
  }

  it("gets a file that only this user can read: other users see the arguments of programs", async () => {
    const { folder, env, pages, opened } = place();
    const url = "http://127.0.0.1:1/enter/a?x=$(touch pwned)&y=`id`;'\"><script>";
    expect(openBrowser(url, { env, cwd: "/nowhere" }, "linux")).toBe(true);
    const [page = "", ...more] = pages();
    expect(more).toEqual([]);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "home", "web-open")).mode & 0o777).toBe(0o700);
    const html = readFileSync(page, "utf8");
    const escaped = "http://127.0.0.1:1/enter/a?x=$(touch pwned)&#38;y=`id`;&#39;&#34;&#62;&#60;script&#62;";
    expect(html).toContain(`content="0; url=${escaped}"`);
    expect(html).not.toContain("<script>");
    await vi.waitFor(() => expect(existsSync(opened)).toBe(true), { timeout: 20_000 });
    await vi.waitFor(() => expect(readFileSync(opened, "utf8")).toBe(`${pathToFileURL(page).href}\n`), {
      timeout: 20_000,
    });
    // Somebody has signed in.
    write(join(folder, "home"), { "web-pages.json": "{}" });
    await vi.waitFor(() => expect(pages()).toEqual([]), { timeout: 20_000 });
  });

  it("that has not opened the file after a minute cannot any more", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { env, pages } = place();
    openBrowser(SERVED.url, { env, cwd: "/nowhere" }, "linux");
    vi.advanceTimersByTime(59_000);
    expect(pages()).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(pages()).toEqual([]);
  });

  it("leaves no file when the process ends, and removes what a killed one left", () => {
    const { folder, env, pages } = place();
    write(folder, { "home/web-open/old.html": "" });
    utimesSync(join(folder, "home/web-open/old.html"), 1, 1);
    const before = process.listeners("exit");
    openBrowser(SERVED.url, { env, cwd: "/nowhere" }, "linux");
    expect(pages()).toHaveLength(1);
    for (const end of process.listeners("exit")) if (!before.includes(end)) end(0);
    expect(pages()).toEqual([]);
  });

  it("is not opened if the file cannot be written, and the person is told", () => {
    const { folder, env, opened } = place();
    write(folder, { home: "a file" });
    const told: string[] = [];
    const world = { env, cwd: "/nowhere", tell: (line: string) => void told.push(line) };
    expect(openBrowser(SERVED.url, world, "linux")).toBe(false);
    expect(told.join()).toContain("Open the link yourself.");
    expect(told.join()).not.toContain("token");
    expect(existsSync(opened)).toBe(false);
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
