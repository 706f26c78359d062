import { afterEach, expect, test } from "vitest";
import { type FakeAnthropic, type ModelRequest, startFakeAnthropic } from "./anthropic.ts";
import { classify, countOccurrences, requestText, sharedPrefix } from "./anthropic-requests.ts";

let server: FakeAnthropic | undefined;
afterEach(() => server?.close());

const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${server?.url}${path}`, { method: "POST", body: JSON.stringify(body) });
}

function request(body: Partial<ModelRequest["body"]>, headers: Record<string, string> = {}): ModelRequest {
  const whole = { model: "m", messages: [], ...body };
  const raw = JSON.stringify(whole);
  return { index: 0, method: "POST", path: "/v1/messages", headers, raw, body: whole, time: 0 };
}

test("it answers as scripted and keeps the exact bytes", async () => {
  server = await startFakeAnthropic({
    respond: (_, index) =>
      index === 0 ? { toolUses: [{ name: "Read", input: { a: 1 } }] } : { status: 429, error: "slow down" },
  });
  const first = await post("/v1/messages", { model: "m", messages: [user("é")] });
  expect(await first.json()).toMatchObject({
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "toolu_fake_0_0", name: "Read", input: { a: 1 } }],
  });
  const second = await post("/v1/messages", { model: "m", messages: [] });
  expect([second.status, await second.json()]).toEqual([
    429,
    { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
  ]);
  expect(server.requests[0]?.raw).toBe(
    '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"é"}]}]}',
  );
});

test("a streamed answer carries the same message as events", async () => {
  server = await startFakeAnthropic({ respond: () => ({ text: "hello", usage: { input_tokens: 7 } }) });
  const response = await post("/v1/messages", { model: "m", messages: [], stream: true });
  const events = (await response.text()).split("\n\n").map((event) => event.split("\n")[0]);
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(events).toEqual([
    "event: message_start",
    "event: content_block_start",
    "event: content_block_delta",
    "event: content_block_stop",
    "event: message_delta",
    "event: message_stop",
    "",
  ]);
});

test("anything but a model request is recorded and not found", async () => {
  server = await startFakeAnthropic();
  expect((await fetch(server.url, { method: "HEAD" })).status).toBe(404);
  expect((await post("/v1/messages/count_tokens", { model: "m", messages: [] })).status).toBe(200);
  expect(server.all.map((one) => [one.method, one.path, one.index])).toEqual([
    ["HEAD", "/", -1],
    ["POST", "/v1/messages/count_tokens", -1],
  ]);
});

test("a marker is found in system, messages and tool results", () => {
  const result = { type: "tool_result", content: [{ type: "text", text: "MARK MARK" }] };
  const found = request({ system: "MARK", messages: [user("x MARK"), { role: "user", content: [result] }] });
  expect(countOccurrences(found, "MARK")).toBe(4);
  expect(requestText(found)).toBe("MARK\nx MARK\nMARK MARK");
});

test("a prefix holds when only the cache marker moved", () => {
  const marked = [{ type: "text", text: "one", cache_control: { type: "ephemeral" } }];
  const a = request({ system: "s", tools: [{ name: "t" }], messages: [{ role: "user", content: marked }] });
  const messages = [{ role: "user", content: "one" }, user("two")];
  const b = request({ system: "s", tools: [{ name: "t" }], messages });
  expect(sharedPrefix(a, b)).toEqual({ tools: true, system: true, messages: true });
});

test.each([
  ["a changed message", request({ messages: [user("One"), user("two")] }), "messages[0] differs at"],
  [
    "a grown message",
    request({ messages: [{ role: "user", content: [...user("one").content, ...user("x").content] }] }),
    "messages[0] differs at",
  ],
  ["a dropped message", request({ messages: [] }), "messages[0] is missing"],
  [
    "a changed system prompt",
    request({ system: "other", messages: [user("one")] }),
    "system: the second request has 1 more",
  ],
])("%s breaks the prefix and says where", (_, b, where) => {
  expect(sharedPrefix(request({ messages: [user("one")] }), b).firstDifference).toContain(where);
});

test("requests are distinguished by the marks of the host", () => {
  const summarise = user("CRITICAL\n\nYour task is to create a detailed summary of the conversation so far");
  const tools = [{ name: "Agent" }];
  expect(classify(request({ system: "x", tools, messages: [user("hi")] }))).toBe("main");
  expect(
    classify(request({ system: "x", tools, messages: [user("hi")] }, { "x-claude-code-agent-id": "a" })),
  ).toBe("subagent");
  expect(
    classify(request({ system: "x", tools, messages: [summarise, { role: "system", content: "hook" }] })),
  ).toBe("compaction");
  expect(classify(request({ system: "You are naming a coding session", messages: [user("hi")] }))).toBe(
    "title",
  );
  expect(classify(request({ system: "x", messages: [user("hi")] }))).toBe("other");
});
