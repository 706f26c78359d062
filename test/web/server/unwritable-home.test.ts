import { chmodSync, openSync, readdirSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Failure } from "../../../src/web/api/failure.ts";
import type { SessionList } from "../../../src/web/api/sessions.ts";
import { AREAS } from "../../../src/web/server/areas.ts";
import { createWeb } from "../../../src/web/server/create-web.ts";
import { failureHandler } from "../../../src/web/server/failures.ts";
import { createApi } from "../../../src/web/server/server.ts";
import { temporaryWeb, webWorld } from "../../support/web.ts";
import { write } from "../../support/world.ts";
import { answered, asked, SESSION } from "./sessions/page-world.ts";

const NOBODY = 65_534;

/** A home that this process may read and not write. Root may write everything, so it becomes nobody for a while. */
function readOnlyHome(home: string): void {
  const all = [
    home,
    ...readdirSync(home, { recursive: true, encoding: "utf8" }).map((one) => join(home, one)),
  ];
  for (const path of all.reverse()) chmodSync(path, 0o555);
  onTestFinished(() => chmodSync(home, 0o755));
  if (process.getuid?.() !== 0) return;
  for (let at = dirname(home); at !== dirname(at) && at !== "/tmp"; at = dirname(at)) chmodSync(at, 0o755);
  const was = process.getegid?.() ?? 0;
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  onTestFinished(() => {
    process.seteuid?.(0);
    process.setegid?.(was);
  });
}

describe("a home that cannot be written", () => {
  it.skipIf(process.platform === "win32")("is read: what is known is listed, and nothing fails", async () => {
    // Another test of this worker may have set one that lets nobody else read.
    const mask = process.umask(0o022);
    onTestFinished(() => void process.umask(mask));
    const first = temporaryWeb();
    const user = first.env["HOME"] ?? "";
    write(user, {
      [`.claude/projects/-work-shop/${SESSION}.jsonl`]:
        asked("Port the parser to streams.", "a") + answered("It reads streams now.", "b"),
    });
    await (await first.web.sessions()).sync();
    await first.web.close();
    readOnlyHome(first.web.home.root);
    const web = createWeb(webWorld(first));
    onTestFinished(() => web.close());
    const app = createApi(web, AREAS);
    const list = await app.request("/api/sessions");
    expect(list.status, await list.clone().text()).toBe(200);
    expect(((await list.json()) as SessionList).rows).toMatchObject([{ id: SESSION }]);
    const one = `/api/sessions/claude-code/${SESSION}`;
    for (const path of [
      "/api/overview",
      "/api/rules",
      `${one}/record`,
      `${one}/continue`,
      `${one}/conversation`,
    ]) {
      const response = await app.request(path);
      expect(response.status, `${path}: ${await response.text()}`).toBe(200);
    }
  });

  it("that is new and cannot be created is as an empty one", async () => {
    const place = temporaryWeb();
    await place.web.close();
    const home = join(place.root, "a-file/home");
    write(place.root, { "a-file": "" });
    const web = createWeb(webWorld({ ...place, env: { ...place.env, CONTINUO_HOME: home } }));
    onTestFinished(() => web.close());
    expect((await web.sessions()).list()).toEqual([]);
  });
});

describe("a full disk", () => {
  it.skipIf(process.platform !== "linux")("is named, and is no failure of the server", async () => {
    const reported: string[] = [];
    const app = new Hono();
    app.post("/", () => {
      writeSync(openSync("/dev/full", "w"), "x");
      throw new Error("the device took it");
    });
    app.onError(failureHandler({ report: (code) => void reported.push(code) }));
    const response = await app.request("/", { method: "POST" });
    expect(response.status).toBe(507);
    const { error } = (await response.json()) as Failure;
    expect(error).toMatchObject({ code: "disk-full", message: expect.stringContaining("no space is left") });
    expect(reported).toEqual([]);
  });
});
