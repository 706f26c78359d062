import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { proofOf } from "../../../src/web/server/control.ts";
import type { Area } from "../../../src/web/server/web.ts";
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

const status = async ({ url }: RunningTestWeb, headers: Record<string, string>): Promise<number> =>
  (await fetch(`${url}/api/thing`, { headers })).status;

/** As the page asks after it lost its connection. */
function askAgain({ url }: RunningTestWeb, key: string, more: { origin?: string; secret?: string } = {}) {
  const { origin = url, secret = key } = more;
  const proof = proofOf(hash(`again ${secret}`), "again", origin, "nonce");
  return fetch(`${url}/api/again`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ id: hash(key), nonce: "nonce", proof }),
  });
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

  it("belongs to its own cookie, not to another page's", async () => {
    const { web } = await start();
    const other = await fetch(web.server.link(), { headers: { accept: "application/json" } });
    const { page } = (await other.json()) as { readonly page: string };
    expect(await status(web, { cookie: web.cookie, "x-continuo-page": page })).toBe(401);
  });

  it("holds although a page on another port added a cookie of the same name, which comes first", async () => {
    const { web } = await start();
    const tossed = `continuo-${web.server.port}=evil; ${web.cookie}`;
    expect(await status(web, { cookie: tossed, "x-continuo-page": web.key })).toBe(200);
  });

  it("is in the page that the link answers with, and in no file", async () => {
    const { web, place } = await start();
    const html = await (await fetch(web.server.link("/inbox"))).text();
    const key = /name="continuo-page" content="([\w-]{43})"/.exec(html)?.[1] ?? "";
    expect(key).not.toBe("");
    const kept = readFileSync(join(place.home.root, "web-pages.json"), "utf8");
    expect(kept).toContain(hash(key));
    expect(kept).not.toContain(key);
  });
});

describe("a page after the server was restarted", () => {
  it("comes back by a proof, without sending its key, and the server proves itself too", async () => {
    const { web, place } = await start();
    const { key } = web;
    const { port } = web.server;
    await web.close();
    const next = (await start(place, port)).web;
    expect(await status(next, { cookie: web.cookie, "x-continuo-page": key })).toBe(401);
    const answer = await askAgain(next, key);
    expect(answer.status).toBe(200);
    const { proof } = (await answer.json()) as { readonly proof: string };
    expect(proof).toBe(proofOf(hash(`again ${key}`), "answer", next.url, "nonce"));
    const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(await status(next, { cookie, "x-continuo-page": key })).toBe(200);
  });

  it("is refused with a wrong proof, an unknown key, and a proof that was made for another port", async () => {
    const { web, place } = await start();
    const { key } = web;
    await web.close();
    const next = (await start(place)).web;
    expect((await askAgain(next, key, { secret: "other" })).status).toBe(401);
    expect((await askAgain(next, "other")).status).toBe(401);
    expect((await askAgain(next, key, { origin: web.url })).status).toBe(401);
  });

  it("needs a new link after a day", async () => {
    let now = Date.now();
    const place = temporaryWorld();
    const web = await startTestWeb(webWorld(place, { now: () => now }), { areas: [thing] });
    now += 25 * 60 * 60_000;
    expect((await askAgain(web, web.key)).status).toBe(401);
  });
});
