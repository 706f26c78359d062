import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { metaFile } from "../../../../src/moments/state/session-meta.ts";
import { changeStored } from "../../../../src/sources/sets/events.ts";
import type { WebEvent } from "../../../../src/web/api/events.ts";
import type { FileView } from "../../../../src/web/api/files.ts";
import { cards } from "../../../../src/web/server/cards/routes.ts";
import { files } from "../../../../src/web/server/files/routes.ts";
import { json, temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

const session = { host: "codex", id: "s1" };
const CHANGED: WebEvent = { type: "context", session, reason: "changed", setName: "files" };

async function place() {
  const here = temporaryWeb({ "spec.md": "one\n", "src/a.ts": "a\n" }, [cards, files]);
  const { root, home } = here;
  const file = metaFile(home, here.env["HOME"], session, { lockWaitMs: 1000 });
  const pin = (...items: string[]) =>
    changeStored(file, session, { setName: "files", items }, { at: 0, cwd: root });
  await pin("spec.md");
  const project = { id: root, root, label: "x" };
  write(home.state, {
    "codex/s1.json": JSON.stringify({ version: 1, session, project, workingSet: [], memos: {} }),
  });
  const look = () => here.app.request("/api/sessions/codex/s1/card");
  const events: WebEvent[] = [];
  const waiting: ((event: WebEvent) => void)[] = [];
  here.web.subscribe((event) => {
    events.push(event);
    waiting.shift()?.(event);
  });
  const next = () => new Promise<WebEvent>((resolve) => void waiting.push(resolve));
  return { ...here, pin, look, next, events, at: (name: string) => join(root, name) };
}

describe("the files of a card that a page looks at", () => {
  it("are followed: a change on disk publishes one event, and the next look follows again", async () => {
    const { look, next, at, events } = await place();
    await look();
    for (const text of ["one\ntwo\n", "one\ntwo\nthree\n"]) {
      const event = next();
      writeFileSync(at("spec.md"), text);
      expect(await event).toEqual(CHANGED);
      await look();
    }
    expect(events.length).toBe(2);
  });

  it("are followed on when another tab looks too, so that no change is lost in between", async () => {
    const { look, next, at } = await place();
    await look();
    const event = next();
    writeFileSync(at("spec.md"), "one\ntwo\n");
    await look();
    expect(await event).toEqual(CHANGED);
  });

  it("are followed when the page saves one", async () => {
    const { app, look, next, at } = await place();
    await look();
    const opened = (await (
      await app.request(`/api/files?path=${encodeURIComponent(at("spec.md"))}`)
    ).json()) as FileView;
    const event = next();
    const body = { path: at("spec.md"), text: "other\n", checksum: opened.checksum };
    expect((await app.request("/api/files", json("PUT", body))).status).toBe(200);
    expect(await event).toEqual(CHANGED);
  });

  it("are not followed once they are unpinned; other files of the folder say nothing", async () => {
    const { look, next, at, pin, events } = await place();
    await look();
    await pin("src/a.ts");
    await look();
    writeFileSync(at("spec.md"), "changed\n");
    writeFileSync(at("src/b.ts"), "new\n");
    const event = next();
    writeFileSync(at("src/a.ts"), "changed\n");
    expect(await event).toEqual(CHANGED);
    expect(events).toEqual([CHANGED]);
  });
});

describe("a file that a page shows", () => {
  const shown = (path: string): WebEvent => ({ type: "disk", path });

  it("is followed: changed, deleted and written again, each with one event", async () => {
    const { app, next, at } = await place();
    const path = at("src/a.ts");
    const read = () => app.request(`/api/files?path=${encodeURIComponent(path)}`);
    const texts: string[] = [];
    for (const change of [
      () => writeFileSync(path, "changed\n"),
      () => rmSync(path),
      () => writeFileSync(path, "again\n"),
    ]) {
      await read();
      const event = next();
      change();
      expect(await event).toEqual(shown(path));
      const answer = await read();
      texts.push(answer.ok ? ((await answer.json()) as FileView).text : String(answer.status));
    }
    expect(texts).toEqual(["changed\n", "404", "again\n"]);
  });

  it("is named as the page asked for it, also by a path in a session's project or a link", async () => {
    const { app, next, at } = await place();
    symlinkSync(at("src"), at("linked"));
    await app.request("/api/files?path=linked/a.ts&session=codex/s1");
    const event = next();
    writeFileSync(at("src/a.ts"), "changed\n");
    expect(await event).toEqual(shown("linked/a.ts"));
  });

  it("is not followed where the page may not read", async () => {
    const { app, next, at, root, events } = await place();
    const outside = join(root, "..", "outside.txt");
    await app.request(`/api/files?path=${encodeURIComponent(outside)}`);
    await app.request(`/api/files?path=${encodeURIComponent(at("spec.md"))}`);
    writeFileSync(outside, "new\n");
    const event = next();
    writeFileSync(at("spec.md"), "changed\n");
    expect(await event).toEqual(shown(at("spec.md")));
    expect(events.length).toBe(1);
  });
});
