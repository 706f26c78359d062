import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask } from "../../support/raw-http.ts";
import { startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";

const PAGE = "<!doctype html><p>the page";
const FILES = {
  "index.html": PAGE,
  "main-AB12CD34.js": "script",
  "icon.svg": "<svg/>",
  ".hidden.js": "HIDDEN",
};

async function start(files: Record<string, string> = FILES) {
  const packageRoot = temporaryFolder("package");
  write(join(packageRoot, "dist", "web"), files);
  write(packageRoot, {
    "secret.js": "SECRET",
    "dist/continuo.js": "SECRET",
    "dist/web/parts/a.js": "SECRET",
  });
  symlinkSync(join(packageRoot, "secret.js"), join(packageRoot, "dist", "web", "link.js"));
  symlinkSync(packageRoot, join(packageRoot, "dist", "web", "linked"));
  const served = await startTestWeb(webWorld(temporaryWorld(), { packageRoot }), { areas: [] });
  const headers = {
    host: `127.0.0.1:${served.server.port}`,
    cookie: served.cookie,
    "x-continuo-page": served.key,
  };
  const get = (path: string, more: Record<string, string> = {}) =>
    ask(served.server.port, path, { headers: { ...headers, ...more } });
  return { ...served, packageRoot, get };
}

describe("the page's files", () => {
  it("are served with their type; those with a hash in the name are kept by the browser", async () => {
    const { get } = await start();
    const script = await get("/main-AB12CD34.js");
    expect(script).toMatchObject({ status: 200, body: "script" });
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "private, max-age=31536000, immutable",
    });
    const icon = await get("/icon.svg");
    expect(icon.headers).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "no-cache" });
  });

  it("are the page itself for every address that it shows", async () => {
    const { get } = await start();
    const accept = "text/html,application/xhtml+xml";
    for (const path of [
      "/",
      "/sessions",
      "/sessions/pi/a%2Fb.json",
      "/memory/My.note.md",
      "/?session=x&applet=y",
    ])
      expect(await get(path, { accept })).toMatchObject({ status: 200, body: PAGE });
    expect((await get("/", {})).headers["cache-control"]).toBe("no-cache");
  });

  it("are not the page for data, frames and scripts that are gone", async () => {
    const { get } = await start();
    expect((await get("/main-OLD00000.js", { accept: "*/*" })).status).toBe(404);
    for (const path of ["/api", "/api/unknown", "/applets/unknown"])
      expect((await get(path, { accept: "text/html" })).status).toBe(404);
  });

  it.each([
    "/../../secret.js",
    "/..%2f..%2fsecret.js",
    "/%2e%2e/%2e%2e/secret.js",
    "/%252e%252e/%252e%252e/secret.js",
    "/..%5c..%5csecret.js",
    "/parts/../../../secret.js",
    "/parts/..%2f../..%2fsecret.js",
    "/%c0%ae%c0%ae/secret.js",
    "/.hidden.js",
    "/%2ehidden.js",
    "//secret.js",
    "/secret.js%00.svg",
    "/secret.js;.svg",
    "/link.js",
    "/linked/secret.js",
    "/parts",
  ])("never lead out of their folder: %s", async (path) => {
    const { get } = await start();
    for (const accept of ["*/*", "text/html"]) {
      const { status, body } = await get(path, { accept });
      expect(body).not.toMatch(/SECRET|HIDDEN/);
      expect([200, 400, 404]).toContain(status);
      if (status === 200) expect(body).toBe(PAGE);
    }
  });

  it("stay those of the server's build when the package is updated or removed", async () => {
    const { get, packageRoot } = await start();
    const folder = join(packageRoot, "dist", "web");
    write(folder, { "index.html": "a newer page" });
    rmSync(join(folder, "main-AB12CD34.js"));
    expect((await get("/main-AB12CD34.js")).body).toBe("script");
    expect((await get("/", { accept: "text/html" })).body).toBe(PAGE);
  });

  it("that are not built are explained", async () => {
    const { get } = await start({});
    expect(await get("/", { accept: "text/html" })).toMatchObject({
      status: 503,
      body: expect.stringContaining("npm run build"),
    });
  });

  it("are read only", async () => {
    const served = await start();
    expect((await served.fetch("/index.html", { method: "PUT" })).status).toBe(404);
  });
});
