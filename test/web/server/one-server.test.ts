import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../../src/store/running.ts";
import { CONTINUO, runScript } from "../../support/child.ts";
import { mountedDisk, readOnlyDisk } from "../../support/disk.ts";
import { messages } from "../../support/web-events.ts";
import { startWebProcess } from "../../support/web-process.ts";
import { temporaryWorld, write } from "../../support/world.ts";

function place() {
  const { env, root, home } = temporaryWorld();
  const mark = join(home.root, "web.json");
  const run = (...args: readonly string[]) => runScript(CONTINUO, ["web", ...args], { env, cwd: root });
  return { options: { env, cwd: root }, home, mark, run };
}

async function signIn(url: string): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { accept: "application/json" } });
  expect(answer.status).toBe(200);
  const { page } = (await answer.json()) as { readonly page: string };
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", "x-continuo-page": page };
}

/** Something else that listens on a port, and what it was asked. */
async function foreignServer(answer: (asked: IncomingMessage, body: string) => string) {
  const bodies: string[] = [];
  const server = createServer(async (asked, outgoing) => {
    let body = "";
    for await (const piece of asked) body += String(piece);
    bodies.push(body);
    outgoing.end(answer(asked, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, bodies };
}

describe("a server", () => {
  it("listens on this machine only and leaves a file that only its user can read", async () => {
    const { options, mark } = place();
    const { port, pid, url } = await startWebProcess(options);
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/enter/[\\w-]{43}$`));
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(mark, "utf8"))).toMatchObject({ pid, port });
    const bound = readFileSync("/proc/net/tcp", "utf8");
    const hex = port.toString(16).toUpperCase().padStart(4, "0");
    const listening = bound.split("\n").filter((line) => line.includes(`:${hex} `) && line.includes(" 0A "));
    expect(listening.map((line) => line.trim().split(/\s+/)[1])).toEqual([`0100007F:${hex}`]);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends by %s with open streams and leaves nothing",
    async (signal) => {
      const { options, home, mark } = place();
      const { url, port, pid, end } = await startWebProcess(options);
      const headers = await signIn(url);
      const stream = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
      const read = messages(stream.body);
      await read.next();
      expect(await end(signal)).toBe(0);
      expect(existsSync(mark)).toBe(false);
      expect(isRunning(pid)).toBe(false);
      expect(readdirSync(join(home.locks, "web"))).toEqual(["free"]);
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    },
  );
});

describe("a second `continuo web`", () => {
  it("finds the first, prints a new link to it and ends", async () => {
    const { options, run } = place();
    const first = await startWebProcess(options);
    const second = await run("--no-open");
    expect(second).toMatchObject({ code: 0 });
    expect(second.stderr).toContain(`process ${first.pid}`);
    const link = second.stdout.trim();
    expect(link).toContain(`:${first.port}/enter/`);
    expect(link).not.toBe(first.url);
    await signIn(link);
    await signIn(first.url);
    const json = await run("--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, data: { port: first.port, pid: first.pid } });
  });

  it("at the same time finds it too: one server runs", async () => {
    const { options, run } = place();
    const started = await Promise.all([1, 2, 3].map(() => startWebProcess(options)));
    expect(new Set(started.map(({ pid }) => pid)).size).toBe(1);
    expect((await run("--no-open")).code).toBe(0);
  });

  it("replaces a first that was killed", async () => {
    const { options, mark } = place();
    const first = await startWebProcess(options);
    await first.end("SIGKILL");
    expect(existsSync(mark)).toBe(true);
    const second = await startWebProcess(options);
    expect(second.pid).not.toBe(first.pid);
    await signIn(second.url);
    expect(JSON.parse(readFileSync(mark, "utf8"))).toMatchObject({ pid: second.pid });
  });

  it("does not take the place of a first that is only stopped for a while: it says so, and finds it again later", async () => {
    const { options, mark, run } = place();
    const first = await startWebProcess(options);
    process.kill(first.pid, "SIGSTOP");
    const second = await run("--no-open");
    process.kill(first.pid, "SIGCONT");
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toContain(`process ${first.pid}, port ${first.port}) runs but does not answer`);
    expect(JSON.parse(readFileSync(mark, "utf8"))).toMatchObject({ pid: first.pid });
    expect((await run("--no-open")).stdout).toContain(`:${first.port}/enter/`);
  }, 60_000);

  it("trusts no other program on the port of the first, and tells it no secret", async () => {
    const { options, mark } = place();
    const secret = "s".repeat(43);
    const foreign = await foreignServer(() => JSON.stringify({ link: "http://evil.example/", proof: "x" }));
    write(options.env["CONTINUO_HOME"] ?? "", {
      "web.json": JSON.stringify({ pid: process.pid, port: foreign.port, secret }),
    });
    const started = await startWebProcess(options);
    expect(started.port).not.toBe(foreign.port);
    expect(foreign.bodies).toHaveLength(1);
    expect(foreign.bodies[0]).not.toContain(secret);
    expect(JSON.parse(readFileSync(mark, "utf8"))).toMatchObject({ pid: started.pid });
  });

  it("does not wait for a program that answers without end", async () => {
    const { options } = place();
    const foreign = await foreignServer(() => "x".repeat(1_000_000));
    const mark = { pid: process.pid, port: foreign.port, secret: "s".repeat(43) };
    write(options.env["CONTINUO_HOME"] ?? "", { "web.json": JSON.stringify(mark) });
    expect((await startWebProcess(options)).port).not.toBe(foreign.port);
  });

  it.each(["", "{", "[]", '{"pid":1}', '{"pid":-1,"port":99999,"secret":"x"}'])(
    "replaces a damaged file: %s",
    async (text) => {
      const { options, mark } = place();
      write(options.env["CONTINUO_HOME"] ?? "", { "web.json": text });
      const { pid } = await startWebProcess(options);
      expect(JSON.parse(readFileSync(mark, "utf8"))).toMatchObject({ pid });
    },
  );
});

describe("only who knows the secret", () => {
  it("gets a link from a server that runs", async () => {
    const { options } = place();
    const { port, url } = await startWebProcess(options);
    const origin = `http://127.0.0.1:${port}`;
    const asked = (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${origin}/control/link`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    expect((await asked({ nonce: "n", proof: "p" })).status).toBe(403);
    expect((await asked({ nonce: "n", proof: "p".repeat(43) }, await signIn(url))).status).toBe(403);
    expect((await asked({ nonce: "n" })).status).toBe(400);
  });
});

describe("a port", () => {
  it("that is used by another program is named", async () => {
    const { run } = place();
    const { port } = await foreignServer(() => "");
    const answer = await run("--port", String(port), "--no-open");
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toContain(`port ${port} is used by another program`);
    expect(answer.stderr).toContain("leave out --port");
  });

  it.each(["0", "65536", "x", "-1"])("that is none is refused: %s", async (port) => {
    const { run } = place();
    expect((await run(`--port=${port}`)).code).toBe(2);
  });
});

describe("a home that cannot be written", () => {
  async function serves(home: string): Promise<void> {
    const { options } = place();
    const env = { ...options.env, CONTINUO_HOME: home };
    const { url, port, end } = await startWebProcess({ ...options, env });
    const headers = await signIn(url);
    const stream = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
    expect(stream.status).toBe(200);
    expect(await end("SIGTERM")).toBe(0);
  }

  it("because its disk is read-only still gets its page", async ({ skip }) => {
    const disk = readOnlyDisk();
    if (disk === undefined) return skip("nothing can be mounted here");
    await serves(disk);
  });

  it("because its disk is full still gets its page", async ({ skip }) => {
    const disk = mountedDisk("size=64k");
    if (disk === undefined) return skip("nothing can be mounted here");
    expect(() => writeFileSync(join(disk, "large"), Buffer.alloc(1_000_000))).toThrow("ENOSPC");
    await serves(disk);
  });

  it("because a file is in its place still gets its page", async () => {
    const { home } = place();
    writeFileSync(home.root, "a file");
    await serves(home.root);
  });
});
