import { expect, test } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { Client, Hooks, Message, MessageInfo, OwnPrompt } from "../../../src/hosts/opencode/api.ts";
import { createHooks } from "../../../src/hosts/opencode/plugin.ts";
import { rules } from "../../../src/sources/rules/source.ts";
import { temporaryWorld, write } from "../../support/world.ts";

/** A host that stores what it is sent and gives it to the plugin like any prompt; or one that stores nothing. */
function world(keeps: boolean) {
  const { root, env, home } = temporaryWorld({ ".continuo/rules/a.md": "MARK-A" });
  write(home.root, { "config.json": '{ "hosts": { "opencode": { "injection": "noReply" } } }' });
  const sent: OwnPrompt[] = [];
  const stored: Message[] = [];
  const client: Client = {
    session: {
      get: async () => ({ data: { id: "s", time: { created: 1 } } }),
      messages: async () => ({ data: stored }),
      async prompt({ body }) {
        sent.push(body);
        if (!keeps) return {};
        const info = { id: body.messageID, role: "user", sessionID: "s", time: { created: Date.now() } };
        const message = { info, parts: body.parts.map((part) => ({ id: "prt_1", ...part })) };
        await hooks["chat.message"]({ sessionID: "s" }, { message: info, parts: message.parts });
        stored.push(message);
        return { data: message };
      },
    },
    tui: { showToast: async () => ({}) },
  };
  const start = () =>
    createHooks({
      client,
      directory: root,
      history: loadHistory,
      env,
      now: Date.now,
      sources: [rules],
      tools: [],
      prompts: [],
      offers: [],
    });
  const hooks = start();
  return { sent, stored, hooks, start };
}

async function say(hooks: Hooks, stored: Message[], more: Partial<MessageInfo> = {}): Promise<MessageInfo> {
  const info = { id: "msg_1ddfe9220001aTyKt3H5bDIuXJ", role: "user", sessionID: "s", ...more };
  const parts = [{ id: "prt_1ddfe924a001aTyKt3H5bDIuXJ", type: "text", text: "hello" }];
  await hooks["chat.message"]({ sessionID: "s" }, { message: info, parts });
  stored.push({ info, parts });
  return info;
}

async function system(hooks: Hooks, stored: readonly Message[]): Promise<string | undefined> {
  await hooks["experimental.chat.messages.transform"]({}, { messages: structuredClone([...stored]) });
  const output = { system: ["You are opencode"] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, output);
  return output.system[0];
}

const LIKE = { agent: "plan", model: { providerID: "p", modelID: "m" } };

test("the snapshot is sent once, before the prompt, with the session's agent and model, and is nowhere else", async () => {
  const { hooks, start, sent, stored } = world(true);
  const prompt = await say(hooks, stored, LIKE);
  expect(sent).toMatchObject([{ noReply: true, ...LIKE, parts: [{ synthetic: true }] }]);
  expect(sent[0]!.parts[0].text).toContain("MARK-A");
  expect(sent[0]!.messageID < prompt.id).toBe(true);
  expect(prompt.time!.created).toBeGreaterThan(stored[0]!.info.time!.created!);
  expect(await system(hooks, stored)).toBe("You are opencode");
  const later = start();
  await say(later, stored, LIKE);
  expect(await system(later, stored)).toBe("You are opencode");
  expect(sent).toHaveLength(1);
});

test.each([
  ["the host does not store it", LIKE, 1],
  ["the prompt names no agent and model", {}, 0],
])("the system prompt has the snapshot if %s, and keeps it", async (_, like, attempts) => {
  const { hooks, sent, stored } = world(false);
  await say(hooks, stored, like);
  const first = await system(hooks, stored);
  expect(first).toContain("MARK-A");
  await say(hooks, stored, LIKE);
  expect(await system(hooks, stored)).toBe(first);
  expect(sent).toHaveLength(attempts);
});

test("a message that the host stores too late is left out, since the system prompt has the snapshot already", async () => {
  const { hooks, sent, stored } = world(false);
  await say(hooks, stored, LIKE);
  const first = await system(hooks, stored);
  const { messageID, parts } = sent[0]!;
  const info = { id: messageID, role: "user", sessionID: "s", time: { created: Date.now() } };
  stored.push({ info, parts: parts.map((part) => ({ id: "prt_1", ...part })) });
  const messages = structuredClone(stored);
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  expect(JSON.stringify(messages)).not.toContain("MARK-A");
  expect(await system(hooks, stored)).toBe(first);
});

test("a fork's copy of it is left out, and the fork's own stays", async () => {
  const { hooks, stored, sent } = world(true);
  const info = { id: "msg_1ddfe9210001aTyKt3H5bDIuXJ", role: "user", sessionID: "s", time: { created: 0 } };
  const text = "<continuo>\nof the origin\n</continuo>";
  stored.push({ info, parts: [{ id: "prt_0", type: "text", text, synthetic: true }] });
  await say(hooks, stored, LIKE);
  expect(sent).toHaveLength(1);
  const messages = structuredClone(stored);
  await hooks["experimental.chat.messages.transform"]({}, { messages });
  expect(messages[0]!.parts).toEqual([]);
  expect(JSON.stringify(messages)).toContain("MARK-A");
});
