import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { install } from "../../../../src/cli/commands/install/install.ts";
import type { Applied, ConnectList, ConnectPreview } from "../../../../src/web/api/connect.ts";
import { connect } from "../../../../src/web/server/connect/routes.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

function world(files: Record<string, string> = { ".claude/settings.json": '{ "model": "opus" }\n' }) {
  const made = temporaryWeb({}, [connect]);
  const { user, send } = made;
  // No host's program, so that nothing on this machine is asked for its version.
  made.env["PATH"] = join(user, "bin");
  mkdirSync(user);
  write(user, files);
  return {
    ...made,
    settings: join(user, ".claude/settings.json"),
    preview: (host = "claude-code", action = "connect") =>
      send<ConnectPreview>("POST", `/api/connect/${host}/preview`, { action }),
    apply: (plan: string, host = "claude-code", action = "connect") =>
      send<Applied>("POST", `/api/connect/${host}/apply`, { action, plan }),
    async row(host = "claude-code") {
      const { hosts } = await made.get<ConnectList>("/api/connect");
      return hosts.find((one) => one.host === host);
    },
  };
}

describe("GET /api/connect", () => {
  it("says which agents are here and which are connected, and runs and changes nothing", async () => {
    const w = world();
    const before = readFileSync(w.settings, "utf8");
    expect(await w.row()).toMatchObject({ label: "Claude Code", state: "off" });
    expect((await w.row())?.files).toContain("~/.claude/settings.json");
    expect(await w.row("opencode")).toMatchObject({ state: "absent" });
    write(w.user, { "bin/opencode": "#!/bin/sh\ntouch RAN\n" });
    chmodSync(join(w.user, "bin/opencode"), 0o755);
    expect(await w.row("opencode")).toMatchObject({ state: "off", program: join(w.user, "bin/opencode") });
    expect(existsSync(join(w.user, "bin/RAN"))).toBe(false);
    expect(readFileSync(w.settings, "utf8")).toBe(before);
  });

  it("explains settings that are not valid, and goes on with the other hosts", async () => {
    const w = world({ ".claude/settings.json": "{ broken", ".config/opencode/opencode.json": "{}" });
    expect(await w.row()).toMatchObject({ state: "problem" });
    expect((await w.row())?.detail).toContain(w.settings);
    expect(await w.row("opencode")).toMatchObject({ state: "off" });
    const { status, body } = await w.preview();
    expect(status).toBe(409);
    expect(body.error?.message).toContain(w.settings);
    expect(readFileSync(w.settings, "utf8")).toBe("{ broken");
  });
});

