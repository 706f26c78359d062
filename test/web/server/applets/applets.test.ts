import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AppletList } from "../../../../src/web/api/applets.ts";
import { applets } from "../../../../src/web/server/applets/routes.ts";
import { startTestWeb, temporaryWeb, webWorld } from "../../../support/web.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const MANIFEST = JSON.stringify({
  title: "Clock",
  description: "Shows a time",
  script: "clock.js",
  style: "clock.css",
  parameters: [{ name: "zone", description: "the time zone" }],
});
const CLOCK = {
  "applets/clock/applet.json": MANIFEST,
  "applets/clock/index.html": "<!DOCTYPE html><p id=now></p>",
  "applets/clock/clock.js": "document.title = 'x';",
  "applets/clock/clock.css": "p { color: red }",
  "applets/clock/.secret.js": "no",
  "applets/clock/notes.txt": "no",
};

function place(files: Record<string, string>) {
  const here = temporaryWeb({}, [applets]);
  write(here.home.root, files);
  const list = () => here.get<AppletList>("/api/applets");
  const own = async () => (await list()).applets.filter(({ isBuiltIn }) => !isBuiltIn);
  return { ...here, list, own };
}

describe("the list of applets", () => {
  it("has the built-in ones, and says where people put their own", async () => {
    const { list, home } = place({});
    const { applets: all, folder } = await list();
    expect(all.map(({ slug }) => slug)).toEqual([
      "text-editor",
      "git-diff",
      "concept-graph",
      "rules",
      "search",
    ]);
    expect(all.every(({ problems, frame }) => problems.length === 0 && frame === undefined)).toBe(true);
    expect(folder).toBe(join(home.root, "applets"));
  });

  it("has a user's applet with its title, parameters and the address of its frame", async () => {
    const { own } = place(CLOCK);
    expect(await own()).toEqual([
      {
        slug: "clock",
        title: "Clock",
        description: "Shows a time",
        isBuiltIn: false,
        parameters: [{ name: "zone", description: "the time zone" }],
        frame: expect.stringMatching(/^\/applets\/clock\/[\w-]{32}\/$/),
        problems: [],
      },
    ]);
  });

  it("explains what is wrong with an applet that cannot be used", async () => {
    const { own, home } = place({
      "applets/broken/applet.json": "{",
      "applets/climbs/applet.json": JSON.stringify({ title: "x", html: "../../config.json" }),
      "applets/empty/readme.md": "",
      "applets/fields/applet.json": JSON.stringify({
        title: "a\nb",
        entry: "x.html",
        parameters: [{ name: "session" }],
      }),
      "applets/git-diff/applet.json": MANIFEST,
      "applets/Upper/applet.json": MANIFEST,
      "applets/no-files/applet.json": MANIFEST,
      "applets/no-object/applet.json": "[]",
      "applets/.hidden/applet.json": MANIFEST,
    });
    mkdirSync(join(home.root, "applets/folder/applet.json"), { recursive: true });
    const found = Object.fromEntries((await own()).map(({ slug, problems }) => [slug, problems]));
    expect(Object.keys(found)).toEqual([
      "Upper",
      "broken",
      "climbs",
      "empty",
      "fields",
      "folder",
      "git-diff",
      "no-files",
      "no-object",
    ]);
    expect(found["broken"]?.[0]).toContain("not valid JSON");
    expect(found["climbs"]).toEqual(['"html" must be the name of a file in the applet\'s folder']);
    expect(found["empty"]).toEqual(["applet.json is missing or cannot be read"]);
    expect(found["fields"]).toEqual(
      expect.arrayContaining([
        '"title" must be one line',
        'unknown field "entry"',
        '"parameters.0.name" must not be session or applet',
      ]),
    );
    expect(found["folder"]?.[0]).toContain("not a file");
    expect(found["git-diff"]?.[0]).toContain("built-in");
    expect(found["Upper"]?.[0]).toContain("small letters");
    expect(found["no-files"]).toEqual([
      "index.html does not exist",
      "clock.js does not exist",
      "clock.css does not exist",
    ]);
    expect(found["no-object"]).toEqual(["applet.json must be an object"]);
  });

  it("has at most a hundred of a user's applets", async () => {
    const many = Array.from({ length: 130 }, (_, i) => [`applets/a${i}x/applet.json`, MANIFEST]);
    expect((await place(Object.fromEntries(many)).own()).length).toBe(100);
  });
});

