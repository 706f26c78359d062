import { onTestFinished } from "vitest";
import type { ToolAnswer, ToolContext } from "../../../../src/moments/ports/tool.ts";
import { querySession } from "../../../../src/sources/sessions/ports/session-calls.ts";
import { readHealth } from "../../../../src/store/health.ts";
import { type ChatServer, chatServer } from "../../../fakes/chat-server.ts";
import { write } from "../../../support/world.ts";
import { type Written, worldWith } from "../written.ts";

export const ID = "11111111-0000-4000-8000-000000000001";
export const DECISION = "We decided to retry once, because the gateway is slow.";
export const LOGIN: Written = {
  id: ID,
  name: "Fix the login",
  said: [
    "The login fails when the token has expired",
    `The token is refreshed in auth.ts now. ${DECISION}`,
    "And the colour of the button?",
    "Blue.",
  ],
};

/** A past session and a configured model; a test decides what it answers. */
export async function askedModel(
  answer: Parameters<typeof chatServer>[0],
  { written = [LOGIN], settings = {} }: { written?: readonly Written[]; settings?: object } = {},
) {
  const server: ChatServer = await chatServer(answer);
  onTestFinished(() => server.close());
  const world = worldWith(written);
  const sessions = { modelKeys: ["endpoint/small"], modelUrl: server.url, callsPerTurn: 20, ...settings };
  write(world.home.root, { "config.json": JSON.stringify({ sources: { sessions } }) });
  const ask = (question: string, more: Partial<ToolContext> = {}): Promise<ToolAnswer> =>
    querySession({ session: ID, question }, { ...world.call, ...more });
  const health = () => readHealth(world.home.logs).records.filter(({ where }) => where === "query_session");
  return { ...world, server, ask, health };
}

export function reply(more: object = {}): string {
  return JSON.stringify({
    answerMarkdown: "Once, because the gateway is slow.",
    confidence: "high",
    citations: [{ entryId: `${ID}-t1`, role: "assistant", excerpt: DECISION }],
    notes: [],
    ...more,
  });
}
