import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { openSessions, type Sessions, type SessionsOptions } from "../../../src/sources/sessions/library.ts";
import { history } from "../../support/histories.ts";
import { temporaryWorld } from "../../support/world.ts";

export const CLAUDE = "claude-code" as const;

/** One line of a Claude Code transcript. */
export interface TurnText {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly uuid?: string;
  readonly calls?: readonly { name: string; input: Record<string, unknown> }[];
}

let count = 0;

export function lineOf(
  session: string,
  { role, text, uuid, calls = [] }: TurnText,
  more: object = {},
): string {
  count++;
  const id = uuid ?? `turn-${count}`;
  const blocks = [
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map((call, at) => ({ type: "tool_use", id: `${id}-call-${at}`, ...call })),
  ];
  return `${JSON.stringify({
    type: role,
    uuid: id,
    sessionId: session,
    cwd: "/work/shop",
    gitBranch: "main",
    timestamp: new Date(Date.UTC(2026, 10, 1) + count * 1000).toISOString(),
    message: { role, ...(role === "assistant" ? { id: `message-${id}`, model: "m" } : {}), content: blocks },
    ...more,
  })}\n`;
}

/** A home with Claude Code transcripts that a test writes, and the library over it. */
export function place(options: Partial<SessionsOptions> = {}) {
  const { env, home } = temporaryWorld();
  const folder = join(env["HOME"] ?? "", ".claude/projects/-work-shop");
  const failures: string[] = [];
  const open = (more: Partial<SessionsOptions> = {}): Sessions => {
    const sessions = openSessions({
      home,
      history,
      env,
      onFailure: (code, message) => void failures.push(`${code}: ${message}`),
      ...options,
      ...more,
    });
    onTestFinished(() => sessions.close());
    return sessions;
  };
  const path = (session: string): string => join(folder, `${session}.jsonl`);
  const write = (session: string, turns: readonly TurnText[], more: object = {}): void => {
    mkdirSync(dirname(path(session)), { recursive: true });
    writeFileSync(path(session), turns.map((one) => lineOf(session, one, more)).join(""));
  };
  /** Files with equal times look unchanged, so every change advances the clock. */
  let clock = Date.UTC(2026, 10, 2) / 1000;
  const touch = (session: string): void => {
    clock += 10;
    utimesSync(path(session), clock, clock);
  };
  const append = (session: string, turns: readonly TurnText[]): void => {
    appendFileSync(path(session), turns.map((one) => lineOf(session, one)).join(""));
    touch(session);
  };
  /** Appends any line, as the host might. */
  const appendRaw = (session: string, line: object): void => {
    count++;
    const uuid = `raw-${count}`;
    appendFileSync(
      path(session),
      `${JSON.stringify({ uuid, sessionId: session, cwd: "/work/shop", ...line })}\n`,
    );
    touch(session);
  };
  return { env, home, folder, path, write, append, appendRaw, touch, failures, open };
}

export const ask = (text: string, uuid?: string): TurnText => ({ role: "user", text, ...(uuid && { uuid }) });
export const answer = (text: string, calls: TurnText["calls"] = []): TurnText => ({
  role: "assistant",
  text,
  calls,
});
