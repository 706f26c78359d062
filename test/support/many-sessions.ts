import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openSessionsIndex, sessionsIndexPath } from "../../src/sources/sessions/indexing/schema.ts";
import { openSessions } from "../../src/sources/sessions/library.ts";
import { fileNameFor, type Home } from "../../src/store/home.ts";
import { history } from "./histories.ts";

interface Place {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

const ASKED = [
  "Round prices in the cart half to even",
  "Why does the login redirect twice on Safari?",
  "Move the build to pnpm and keep the lockfile small",
  "Profile the search: the first query takes 900 ms",
  "Write a migration that adds tax rates per country",
  "Review the changes in this branch",
  "The retry queue loses jobs when Redis restarts",
  "Document how feature flags are rolled out",
];
const ANSWERED = [
  "The totals are now rounded once, at the end, and the refund test passes.",
  "The session cookie was set without SameSite, so Safari dropped it. I added it and a test.",
  "Three packages relied on hoisting; they now list what they import.",
  "Most of it was loading the table. It is read once at the start now, and a query takes 14 ms.",
];
const PROJECTS = ["shop", "checkout-api", "docs", "mobile", "infra"];
const BRANCHES = ["main", "main", "cart-rounding", "fix/login-redirect"];

export interface WrittenSession {
  readonly id: string;
  readonly at: number;
  readonly asked?: string;
  readonly project?: string;
  readonly more?: object;
}

/** A transcript of Claude Code with two requests. */
export function writeSession(
  { env }: Place,
  { id, at, asked, project = "shop", more = {} }: WrittenSession,
): void {
  const number = Math.abs(at) % 97;
  const cwd = `/work/${project}`;
  const line = (role: "user" | "assistant", text: string, step: number): string =>
    JSON.stringify({
      type: role,
      uuid: `${fileNameFor(id)}-${step}`,
      sessionId: id,
      cwd,
      gitBranch: BRANCHES[number % BRANCHES.length],
      timestamp: new Date(at - (4 - step) * 30_000).toISOString(),
      message: {
        role,
        ...(role === "assistant" && { id: `m-${id}-${step}`, model: "m" }),
        content: [{ type: "text", text }],
      },
      ...more,
    });
  const path = join(
    env["HOME"] ?? "",
    ".claude/projects",
    cwd.replaceAll("/", "-"),
    `${fileNameFor(id)}.jsonl`,
  );
  mkdirSync(dirname(path), { recursive: true });
  const lines = [
    line("user", asked ?? ASKED[number % ASKED.length] ?? "", 0),
    line("assistant", ANSWERED[number % ANSWERED.length] ?? "", 1),
    line("user", "Good. Now add a test for it and run all of them.", 2),
    line("assistant", "Added; all tests pass.", 3),
  ];
  writeFileSync(path, `${lines.join("\n")}\n`);
}

/** Indexes what was written. */
export async function indexSessions({ home, env }: Place): Promise<void> {
  const sessions = openSessions({ home, env, history });
  await sessions.sync();
  sessions.close();
}

/** Rows of the index without transcripts: reading ten thousand would take longer than the test. */
export function fillIndex({ home }: Pick<Place, "home">, count: number, newest: number): void {
  const db = openSessionsIndex({ path: sessionsIndexPath(home) });
  db.tx(() => {
    for (let at = 0; at < count; at++) {
      const modified = newest - at * 17 * 60_000;
      const project = PROJECTS[at % PROJECTS.length] ?? "";
      db.run(
        `INSERT INTO session (host, sid, project, label, cwd, branch, name, named_by, started, modified, fork_of,
           is_fork_told, is_child, turns, prompts, passages, is_gone)
         VALUES ($host, $sid, $cwd, $project, $cwd, $branch, $name, 'us', $started, $modified, $fork, 0, 0, $turns, 3, 1, 0)`,
        {
          host: ["claude-code", "codex", "pi", "opencode"][at % 4] ?? "",
          sid: `many-${at}`,
          cwd: `/work/${project}`,
          project,
          branch: BRANCHES[at % BRANCHES.length] ?? "",
          name: `${ASKED[at % ASKED.length]} (${at})`,
          started: modified - 3_600_000,
          modified,
          // Of the same host: every 200th is a fork of the one four rows later.
          fork: at % 200 === 100 ? `many-${at + 4}` : null,
          turns: 4 + (at % 60),
        },
      );
    }
  });
  db.close();
}

/** What hooks store of a session: it went idle, and perhaps a prompt came later. */
export function writeState(
  { home }: Pick<Place, "home">,
  { id, idleAt, promptAt }: { readonly id: string; readonly idleAt: number; readonly promptAt?: number },
): void {
  const path = join(home.state, "claude-code", `${fileNameFor(id)}.json`);
  mkdirSync(dirname(path), { recursive: true });
  const at = new Date(idleAt).toISOString();
  writeFileSync(
    path,
    JSON.stringify({
      version: 1,
      session: { host: "claude-code", id },
      project: { id: "/work/shop", root: "/work/shop", label: "shop" },
      startedAt: new Date(idleAt - 600_000).toISOString(),
      seenAt: at,
      idleAt: at,
      ...(promptAt === undefined ? {} : { work: workAt(promptAt) }),
      epoch: 1,
      snapshot: null,
      delivered: {},
      workingSet: [],
      memos: {},
    }),
  );
}

/** The agent works since then. */
export const workAt = (at: number) => ({ since: new Date(at).toISOString(), at: new Date(at).toISOString() });
