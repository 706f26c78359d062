import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { loadHistory } from "../../../src/hosts/index.ts";
import { metaFile } from "../../../src/moments/state/session-meta.ts";
import { openSessions } from "../../../src/sources/sessions/library.ts";
import { stampAll } from "../../../src/sources/sets/files-in-use.ts";
import { homeAt } from "../../../src/store/home.ts";
import { openWeb } from "../../support/browser.ts";
import { ROOT } from "../../support/child.ts";
import { writeClaudeCode } from "../../support/demo/transcripts.ts";
import { webWorld } from "../../support/web.ts";
import { temporaryFolder, write } from "../../support/world.ts";

const LINES = "export function taxOfLines(lines: Line[]) {\n  return lines.map((line) => line.tax);\n}\n";
export const FILES = {
  "README.md": "# Shop\n",
  "docs/refunds.md": "# Refunds\n\nA refund is divided among the payments of its order.\n",
  "src/refunds/split.ts": "export function splitRefund(amount: number) {\n  return divide(amount);\n}\n",
  "src/tax/lines.ts": LINES,
};

/**
 * A project with an uncommitted change and two sessions, one of them with sets and files in use, and a server. Smaller
 * than the demonstration: most of these tests need a server of their own.
 */
export async function appletsWorld(applets: Record<string, string> = {}) {
  const folder = realpathSync(temporaryFolder("applets"));
  const user = join(folder, "home");
  const root = join(user, "shop");
  mkdirSync(root, { recursive: true });
  const home = homeAt(join(user, ".continuo"));
  const env = {
    HOME: user,
    CONTINUO_HOME: home.root,
    PATH: process.env["PATH"] ?? "",
    TMPDIR: folder,
    LANG: "C.UTF-8",
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: root,
      env,
    });
  write(root, FILES);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-qm", "first");
  write(root, { "src/tax/lines.ts": `/** The total's tax is rounded once. */\n${LINES}` });
  write(join(home.root, "applets"), applets);
  const session = { host: "claude-code", id: "5d0c2f7e-9a41-4b0e-8c7a-2f6f1f0e4b11" };
  const other = {
    host: "claude-code",
    id: "77aa0000-9a41-4b0e-8c7a-2f6f1f0e4b22",
    name: "Rename the invoice column",
  };
  await writeSessions(user, root, session.id, other);
  const sessions = openSessions({ home, env, history: await loadHistory() });
  await sessions.sync();
  sessions.close();
  const meta = metaFile(home, user, session, { lockWaitMs: 10_000 });
  const at = (name: string) => join(root, name);
  const pinned = ["src/refunds/split.ts", "docs/refunds.md", "src/tax/lines.ts"].map(at);
  await meta.update(() => ({
    context: {
      files: pinned,
      ports: ["5173"],
      endpoints: ["POST http://localhost:5173/api/refunds"],
      applet: ["git-diff", `path=${root}`],
    },
  }));
  const uses = ["README.md", "src/tax/lines.ts"].map((path, turn) => ({
    path,
    edited: true,
    at: turn,
    turn,
    heat: 1,
  }));
  const state = {
    ...{ version: 1, session, project: { id: join(root, ".git"), root, label: "shop" }, cwd: root, epoch: 1 },
    ...{
      startedAt: new Date().toISOString(),
      seenAt: new Date().toISOString(),
      snapshot: null,
      delivered: {},
    },
    ...{ workingSet: uses, memos: { context: { stamps: stampAll(pinned) } } },
  };
  const writeState = (changed: object = {}) =>
    write(home.state, { [`claude-code/${session.id}.json`]: JSON.stringify({ ...state, ...changed }) });
  writeState();
  const web = await openWeb(webWorld({ env, root }));
  return {
    env,
    root,
    session,
    other,
    home,
    web,
    at,
    writeState,
    /** The session's page. */
    page: `/sessions/${session.host}/${session.id}`,
    /** The address of an applet beside the session. */
    address: (slug: string, parameters: Record<string, string> = {}) =>
      `/?${new URLSearchParams({ session: `${session.host}/${session.id}`, applet: slug, ...parameters })}`,
    /** The session's sets as they are stored. */
    sets: (of: { host: string; id: string } = session) =>
      metaFile(home, user, of, { lockWaitMs: 1000 }).read()?.context ?? {},
    /** Another process of the same user changes a set, as an agent's tool does. */
    change: (...args: string[]) =>
      execFileSync(
        process.execPath,
        [join(ROOT, "dist/continuo.cjs"), "sets", ...args, "--session", session.id],
        {
          cwd: root,
          env,
        },
      ),
  };
}

async function writeSessions(
  user: string,
  root: string,
  id: string,
  other: { id: string; name: string },
): Promise<void> {
  const common = { cwd: root, branch: "main", began: Date.now() - 3_600_000 };
  writeClaudeCode(user, {
    ...{ ...common, id },
    said: [
      { by: "person", text: "Refunds of split payments are off by a cent sometimes" },
      {
        by: "agent",
        text: "The parts of a refund are rounded one by one. I'll divide the rounded total instead.",
      },
    ],
  });
  writeClaudeCode(user, {
    ...{ ...common, id: other.id },
    said: [
      { by: "person", text: other.name },
      { by: "agent", text: "Renamed." },
    ],
  });
}
