import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Said } from "./conversation.ts";

export interface DemoSession {
  readonly id: string;
  readonly cwd: string;
  readonly branch: string;
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly said: readonly Said[];
  readonly title?: string;
}

const MINUTE = 60_000;

/** When the last turn was said. */
export function endOf({ began, said }: DemoSession): number {
  return began + said.length * MINUTE;
}

/** Writes a transcript as Claude Code does. Returns its path. */
export function writeClaudeCode(user: string, session: DemoSession): string {
  const { id, cwd, branch, said, title } = session;
  const lines: object[] = [];
  said.forEach(({ by, text, calls = [], afterCompaction }, turn) => {
    const time = (part: number) => new Date(session.began + turn * MINUTE + part * 1500).toISOString();
    const common = {
      sessionId: id,
      cwd,
      gitBranch: branch,
      isSidechain: false,
      version: "2.1.330",
      userType: "external",
    };
    if (afterCompaction !== undefined) {
      lines.push({
        ...common,
        type: "system",
        subtype: "compact_boundary",
        uuid: `${id}-boundary-${turn}`,
        timestamp: time(0),
        content: "Conversation compacted",
        compactMetadata: { trigger: "auto", preTokens: 155_210 },
      });
      lines.push({
        ...common,
        type: "user",
        uuid: `${id}-summary-${turn}`,
        timestamp: time(0),
        isCompactSummary: true,
        message: { role: "user", content: afterCompaction },
      });
    }
    if (by === "person") {
      lines.push({
        ...common,
        type: "user",
        uuid: `${id}-${turn}`,
        timestamp: time(0),
        message: { role: "user", content: text },
      });
      return;
    }
    const usage = {
      input_tokens: 240 + turn * 35,
      cache_read_input_tokens: turn < 2 ? 14_200 : 21_000 + turn * 2600,
      cache_creation_input_tokens: turn < 2 ? 5200 : 900,
      output_tokens: 180 + Math.round(text.length / 4),
    };
    const message = (part: number, content: object[]) => ({
      ...common,
      type: "assistant",
      uuid: `${id}-${turn}-${part}`,
      timestamp: time(part),
      message: { id: `msg-${id}-${turn}`, role: "assistant", model: "claude-opus-4-8", content, usage },
    });
    lines.push(message(0, [{ type: "text", text }]));
    calls.forEach((call, at) => {
      const callId = `toolu-${id}-${turn}-${at}`;
      lines.push(
        message(1 + at * 2, [
          { type: "tool_use", id: callId, name: call.name, input: absolute(call.input, cwd) },
        ]),
      );
      lines.push({
        ...common,
        type: "user",
        uuid: `${id}-${turn}-result-${at}`,
        timestamp: time(2 + at * 2),
        message: {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: callId, content: call.result }],
        },
      });
    });
  });
  if (title !== undefined) lines.push({ type: "custom-title", customTitle: title, sessionId: id });
  const path = join(user, ".claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), `${id}.jsonl`);
  writeLines(path, lines, endOf(session));
  return path;
}

/** Writes a transcript as pi does. */
export function writePi(user: string, session: DemoSession): void {
  const { id, cwd, said } = session;
  const at = (turn: number) => new Date(session.began + turn * MINUTE).toISOString();
  const lines = [
    { type: "session", version: 3, id, timestamp: at(0), cwd },
    ...said.map(({ by, text }, turn) => ({
      type: "message",
      id: `${id}-${turn}`,
      parentId: turn === 0 ? null : `${id}-${turn - 1}`,
      timestamp: at(turn),
      message: { role: by === "person" ? "user" : "assistant", content: [{ type: "text", text }] },
    })),
  ];
  const folder = `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`;
  writeLines(
    join(user, ".pi/agent/sessions", folder, `${at(0).replace(/[:.]/g, "-")}_${id}.jsonl`),
    lines,
    endOf(session),
  );
}

/** Writes a transcript as Codex does. */
export function writeCodex(user: string, session: DemoSession): void {
  const { id, cwd, said, branch } = session;
  const at = (turn: number) => new Date(session.began + turn * MINUTE).toISOString();
  const item = (turn: number, payload: object) => ({ timestamp: at(turn), type: "response_item", payload });
  const lines = [
    { timestamp: at(0), type: "session_meta", payload: { id, cwd, timestamp: at(0), git: { branch } } },
    ...said.map(({ by, text }, turn) =>
      item(turn, {
        type: "message",
        role: by === "person" ? "user" : "assistant",
        content: [{ type: by === "person" ? "input_text" : "output_text", text }],
      }),
    ),
  ];
  const [day = "", time = ""] = at(0).slice(0, 19).replaceAll(":", "-").split("T");
  const path = join(user, ".codex/sessions", day.replaceAll("-", "/"), `rollout-${day}T${time}-${id}.jsonl`);
  writeLines(path, lines, endOf(session));
}

function writeLines(path: string, lines: readonly object[], ended: number): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  utimesSync(path, ended / 1000, ended / 1000);
}

function absolute(input: Readonly<Record<string, string>>, cwd: string): Record<string, string> {
  const path = input["file_path"];
  return path === undefined ? { ...input } : { ...input, file_path: join(cwd, path) };
}
