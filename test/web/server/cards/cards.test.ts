import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { metaFile } from "../../../../src/moments/state/session-meta.ts";
import { changeStored } from "../../../../src/sources/sets/events.ts";
import { stampOf } from "../../../../src/sources/sets/files-in-use.ts";
import type { CardView } from "../../../../src/web/api/cards.ts";
import { cards } from "../../../../src/web/server/cards/routes.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const session = { host: "codex", id: "s1" };

function place(files: Record<string, string> = {}) {
  const here = temporaryWeb({ "spec.md": "# Spec\n", "src/a.ts": "one\n", ...files }, [cards]);
  const { root, home } = here;
  const file = metaFile(home, here.env["HOME"], session, { lockWaitMs: 1000 });
  const at = (name: string) => join(root, name);
  return {
    ...here,
    at,
    set: (setName: string, items: string[]) =>
      changeStored(file, session, { setName, items }, { at: 0, cwd: root }),
    state(workingSet: string[], stamped: string[] = []) {
      const uses = workingSet.map((path, turn) => ({ path, edited: turn === 0, at: turn, turn, heat: 1 }));
      const stamps = Object.fromEntries(stamped.map((path) => [path, stampOf(join(root, path))]));
      const state = {
        version: 1,
        session,
        project: { id: root, root, label: "x" },
        workingSet: uses,
        memos: { context: { stamps } },
      };
      write(home.state, { "codex/s1.json": JSON.stringify(state) });
    },
    card: (id = "s1", host = "codex") =>
      here.send<CardView>("GET", `/api/sessions/${host}/${encodeURIComponent(id)}/card`),
  };
}

/** A port on which something listens on one address of this machine. */
async function listening(host: string): Promise<number> {
  const server: Server = createServer((socket) => socket.end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the card of a session", () => {
  it("is empty for a session without sets, and unknown for one that nobody knows", async () => {
    const { card, state } = place();
    expect((await card()).status).toBe(404);
    state([]);
    expect((await card()).body).toMatchObject({
      session,
      files: [],
      used: [],
      endpoints: [],
      ports: [],
      others: [],
    });
    expect((await card("s1", "..")).status).toBe(404);
    expect((await card("../codex/s1")).status).toBe(404);
  });

  it("shows pinned files: unchanged, changed since the session was idle, gone, outside", async () => {
    const { card, set, state, at } = place({ "b.md": "b\n", "c.md": "c\n" });
    await set("files", ["spec.md", "src/a.ts", "c.md", "/etc/hostname"]);
    state([], ["spec.md", "src/a.ts", "c.md"]);
    expect((await card()).body.files.map(({ state: one }) => one)).toEqual(["same", "same", "same", "same"]);
    writeFileSync(at("src/a.ts"), "one\ntwo\nthree\n");
    rmSync(at("c.md"));
    expect((await card()).body.files).toEqual([
      { path: at("spec.md"), name: "spec.md", state: "same", canOpen: true },
      { path: at("src/a.ts"), name: "src/a.ts", state: "changed", change: "+2 lines", canOpen: true },
      { path: at("c.md"), name: "c.md", state: "gone", canOpen: true },
      { path: "/etc/hostname", name: "/etc/hostname", state: "same", canOpen: false },
    ]);
  });

  it("shows the files that tool calls used, without pinned ones", async () => {
    const { card, set, state, at } = place({ "b.md": "b\n" });
    await set("files", ["spec.md"]);
    state(["src/a.ts", "spec.md", "b.md"]);
    const { files, used } = (await card()).body;
    expect(files.map(({ name }) => name)).toEqual(["spec.md"]);
    expect(used.map(({ name, path, isEdited }) => [name, path, isEdited]).sort()).toEqual([
      ["b.md", at("b.md"), false],
      ["src/a.ts", at("src/a.ts"), true],
    ]);
  });

  it("shows which ports are open, on both addresses of this machine", async () => {
    const { card, set } = place();
    const [four, closed] = [await listening("127.0.0.1"), await closedPort()];
    const six = await listening("::1").catch(() => undefined);
    await set("ports", [String(four), String(closed), ...(six === undefined ? [] : [String(six)])]);
    expect((await card()).body.ports).toEqual([
      { port: four, isOpen: true },
      { port: closed, isOpen: false },
      ...(six === undefined ? [] : [{ port: six, isOpen: true }]),
    ]);
  });

  it("shows endpoints and asks none of them", async () => {
    const { card, set } = place();
    let asked = 0;
    const server = createServer((socket) => {
      asked++;
      socket.end();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/api`;
    await set("endpoints", [url, "ws://localhost:1/live"]);
    expect((await card()).body.endpoints).toEqual([
      { item: url, method: "HTTP", url },
      { item: "ws://localhost:1/live", method: "WS", url: "ws://localhost:1/live" },
    ]);
    expect(asked).toBe(0);
  });

  it("shows the applet with its title and parameters, and whether there is one", async () => {
    const { card, set } = place();
    await set("applet", ["git-diff", "path=/x=y", "against=HEAD"]);
    expect((await card()).body.applet).toEqual({
      slug: "git-diff",
      title: "Git diff",
      isThere: true,
      parameters: { path: "/x=y", against: "HEAD" },
    });
    await set("applet", ["burndown"]);
    expect((await card()).body.applet).toEqual({
      slug: "burndown",
      title: "burndown",
      isThere: false,
      parameters: {},
    });
  });

  it("shows sets with other names, and what other programs wrote as it is", async () => {
    const { card, set, home } = place();
    await set("tickets", ["T-1"]);
    expect((await card()).body.others).toEqual([{ name: "tickets", items: ["T-1"] }]);
    const context = {
      ports: ["0", "99999", "x", "-1", "3000.5"],
      endpoints: ["POST http://localhost/a", "javascript:alert(1)", "<b>"],
      files: ["relative.md", "/\0", "//server/share"],
      constructor: ["x"],
    };
    write(home.state, { "codex/s1.meta.json": JSON.stringify({ name: "", context }) });
    const { status, body } = await card();
    expect(status).toBe(200);
    expect(body.ports).toEqual([]);
    expect(body.endpoints).toEqual([
      { item: "POST http://localhost/a", method: "POST", url: "http://localhost/a" },
      { item: "javascript:alert(1)", method: "JAVASCRIPT", url: "javascript:alert(1)" },
      { item: "<b>", method: "URL", url: "<b>" },
    ]);
    expect(body.files.map(({ canOpen }) => canOpen)).toEqual([false, false, false]);
    expect(body.others).toEqual([{ name: "constructor", items: ["x"] }]);
  });
});