describe("connecting", () => {
  it("shows the edit, applies exactly it, and writes what continuo install writes", async () => {
    const w = world();
    const before = readFileSync(w.settings, "utf8");
    const { body: shown } = await w.preview();
    const edit = shown.files.find(({ file }) => file === w.settings);
    expect(edit).toMatchObject({ change: "edit" });
    expect(edit?.diff).toContain("+++");
    expect(edit?.diff).toContain("SessionStart");
    expect(shown.words.join(" ")).toContain(w.home.backups);
    expect(readFileSync(w.settings, "utf8")).toBe(before);
    const { status, body: applied } = await w.apply(shown.plan);
    expect(status).toBe(200);
    const backup = applied.files.find(({ file }) => file === w.settings)?.backup ?? "";
    expect(readFileSync(backup, "utf8")).toBe(before);
    expect(w.events).toContainEqual({ type: "connect" });
    const byPage = w.user;
    const other = world();
    await install.run({
      ...other.web,
      stdin: -1,
      values: {},
      positionals: ["claude-code"],
    });
    for (const file of [".claude/settings.json", ".claude.json"])
      expect(readFileSync(join(byPage, file), "utf8")).toBe(readFileSync(join(other.user, file), "utf8"));
    // Shown as connected: a problem only because the package of a test is not built at that place.
    expect((await w.row())?.state).not.toBe("off");
    const away = await w.preview("claude-code", "disconnect");
    expect((await w.apply(away.body.plan, "claude-code", "disconnect")).status).toBe(200);
    expect(readFileSync(w.settings, "utf8")).toBe(before);
    expect(existsSync(join(w.user, ".claude.json"))).toBe(false);
  });

  it("has nothing to show the second time", async () => {
    const w = world();
    await w.apply((await w.preview()).body.plan);
    const { body } = await w.preview();
    expect(body).toMatchObject({ files: [], words: [] });
    const after = readFileSync(w.settings, "utf8");
    expect((await w.apply(body.plan)).status).toBe(200);
    expect(readFileSync(w.settings, "utf8")).toBe(after);
  });

  it("refuses with 409 when the file has become a link since it was shown, and writes nothing where it leads", async () => {
    const w = world();
    const { body } = await w.preview();
    const text = readFileSync(w.settings, "utf8");
    write(w.user, { "elsewhere.json": text });
    rmSync(w.settings);
    symlinkSync(join(w.user, "elsewhere.json"), w.settings);
    const late = await w.apply(body.plan);
    expect(late).toMatchObject({ status: 409, body: { error: { code: "settings-changed" } } });
    expect(readFileSync(join(w.user, "elsewhere.json"), "utf8")).toBe(text);
    expect((await w.apply((await w.preview()).body.plan)).status).toBe(200);
  });

  it("refuses with 409 when the file changed since it was shown, and keeps what was written", async () => {
    const w = world();
    const { body } = await w.preview();
    writeFileSync(w.settings, '{ "model": "sonnet" }\n');
    const late = await w.apply(body.plan);
    expect(late).toMatchObject({ status: 409, body: { error: { code: "settings-changed" } } });
    expect(readFileSync(w.settings, "utf8")).toBe('{ "model": "sonnet" }\n');
    rmSync(w.settings);
    expect((await w.apply(body.plan)).status).toBe(409);
    expect(existsSync(w.settings)).toBe(false);
  });

  it("refuses a read-only file before anything is written", async () => {
    const w = world();
    chmodSync(w.settings, 0o444);
    const { status, body } = await w.preview();
    expect(status).toBe(409);
    expect(body.error?.code).toBe("settings-read-only");
    expect(existsSync(join(w.home.backups, "claude-code"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "edits the file behind a link, says so, and keeps the link",
    async () => {
      const w = world({ "dotfiles/claude.json": "{}\n" });
      mkdirSync(join(w.user, ".claude"));
      symlinkSync(join(w.user, "dotfiles/claude.json"), w.settings);
      const { body } = await w.preview();
      expect(body.files.find(({ file }) => file === w.settings)).toMatchObject({
        target: join(w.user, "dotfiles/claude.json"),
      });
      await w.apply(body.plan);
      expect(readFileSync(join(w.user, "dotfiles/claude.json"), "utf8")).toContain("SessionStart");
    },
  );

  it("never shows a value that stays, since it may be a password", async () => {
    const w = world({
      ".claude/settings.json": "{}",
      ".claude.json": '{\n  "mcpServers": { "db": { "env": { "PASSWORD": "hunter2-hunter2" } } }\n}\n',
    });
    const { body } = await w.preview();
    expect(JSON.stringify(body)).not.toContain("hunter2");
  });

  it("refuses unknown hosts, actions and fields", async () => {
    const w = world();
    expect((await w.preview("../../etc")).status).toBe(404);
    expect((await w.preview("claude-code", "format")).status).toBe(400);
    expect(
      (await w.send("POST", "/api/connect/claude-code/apply", { action: "connect", plan: "x", force: true }))
        .status,
    ).toBe(400);
  });
});

describe("importing", () => {
  it("indexes past sessions on request and publishes how far it is", async () => {
    const w = world({
      ".claude/projects/-w-shop/0f8fad5b-d9cb-469f-a165-70867728950e.jsonl": `${JSON.stringify({
        type: "user",
        uuid: "u1",
        sessionId: "0f8fad5b-d9cb-469f-a165-70867728950e",
        timestamp: "2026-02-01T10:00:00.000Z",
        cwd: "/w/shop",
        message: { role: "user", content: "Please add a discount code to the cart" },
      })}\n`,
    });
    const done = new Promise<void>((resolve) => {
      w.web.subscribe((event) => event.type === "import" && event.isComplete && resolve());
    });
    expect((await w.send("POST", "/api/connect/import", {})).status).toBe(200);
    await done;
    const { sessions } = await w.get<ConnectList>("/api/connect");
    expect(sessions).toMatchObject({ indexed: 1, isRunning: false });
  });

  it("says when it looked, also if there was nothing to index", async () => {
    const w = world();
    const done = new Promise<void>((resolve) => {
      w.web.subscribe((event) => event.type === "import" && event.isComplete && resolve());
    });
    await w.send("POST", "/api/connect/import", {});
    await done;
    const { sessions } = await w.get<ConnectList>("/api/connect");
    expect(sessions).toMatchObject({ indexed: 0, isRunning: false });
    expect(sessions.indexedAt).toBeGreaterThan(0);
  });
});
