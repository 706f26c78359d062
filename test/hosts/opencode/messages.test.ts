import { expect, test } from "vitest";
import type { Message, Part } from "../../../src/hosts/opencode/api.ts";
import {
  additionPart,
  appended,
  cutAdditions,
  housekeepingPrompts,
  isHousekeeping,
  isOwnMessage,
  newestSummary,
  ownMessageId,
  promptOf,
} from "../../../src/hosts/opencode/messages.ts";

const ADDITION = "<continuo-addition>\nnew\n</continuo-addition>";
const info = (id: string, more: object = {}) => ({ id, role: "user", sessionID: "ses_1", ...more });
const text = (id: string, said: string, more: Partial<Part> = {}): Part => ({
  id,
  type: "text",
  text: said,
  ...more,
});
const ran = (output: string): Part => ({ id: "prt_t", type: "tool", state: { status: "completed", output } });

test("requests for titles and summaries are recognised by how they begin, even if the user wrote their prompts", () => {
  expect(isHousekeeping("You are a title generator. You output ONLY")).toBe(true);
  expect(isHousekeeping("You are a context summarization agent …")).toBe(true);
  expect(isHousekeeping("You are opencode")).toBe(false);
  const custom = housekeepingPrompts({ agent: { title: { prompt: "Name it.\n" }, build: { prompt: "B" } } });
  expect(custom).toEqual(["Name it."]);
  expect(isHousekeeping("Name it.\nshort", custom)).toBe(true);
  expect(housekeepingPrompts({})).toEqual([]);
});

test("a prompt is what the person typed", () => {
  const parts = [
    text("1", "hello"),
    text("2", "x", { synthetic: true }),
    text("3", "y", { ignored: true }),
    { id: "4", type: "file" },
    text("5", "there"),
  ];
  expect(promptOf(parts)).toBe("hello\nthere");
});

test("an addition comes after every other part in the order in which the host reads them back", () => {
  const parts = [text("prt_1ddfe924b001zyxwvutsrqponm", "b"), text("prt_1ddfe924a001aTyKt3H5bDIuXJ", "a")];
  const part = additionPart(info("msg_1"), parts, "new");
  expect(part).toEqual({
    id: "prt_1ddfe924b001zzzzzzzzzzzzzz",
    sessionID: "ses_1",
    messageID: "msg_1",
    type: "text",
    text: "new",
    synthetic: true,
  });
  expect(
    [...parts, part!]
      .map((one) => one.id)
      .sort()
      .at(-1),
  ).toBe(part!.id);
  expect(additionPart(info("msg_1"), [], "new")).toBeUndefined();
  expect(additionPart(info("msg_1"), [text("odd", "x")], "new")).toBeUndefined();
});

test("additions from before the newest summary are removed, later ones stay", () => {
  const messages: Message[] = [
    { info: info("msg_3"), parts: [text("1", "What did we do so far?")] },
    { info: info("msg_4", { role: "assistant", summary: true }), parts: [text("2", "summary")] },
    { info: info("msg_1"), parts: [text("3", "hello"), text("4", ADDITION, { synthetic: true })] },
    { info: info("msg_2", { role: "assistant" }), parts: [ran(appended("content", ADDITION))] },
    { info: info("msg_5"), parts: [text("6", "go on"), text("7", ADDITION, { synthetic: true })] },
  ];
  const summary = newestSummary(messages)!;
  cutAdditions(messages, ({ id }) => id < summary.id);
  expect(messages.map(({ parts }) => parts.length)).toEqual([1, 1, 1, 1, 2]);
  expect(messages[3]!.parts[0]!.state).toEqual({ status: "completed", output: "content" });
});

test("the summariser sees nothing that Continuo added; what a person or a file says stays", () => {
  const messages: Message[] = [
    { info: info("msg_1"), parts: [text("1", ADDITION), text("2", ADDITION, { synthetic: true })] },
    { info: info("msg_2"), parts: [ran(`${ADDITION} quoted in a file`), ran(ADDITION)] },
    { info: info("msg_3"), parts: [text("3", "<continuo>\nold\n</continuo>", { synthetic: true })] },
  ];
  const before = structuredClone(messages);
  cutAdditions(messages, () => true);
  expect(messages[0]!.parts).toEqual([before[0]!.parts[0]]);
  expect(messages[1]!.parts).toEqual(before[1]!.parts);
  expect(messages[2]!.parts).toEqual([]);
});

test("a message of Continuo sorts right before the next one, or after all that there are, and is known by its id", () => {
  const next = "msg_1ddfe9220001aTyKt3H5bDIuXJ";
  const id = ownMessageId(next, 0);
  expect(id).toHaveLength(next.length);
  expect(id < next && id > "msg_1ddfe921ffffzzzzzzzzzzzzzz").toBe(true);
  // The host made this id in this millisecond.
  expect(ownMessageId(undefined, 1_794_725_810_720).slice(0, 12)).toBe("msg_1ddfe922");
  expect([isOwnMessage(id), isOwnMessage(next)]).toEqual([true, false]);
});

test("a failed summary is no epoch", () => {
  const failed = info("msg_2", { role: "assistant", summary: true, error: { name: "X" } });
  expect(newestSummary([{ info: failed, parts: [] }])).toBeUndefined();
});