describe("the frame of an applet", () => {
  it("is its page with its style and script, and a policy that allows no request", async () => {
    const { app, own } = place(CLOCK);
    const [clock] = await own();
    const response = await app.request(`http://127.0.0.1:4000${clock?.frame}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const part of [
      "sandbox allow-scripts",
      "default-src 'none'",
      "connect-src 'none'",
      "form-action 'none'",
      "frame-src 'none'",
      "frame-ancestors 'self'",
      `script-src http://127.0.0.1:4000${clock?.frame}`,
    ])
      expect(policy.split("; ")).toContain(part);
    expect(policy).not.toContain("allow-same-origin");
    expect(await response.text()).toBe(
      '<!doctype html>\n<script src="continuo.js"></script>\n<p id=now></p>\n<link rel="stylesheet" href="clock.css">\n<script src="clock.js"></script>\n',
    );
    const script = await app.request(`${clock?.frame}clock.js`);
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).toMatch(/^delete globalThis\.RTCPeerConnection;.*document\.title = 'x';$/);
    expect(await (await app.request(`${clock?.frame}continuo.js`)).text()).toContain("setParameters");
  });

  it("needs the key of this applet, also for another applet of the same user", async () => {
    const { app, own } = place({
      ...CLOCK,
      "applets/other/applet.json": JSON.stringify({ title: "Other" }),
      "applets/other/index.html": "other",
    });
    const [clock, other] = await own();
    const key = clock?.frame?.split("/")[3] ?? "";
    for (const path of [
      "/applets/clock/",
      "/applets/clock/wrong/",
      `/applets/other/${key}/`,
      `/applets/clock/${key.slice(1)}/`,
      `/applets/clock/${"0".repeat(32)}/`,
      "/applets/../api/applets",
    ])
      expect([path, (await app.request(path)).status]).toEqual([path, path.includes("..") ? 200 : 404]);
    expect((await app.request(other?.frame ?? "")).status).toBe(200);
  });

  it("gives no file outside the applet's folder, no hidden one and no other kind", async () => {
    const { app, own, home } = place(CLOCK);
    writeFileSync(join(home.root, "secret.js"), "secret");
    symlinkSync(join(home.root, "secret.js"), join(home.root, "applets/clock/link.js"));
    symlinkSync(home.root, join(home.root, "applets/clock/home"));
    const [clock] = await own();
    for (const name of [
      "../../secret.js",
      "..%2f..%2fsecret.js",
      "%2e%2e/%2e%2e/secret.js",
      "link.js",
      "home/secret.js",
      ".secret.js",
      "notes.txt",
      "missing.js",
      "applet.json%00.js",
      "/etc/passwd",
      "..\\..\\secret.js",
    ]) {
      const response = await app.request(`http://x${clock?.frame}${name}`);
      expect([name, response.status, (await response.text()).includes("secret;")]).toEqual([
        name,
        404,
        false,
      ]);
    }
  });

  it("is given without a cookie, and nothing else is", async () => {
    const here = temporaryWorld();
    write(here.home.root, CLOCK);
    const { url, fetch: ask } = await startTestWeb(webWorld(here));
    const { applets: all } = (await (await ask("/api/applets")).json()) as AppletList;
    const frame = all.find(({ slug }) => slug === "clock")?.frame ?? "";
    const response = await fetch(`${url}${frame}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await fetch(`${url}/api/applets`)).status).toBe(401);
    expect((await fetch(`${url}${frame}`, { method: "POST", headers: { origin: url } })).status).toBe(401);
    expect((await fetch(`${url}/applets/../api/applets`)).status).toBe(401);
    expect((await fetch(`${url}/applets/clock/%2e%2e/%2e%2e/api/applets`)).status).not.toBe(200);
  });
});
