import { describe, expect, it } from "vitest";
import type { Area } from "../../../src/web/server/web.ts";
import { ask, converse } from "../../support/raw-http.ts";
import { type RunningTestWeb, startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const area: Area = {
  name: "test",
  routes(app) {
    app.get("/api/thing", (context) => context.json({ thing: 1 }));
    app.patch("/api/thing", (context) => context.json({ changed: true }));
    app.get("/applets/:slug", (context) => context.json({ applet: 1 }));
    app.post("/applets/:slug", (context) => context.json({ changed: true }));
  },
  isOpen: (path) => path.startsWith("/applets/"),
};

const start = (now?: () => number): Promise<RunningTestWeb> =>
  startTestWeb(webWorld(temporaryWorld(), now === undefined ? {} : { now }), { areas: [area] });

const codeOf = (body: string): unknown => JSON.parse(body).error.code;
const SIGN_IN_AGAIN = "run `continuo web` again: it prints a new link";

describe("a link with a token", () => {
  it("gives a cookie that scripts cannot read and other sites cannot send, and goes on to its address", async () => {
    const { server } = await start();
    const link = new URL(server.link("/sessions/pi/a%20b?x=1&y=%22"));
    const answer = await ask(server.port, link.pathname + link.search, { headers: { host: link.host } });
    expect(answer.status).toBe(200);
    const [cookie = ""] = answer.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^continuo-${server.port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    );
    expect(answer.body).toContain('name="continuo-to" content="/sessions/pi/a%20b?x=1&amp;y=%22"');
    // A redirect would lose the cookie when the link was clicked in another site's page.
    expect(answer.headers["location"]).toBeUndefined();
  });

  it.each(["//evil.example/", "/%5cevil.example", "//evil.example/%2f.."])(
    "goes on to this server only: %s",
    async (path) => {
      const { server } = await start();
      const { pathname } = new URL(server.link());
      const answer = await ask(server.port, pathname + path, {
        headers: { host: `localhost:${server.port}` },
      });
      expect(answer.body).toMatch(/name="continuo-to" content="\/(?![/\\])/);
    },
  );

  it("works once", async () => {
    const { server } = await start();
    const link = server.link();
    expect((await fetch(link)).status).toBe(200);
    const again = await fetch(link, { headers: { accept: "text/html" } });
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
    expect(await again.text()).toContain("continuo web");
  });

  it("that was used still goes on in the browser that is signed in", async () => {
    const { server, cookie } = await start();
    const link = server.link();
    await fetch(link);
    const again = await fetch(link, { headers: { cookie } });
    expect(again.status).toBe(200);
    expect(again.headers.get("set-cookie")).toBeNull();
  });

  it("ends after ten minutes", async () => {
    let now = 1_000_000;
    const { server } = await start(() => now);
    const [early, late] = [server.link(), server.link()];
    now += 10 * 60_000;
    expect((await fetch(early)).status).toBe(200);
    now += 1;
    expect((await fetch(late)).status).toBe(401);
  });

  it("is not used up by a preview, a prefetch or a guess", async () => {
    const { server } = await start();
    const link = server.link();
    expect((await fetch(link, { method: "HEAD" })).status).toBe(405);
    expect((await fetch(link, { headers: { "sec-purpose": "prefetch" } })).status).toBe(405);
    expect((await fetch(link.slice(0, -1))).status).toBe(401);
    expect((await fetch(`${server.origin}/enter/`)).status).toBe(401);
    expect((await fetch(link)).status).toBe(200);
  });

  it("counts only among the newest 32", async () => {
    const { server } = await start();
    const links = Array.from({ length: 33 }, () => server.link());
    expect((await fetch(links[0] ?? "")).status).toBe(401);
    expect((await fetch(links[1] ?? "")).status).toBe(200);
  });
});

describe("a request without a valid cookie", () => {
  it.each([
    ["none", () => ({})],
    ["a made-up one", (port: number) => ({ cookie: `continuo-${port}=${"A".repeat(43)}` })],
    ["an empty one", (port: number) => ({ cookie: `continuo-${port}=` })],
    ["of another port", (_: number, cookie: string) => ({ cookie: cookie.replace(/\d+=/, "1=") })],
  ])("is refused with what to do: %s", async (_, headersFor) => {
    const { server, cookie } = await start();
    const headers = { host: `127.0.0.1:${server.port}`, ...headersFor(server.port, cookie) };
    for (const path of ["/api/thing", "/api/events", "/", "/main.js"]) {
      const answer = await ask(server.port, path, { headers });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error).toMatchObject({ code: "not-signed-in", hint: SIGN_IN_AGAIN });
    }
  });

  it("gets a page where a person looks", async () => {
    const { server } = await start();
    const answer = await fetch(`${server.origin}/sessions`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("content-type")).toContain("text/html");
    expect(await answer.text()).toContain("<code>continuo web</code>");
  });

  it("may read what an area declares open, and change nothing there", async () => {
    const { server } = await start();
    const [host, origin] = [`127.0.0.1:${server.port}`, server.origin];
    const frame = { host, "sec-fetch-site": "cross-site", origin: "null" };
    expect((await ask(server.port, "/applets/one", { headers: frame })).status).toBe(200);
    const change = { method: "POST", headers: { host, origin } };
    expect((await ask(server.port, "/applets/one", change)).status).toBe(401);
  });
});

describe("the name that a request asks for", () => {
  it.each(["127.0.0.1", "localhost"])("may be %s with the port", async (name) => {
    const { server, cookie, key } = await start();
    const headers = { host: `${name}:${server.port}`, cookie, "x-continuo-page": key };
    expect((await ask(server.port, "/api/thing", { headers })).status).toBe(200);
  });

  it.each([
    ["evil.example", (port: number) => `evil.example:${port}`],
    ["no port", () => "127.0.0.1"],
    ["another port", () => "127.0.0.1:1"],
    ["a longer name", (port: number) => `127.0.0.1:${port}.evil.example`],
    ["a name before it", (port: number) => `evil.example@127.0.0.1:${port}`],
    ["IPv6, on which nothing listens", (port: number) => `[::1]:${port}`],
  ])("is refused otherwise, also with a cookie: %s", async (_, hostFor) => {
    const { server, cookie, key } = await start();
    const answer = await ask(server.port, "/api/thing", {
      headers: { host: hostFor(server.port), cookie, "x-continuo-page": key },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body).not.toContain('thing":1');
    if (answer.status === 421) expect(codeOf(answer.body)).toBe("wrong-host");
    else expect(answer.status).toBe(400);
  });

  it("is refused if it is missing or given twice", async () => {
    const { server, cookie, key } = await start();
    const own = `host: 127.0.0.1:${server.port}\r\n`;
    for (const host of ["", "host:\r\n", `${own}host: evil.example\r\n`]) {
      const text = `GET /api/thing HTTP/1.1\r\n${host}cookie: ${cookie}\r\nx-continuo-page: ${key}\r\nconnection: close\r\n\r\n`;
      expect(await converse(server.port, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it("is refused with a broken address", async () => {
    const { server, cookie, key } = await start();
    const headers = { host: `127.0.0.1:${server.port}`, cookie, "x-continuo-page": key };
    const answer = await ask(server.port, "/\\evil.example", { headers });
    expect(answer.status).toBe(400);
    expect(codeOf(answer.body)).toBe("invalid-request");
  });

  it("is also refused in the address itself", async () => {
    const { server, cookie, key } = await start();
    const headers = { host: `127.0.0.1:${server.port}`, cookie, "x-continuo-page": key };
    const answer = await ask(server.port, "http://evil.example/api/thing", { headers });
    expect([400, 421]).toContain(answer.status);
  });
});

describe("the page that a request comes from", () => {
  const foreign = [
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://127.0.0.1:PORT", "sec-fetch-site": "same-site" },
  ];
  it.each(foreign)("must be this one, for data and events: %j", async (given) => {
    const { server, cookie, key } = await start();
    const headers = Object.fromEntries(
      Object.entries({ ...given, cookie, "x-continuo-page": key, host: `127.0.0.1:${server.port}` }).map(
        ([name, value]) => [name, value.replace("PORT", String(server.port))],
      ),
    );
    for (const [method, path] of [
      ["PATCH", "/api/thing"],
      ["GET", "/api/thing"],
      ["GET", "/api/events"],
    ] as const) {
      const answer = await ask(server.port, path, { method, headers });
      expect(answer.status).toBe(403);
      expect(codeOf(answer.body)).toBe("wrong-origin");
    }
  });

  it("must be said by a request that changes something", async () => {
    const { server, cookie, key } = await start();
    const headers = { cookie, "x-continuo-page": key, host: `127.0.0.1:${server.port}` };
    expect((await ask(server.port, "/api/thing", { method: "PATCH", headers })).status).toBe(403);
    for (const [name, value] of [
      ["origin", server.origin],
      ["sec-fetch-site", "same-origin"],
    ] as const) {
      const said = { ...headers, [name]: value };
      expect((await ask(server.port, "/api/thing", { method: "PATCH", headers: said })).status).toBe(200);
    }
  });

  it("is never told that it may read the answer", async () => {
    const served = await start();
    const answer = await served.fetch("/api/thing");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

describe("a method", () => {
  it.each(["OPTIONS", "TRACE", "PROPFIND"])("that nothing has is refused: %s", async (method) => {
    const { server, cookie, key } = await start();
    const headers = {
      cookie,
      "x-continuo-page": key,
      host: `127.0.0.1:${server.port}`,
      origin: server.origin,
    };
    const answer = await ask(server.port, "/api/thing", { method, headers });
    expect(answer.status).toBe(405);
  });

  it("that an address does not have is refused with those that it has", async () => {
    const served = await start();
    const answer = await served.fetch("/api/thing", { method: "DELETE" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, PATCH");
    expect((await served.fetch("/api/other", { method: "DELETE" })).status).toBe(404);
  });
});
