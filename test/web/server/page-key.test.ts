import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { proofOf } from "../../../src/web/server/control.ts";
import type { Area } from "../../../src/web/server/web.ts";
import { ask } from "../../support/raw-http.ts";
import { type RunningTestWeb, startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const thing: Area = {
  name: "thing",
  routes: (app) => void app.get("/api/thing", (c) => c.json({ ok: true })),
};
const hash = (value: string) => createHash("sha256").update(value).digest("base64url");

async function start(place = temporaryWorld(), port = 0) {
  return { place, web: await startTestWeb(webWorld(place), { areas: [thing], port }) };
}

/** A connection of its own for each request: after a restart, one to the server before would be used again. */
const status = async ({ server }: RunningTestWeb, headers: Record<string, string>): Promise<number> =>
  (await ask(server.port, "/api/thing", { headers: { host: `127.0.0.1:${server.port}`, ...headers } }))
    .status;

/** As the page asks when it is loaded and after it lost its connection, with one of its passes. */
async function askAgain(
  { url, server }: RunningTestWeb,
  pass: string,
  more: { origin?: string; secret?: string; cookie?: string } = {},
) {
  const [key = "", own = ""] = pass.split(".");
  const { origin = url, secret = own, cookie } = more;
  const body = { id: hash(key), nonce: "nonce", proof: proofOf(secret, "again", origin, "nonce") };
  const answer = await ask(server.port, "/api/again", {
    method: "POST",
    headers: {
      host: `127.0.0.1:${server.port}`,
      "content-type": "application/json",
      origin: url,
      ...(cookie !== undefined && { cookie }),
    },
    body: JSON.stringify(body),
  });
  const set = answer.headers["set-cookie"] ?? [];
  return { ...answer, cookie: (set[0] ?? "").split(";")[0] ?? "" };
}

interface Passes {
  readonly now: string;
  readonly later: string;
}

async function passesOf(web: RunningTestWeb, key = web.key, cookie = web.cookie): Promise<Passes> {
  const headers = { host: `127.0.0.1:${web.server.port}`, cookie, "x-continuo-page": key };
  const answer = await ask(web.server.port, "/api/passes", { headers });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.body) as Passes;
}

/** The next server of this home, at the same port. */
async function restart(
  web: RunningTestWeb,
  place: ReturnType<typeof temporaryWorld>,
): Promise<RunningTestWeb> {
  await web.close();
  return (await start(place, web.server.port)).web;
}

/** Comes back to the next server, as an open page does. */
async function comeBack(web: RunningTestWeb, later: string): Promise<{ cookie: string; passes: Passes }> {
  const { status, cookie } = await askAgain(web, later);
  expect(status).toBe(200);
  return { cookie, passes: await passesOf(web, later.split(".")[0], cookie) };
}

describe("the key of a page", () => {
  it("is needed besides the cookie, which browsers send to every port of the machine", async () => {
    const { web } = await start();
    const { cookie, key } = web;
    expect(await status(web, { cookie, "x-continuo-page": key })).toBe(200);
    expect(await status(web, { cookie })).toBe(401);
    expect(await status(web, { cookie, "x-continuo-page": "" })).toBe(401);
    expect(await status(web, { cookie, "x-continuo-page": key.replace(/^./, "!") })).toBe(401);
    expect(await status(web, { "x-continuo-page": key })).toBe(401);
  });

  it("goes with the cookie of another page that was let in: a browser has one cookie for all its tabs", async () => {
    const { web } = await start();
    const other = await fetch(web.server.link(), { headers: { accept: "application/json" } });
    const { page } = (await other.json()) as { readonly page: string };
    expect(await status(web, { cookie: web.cookie, "x-continuo-page": page })).toBe(200);
  });

  it("holds although a page on another port added a cookie of the same name, which comes first", async () => {
    const { web } = await start();
    const tossed = `continuo-${web.server.port}=evil; ${web.cookie}`;
    expect(await status(web, { cookie: tossed, "x-continuo-page": web.key })).toBe(200);
  });

  it("is in the page that the link answers with, and in no file", async () => {
    const { web, place } = await start();
    const html = await (await fetch(web.server.link("/inbox"))).text();
    const key = /name="continuo-page" content="([\w-]{43})\.[\w-]{43}"/.exec(html)?.[1] ?? "";
    expect(key).not.toBe("");
    const kept = readFileSync(join(place.home.root, "web-pages.json"), "utf8");
    expect(kept).toContain("again");
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(hash(key));
  });
});

describe("a page after the server was restarted", () => {
  it("comes back by a proof, without sending its key, and the server proves itself too", async () => {
    const { web, place } = await start();
    const { later } = await passesOf(web);
    const next = await restart(web, place);
    const answer = await askAgain(next, later);
    expect(answer.status).toBe(200);
    const { proof } = JSON.parse(answer.body) as { readonly proof: string };
    expect(proof).toBe(proofOf(later.split(".")[1] ?? "", "answer", next.url, "nonce"));
    const { cookie, passes } = await comeBack(next, later);
    expect(await status(next, { cookie, "x-continuo-page": passes.now.split(".")[0] ?? "" })).toBe(200);
    expect(passes.later).toBe(later);
  });

  it("cannot come back with anything that the page stored or sent: what has the port then could read it", async () => {
    const { web, place } = await start();
    const { now, later } = await passesOf(web);
    const next = await restart(web, place);
    expect((await askAgain(next, now)).status).toBe(401);
    // Its proof that something else heard, sent again: a cookie, but neither a key nor an answer to requests.
    const { cookie } = await askAgain(next, later);
    for (const key of [now, later].flatMap((pass) => [pass, ...pass.split("."), hash(pass)])) {
      if (key === later.split(".")[0]) continue; // it is in memory only, and sent after a proof
      expect(await status(next, { cookie, "x-continuo-page": key })).toBe(401);
      const headers = { host: `127.0.0.1:${next.server.port}`, cookie, "x-continuo-page": key };
      expect((await ask(next.server.port, "/api/passes", { headers })).status).toBe(401);
    }
  });

  it("comes back to each later server, and keeps the cookie of its browser beside a new page", async () => {
    const { web, place } = await start();
    const { later } = await passesOf(web);
    const second = await restart(web, place);
    await comeBack(second, later);
    const third = await restart(second, place);
    expect((await askAgain(third, later, { cookie: third.cookie })).cookie).toBe(third.cookie);
    const passes = await passesOf(third, later.split(".")[0], third.cookie);
    for (const one of [third.key, passes.now.split(".")[0] ?? ""])
      expect(await status(third, { cookie: third.cookie, "x-continuo-page": one })).toBe(200);
  });

  it("is refused with a wrong proof, an unknown key, and a proof that was made for another port", async () => {
    const { web, place } = await start();
    const { later } = await passesOf(web);
    await web.close();
    const next = (await start(place)).web;
    expect((await askAgain(next, later, { secret: "other" })).status).toBe(401);
    expect((await askAgain(next, "other.other")).status).toBe(401);
    expect((await askAgain(next, later, { origin: web.url })).status).toBe(401);
  });

  it("needs a new link after a day; at the same server it stays", async () => {
    let now = Date.now();
    const place = temporaryWorld();
    const web = await startTestWeb(webWorld(place, { now: () => now }), { areas: [thing] });
    const passes = await passesOf(web);
    now += 25 * 60 * 60_000;
    expect((await askAgain(web, passes.later)).status).toBe(401);
    expect((await askAgain(web, passes.now)).status).toBe(200);
  });
});
