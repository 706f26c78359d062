import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Sessions } from "../../src/sources/sessions/library.ts";
import { type Figures, figuresOf, judge } from "../retrieval/metrics.ts";

interface RecordedSession {
  readonly session_id: string;
  readonly created_at: string;
  readonly files_touched?: readonly string[];
  readonly git_branches?: readonly string[];
  readonly messages: readonly (readonly [role: string, at: string, text: string])[];
}

export interface CommitQuestion {
  readonly query: string;
  readonly gold: ReadonlySet<string>;
  readonly isTuned: boolean;
}

/** The sessions as transcripts of Claude Code, with what is known about them: texts, branch and edited files, but no commands. */
export function writeSessions(data: string, home: string): number {
  const folder = join(home, ".claude/projects/-coding");
  mkdirSync(folder, { recursive: true });
  const lines = gunzipSync(readFileSync(join(data, "coding-sessions/sessions-dev.jsonl.gz")))
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  for (const line of lines) {
    const recorded = JSON.parse(line) as RecordedSession;
    writeFileSync(join(folder, `${recorded.session_id}.jsonl`), transcriptOf(recorded));
  }
  return lines.length;
}

function transcriptOf({
  session_id,
  created_at,
  files_touched = [],
  git_branches = [],
  messages,
}: RecordedSession): string {
  const entry = (at: number, role: string, timestamp: string, content: unknown): string =>
    JSON.stringify({
      type: role,
      uuid: `${session_id}-${at}`,
      sessionId: session_id,
      cwd: "/bench/coding",
      gitBranch: git_branches[0] ?? "",
      timestamp,
      message: { role, ...(role === "assistant" ? { id: `m-${session_id}-${at}` } : {}), content },
    });
  const said = messages.map(([role, time, text], at) =>
    entry(at, role === "user" ? "user" : "assistant", time || created_at, [{ type: "text", text }]),
  );
  const edits = files_touched.map((path, at) => ({
    type: "tool_use",
    id: `call-${at}`,
    name: "Edit",
    input: { file_path: `/bench/coding/${path}` },
  }));
  if (edits.length > 0) said.push(entry(messages.length, "assistant", created_at, edits));
  return `${said.join("\n")}\n`;
}

/** A commit's subject with at least three words. It is in the half of its first session, so that few sessions are in both. */
export function commitQuestions(data: string): CommitQuestion[] | undefined {
  const path = join(data, "coding-sessions/commits-dev.json");
  if (!existsSync(path)) return undefined;
  const commits = JSON.parse(readFileSync(path, "utf8")) as {
    subject: string;
    gold_sessions: string[];
  }[];
  return commits
    .filter(({ subject }) => subject.split(/\s+/).length >= 3)
    .map(({ subject, gold_sessions }) => ({
      query: subject,
      gold: new Set(gold_sessions),
      isTuned: isTuned(gold_sessions.toSorted()[0] ?? ""),
    }));
}

/** The half on which settings were tuned. */
function isTuned(session: string): boolean {
  return (createHash("sha1").update(session).digest()[0] ?? 0) % 2 === 0;
}

/** Ranks the sessions for every question. */
export function figuresFor(sessions: Sessions, questions: readonly CommitQuestion[]): Figures {
  return figuresOf(
    questions.map(({ query, gold }) =>
      judge(
        gold,
        sessions.search(query, { limit: 100 }).hits.map(({ session }) => session.id),
      ),
    ),
  );
}
