import { chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../../src/moments/project/project.ts";
import { giveAway, unprivileged } from "../../../store/derived-index/unprivileged.ts";
import { discoverSessions, readerOf } from "../../../support/histories.ts";
import { temporaryFolder, write } from "../../../support/world.ts";
import { HISTORIES } from "./histories/all.ts";
import { claudeCodeHistory } from "./histories/claude-code.ts";
import { codexHistory } from "./histories/codex.ts";
import { copilotHistory } from "./histories/copilot.ts";
import { geminiHistory } from "./histories/gemini.ts";
import { databaseBelow, opencodeHistory } from "./histories/opencode.ts";
import { piHistory } from "./histories/pi.ts";

describe("where histories are looked for", () => {
  it("is every host's own place below the user's home", () => {
    const home = temporaryFolder();
    for (const history of HISTORIES) history.write(home);
    const found = discoverSessions({ HOME: home });
    expect(found.map(({ host, id }) => [host, id])).toEqual(
      HISTORIES.map(({ reader, session }) => [reader.host, session]),
    );
    for (const file of found) expect(readerOf(file.host).headerOf(file).cwd).toBe("/work/shop");
  });

  it.each([
    [claudeCodeHistory, (home: string) => ({ CLAUDE_CONFIG_DIR: join(home, ".claude") })],
    [opencodeHistory, (home: string) => ({ XDG_DATA_HOME: join(home, ".local/share") })],
    [opencodeHistory, (home: string) => ({ OPENCODE_DB: databaseBelow(home) })],
    [piHistory, (home: string) => ({ PI_CODING_AGENT_DIR: join(home, ".pi/agent") })],
    [
      piHistory,
      (home: string) => ({ PI_CODING_AGENT_SESSION_DIR: join(home, dirname(piHistory.file?.path ?? "")) }),
    ],
    [copilotHistory, (home: string) => ({ COPILOT_HOME: join(home, ".copilot") })],
    [codexHistory, (home: string) => ({ CODEX_HOME: join(home, ".codex") })],
    [geminiHistory, (home: string) => ({ GEMINI_CLI_HOME: home })],
  ])("is where the host's own variable says: $reader.host", (history, env) => {
    const home = temporaryFolder();
    history.write(home);
    const found = history.reader.discover({ HOME: temporaryFolder(), ...env(home) });
    expect(found.map(({ id }) => id)).toEqual([history.session]);
  });

  it("is, for pi, its own folder and the ones that its variable and its settings name, each file once", () => {
    const home = temporaryFolder();
    const line = `${JSON.stringify({ type: "session", version: 3, id: "x", cwd: "/p" })}\n`;
    const name = (id: string) => `2026-11-15T12-00-00-000Z_${id}.jsonl`;
    write(home, {
      [`.pi/agent/sessions/--p--/${name("usual")}`]: line,
      [`by variable/${name("variable")}`]: line,
      [`by-setting/${name("setting")}`]: line,
      ".pi/agent/settings.json": JSON.stringify({ sessionDir: "~/by-setting" }),
    });
    const found = (env: NodeJS.ProcessEnv) =>
      readerOf("pi")
        .discover({ HOME: home, ...env })
        .map(({ id }) => id);
    expect(found({})).toEqual(["usual", "setting"]);
    expect(found({ PI_CODING_AGENT_SESSION_DIR: "~/by variable" })).toEqual(["usual", "variable", "setting"]);
    expect(found({ PI_CODING_AGENT_SESSION_DIR: join(home, "by-setting") })).toEqual(["usual", "setting"]);
    write(home, { ".pi/agent/settings.json": "{ broken" });
    expect(found({})).toEqual(["usual"]);
  });

  it("can be narrowed to one project, whose worktrees and folders below it belong to it", () => {
    const home = temporaryFolder();
    const [mine, other] = [join(home, "mine"), join(home, "other")];
    for (const root of [mine, other])
      write(root, { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", "src/a": "" });
    const session = (cwd: string) =>
      `${JSON.stringify({ type: "user", uuid: "1", cwd, message: { content: "hi" } })}\n`;
    write(home, {
      ".claude/projects/-a/one.jsonl": session(join(mine, "src")),
      ".claude/projects/-b/two.jsonl": session(other),
      ".claude/projects/-c/three.jsonl": '{"type":"mode"}\n',
    });
    const found = discoverSessions({ HOME: home }, { project: findProject(mine) });
    expect(found).toMatchObject([{ id: "one", cwd: join(mine, "src") }]);
  });

  it("is told of when it may not be listed", () => {
    const home = temporaryFolder();
    const folder = join(home, ".claude/projects");
    mkdirSync(folder, { recursive: true });
    giveAway(home);
    chmodSync(folder, 0);
    const failures: string[] = [];
    const onFailure = (reason: string): void => void failures.push(reason);
    expect(unprivileged(() => discoverSessions({ HOME: home }, { onFailure }))).toEqual([]);
    chmodSync(folder, 0o700);
    expect(failures.join()).toContain("EACCES");
  });
});
