import { join } from "node:path";
import { expect } from "vitest";
import type { Conversation, ShownTurn } from "../../../../src/web/api/conversation.ts";
import { sessionPageRoutes } from "../../../../src/web/server/sessions/conversation.ts";
import { temporaryWeb } from "../../../support/web.ts";
import { write } from "../../../support/world.ts";

export const SESSION = "6a1d3c52-9c1f-4c35-8a7e-0d5f4b7f2e11";
export const CWD = "/work/shop";

let count = 0;

/** A line of Claude Code's transcripts. */
export function line(type: string, more: object, uuid = `u${++count}`): string {
  const where = { cwd: CWD, sessionId: SESSION, gitBranch: "main", isSidechain: false };
  const timestamp = new Date(Date.UTC(2026, 10, 15, 12, 0, 0) + count * 1000).toISOString();
  return `${JSON.stringify({ ...where, type, uuid, timestamp, ...more })}\n`;
}

export const asked = (content: unknown, uuid?: string, more: object = {}): string =>
  line("user", { message: { role: "user", content }, ...more }, uuid);

export const answered = (content: string | readonly object[], uuid?: string): string => {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const id = `msg_${uuid ?? count}`;
  return line("assistant", { message: { id, role: "assistant", model: "claude-x", content: blocks } }, uuid);
};

export const called = (name: string, input: object, id = `call_${++count}`): string =>
  answered([{ type: "tool_use", id, name, input }]);

export const returned = (id: string, content: unknown, more: object = {}): string =>
  asked([{ type: "tool_result", tool_use_id: id, content, ...more }], undefined, { toolUseResult: {} });

export function pageWorld() {
  const here = temporaryWeb({}, [{ name: "session-page", routes: sessionPageRoutes }]);
  const { user } = here;
  const path = join(user, ".claude/projects/-work-shop", `${SESSION}.jsonl`);
  const get = async (rest: string, host = "claude-code", id = SESSION) => {
    const address = `/api/sessions/${encodeURIComponent(host)}/${encodeURIComponent(id)}${rest}`;
    return here.app.request(address);
  };
  return {
    ...here,
    path,
    transcript: (...lines: readonly string[]) =>
      write(user, { [`.claude/projects/-work-shop/${SESSION}.jsonl`]: lines.join("") }),
    async sync() {
      await (await here.web.sessions()).sync();
    },
    get,
    async json<T>(rest: string, host?: string, id?: string): Promise<T> {
      const response = await get(rest, host, id);
      expect(response.status, await response.clone().text()).toBe(200);
      return (await response.json()) as T;
    },
    async conversation(
      query: Record<string, string> = {},
      host?: string,
      id?: string,
    ): Promise<Conversation> {
      return this.json(`/conversation?${new URLSearchParams(query)}`, host, id);
    },
  };
}

export const said = (turns: readonly ShownTurn[]): string[] => turns.map((turn) => turn.said.text);
