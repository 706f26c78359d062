import { connect } from "node:net";
import * as v from "valibot";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../../src/web/server/limits.ts";
import { createRateLimit } from "../../../src/web/server/rate-limit.ts";
import { readBody } from "../../../src/web/server/requests.ts";
import type { Area } from "../../../src/web/server/web.ts";
import { ask, converse } from "../../support/raw-http.ts";
import { startTestWeb, webWorld } from "../../support/web.ts";
import { temporaryWorld } from "../../support/world.ts";

const Body = v.strictObject({ text: v.string() });
const area: Area = {
  name: "test",
  routes(app) {
    app.get("/api/thing", (context) => context.json({ thing: 1 }));
    app.post("/api/thing", async (context) =>
      context.json({ length: (await readBody(context, Body)).text.length }),
    );
  },
};

async function start(limits = LIMITS, now?: () => number) {
  const world = webWorld(temporaryWorld(), now === undefined ? {} : { now });
  const served = await startTestWeb(world, { areas: [area], limits });
  const { port, origin } = served.server;
  const headers = { host: `127.0.0.1:${port}`, cookie: served.cookie, "x-continuo-page": served.key, origin };
  const head = (line: string, more = "") =>
    `${line} HTTP/1.1\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}${more}`;
  return { ...served, port, headers, head };
}

describe("a body", () => {
  it("of more than 2 MB is refused, with and without a length, and the server goes on", async () => {
    const { port, headers, head, ...served } = await start();
    const json = { ...headers, "content-type": "application/json" };
    const fits = JSON.stringify({ text: "x".repeat(2 * 1024 * 1024 - 20) });
    expect((await ask(port, "/api/thing", { method: "POST", headers: json, body: fits })).status).toBe(200);
    const type = "content-type: application/json\r\n";
    const long = await converse(
      port,
      head("POST /api/thing", `${type}content-length: 999999999999\r\n\r\n{`),
    );
    expect(long).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    const chunked = await converse(
      port,
      head("POST /api/thing", `${type}transfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`),
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(chunked).toContain("body-too-large");
    expect((await served.fetch("/api/thing")).status).toBe(200);
  });

  it("that comes too slowly is refused", async () => {
    const { port, head } = await start({ ...LIMITS, headersMs: 100, requestMs: 150, checkEveryMs: 20 });
    const begin = head("POST /api/thing", "content-type: application/json\r\ncontent-length: 100\r\n\r\n");
    expect(await converse(port, `${begin}{`)).toMatch(/^HTTP\/1\.1 408 .*request-late/s);
  });
});

describe("headers", () => {
  it("of more than 16 KB are refused", async () => {
    const { port, head } = await start();
    const answer = await converse(port, head("GET /api/thing", `x-long: ${"x".repeat(17_000)}\r\n\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 .*headers-too-large/s);
  });

  it("in great number are refused", async () => {
    const { port, head } = await start();
    const many = Array.from({ length: 120 }, (_, at) => `x-${at}: 1\r\n`).join("");
    const answer = await converse(port, head("GET /api/thing", `${many}connection: close\r\n\r\n`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 .*headers-too-large/s);
  });

  it("that never end are refused", async () => {
    const { port, head } = await start({ ...LIMITS, headersMs: 100, requestMs: 150, checkEveryMs: 20 });
    expect(await converse(port, head("GET /api/thing"))).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("that are not HTTP are refused", async () => {
    const { port } = await start();
    expect(await converse(port, "hello\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 .*invalid-request/s);
  });
});

describe("an address", () => {
  it("of more than 8,192 characters is refused", async () => {
    const { port, headers } = await start();
    const answer = await ask(port, `/api/thing?q=${"x".repeat(8200)}`, { headers });
    expect(answer).toMatchObject({ status: 414, body: expect.stringContaining("address-too-long") });
  });
});

describe("requests", () => {
  it("of one page are bounded, and go on after a while", async () => {
    let now = 1_000_000;
    const { port, headers } = await start(LIMITS, () => now);
    const answers = [];
    for (let count = 0; count < 401; count++) answers.push(await ask(port, "/api/thing", { headers }));
    expect(answers.slice(0, 400).every(({ status }) => status === 200)).toBe(true);
    expect(answers[400]).toMatchObject({
      status: 429,
      headers: { "retry-after": "1" },
      body: expect.stringContaining("too-many-requests"),
    });
    now += 1000;
    expect((await ask(port, "/api/thing", { headers })).status).toBe(200);
  });

  it("of one page do not count for another, and owners that are gone are forgotten", () => {
    const rate = createRateLimit(() => 0, 1, 1);
    expect([rate.take("a"), rate.take("a"), rate.take("b")]).toEqual([0, 1, 0]);
    for (let owner = 0; owner < 64; owner++) rate.take(`other ${owner}`);
    expect(rate.take("a")).toBe(0);
  });

  it("are not lost when the clock is set back", () => {
    let now = 10_000;
    const rate = createRateLimit(() => now, 2, 1);
    expect(rate.take("a")).toBe(0);
    now = 0;
    expect([rate.take("a"), rate.take("a")]).toEqual([0, 1]);
  });
});

describe("connections", () => {
  it("beyond the limit are closed, and the others still answered", async () => {
    const { port, ...served } = await start({ ...LIMITS, mostConnections: 4 });
    const open = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
    });
    const ends = open.map(
      (socket) => new Promise((resolve) => socket.on("error", resolve).once("close", resolve)),
    );
    let closed = 0;
    await new Promise<void>((resolve) => {
      for (const end of ends)
        void end.then(() => {
          closed += 1;
          if (closed >= 15) resolve();
        });
    });
    for (const socket of open) socket.destroy();
    await Promise.all(ends);
    expect((await served.fetch("/api/thing")).status).toBe(200);
  });

  it("on which nobody has access take no place: new ones are answered, and those with access go on", async () => {
    const { port, ...served } = await start({ ...LIMITS, mostConnections: 60, mostStrangers: 20 });
    const stream = await served.fetch("/api/events");
    const read = stream.body?.getReader();
    const begun = Array.from({ length: 100 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write("GET / HTTP/1.1\r\n");
      return socket;
    });
    onTestFinished(() => {
      for (const socket of begun) socket.destroy();
    });
    const ended = begun.slice(0, 80).map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    await Promise.all(ended);
    const { headers } = served;
    expect((await ask(port, "/api/thing", { headers })).status).toBe(200);
    served.web.publish({ type: "rules" });
    let heard = "";
    while (!heard.includes('"rules"')) heard += new TextDecoder().decode((await read?.read())?.value);
    await read?.cancel();
  });
});
