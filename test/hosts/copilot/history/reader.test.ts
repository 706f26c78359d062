import { describe, expect, it } from "vitest";
import { copilotReader } from "../../../../src/hosts/copilot/history/reader.ts";
import { brief, readLinesAs } from "../../shared/history/histories/lines.ts";

const PATH = ".copilot/session-state/my-own-id/events.jsonl";
const event = (type: string, data: object, more: object = {}) => ({ type, data, ...more });
const usage = (outputTokens: number) =>
  event("session.usage_record", { usage: { inputTokens: 1, outputTokens } });
const read = (...lines: object[]) => readLinesAs(copilotReader, PATH, lines);

describe("Copilot's history", () => {
  it("marks what a subagent did in the middle of its parent's session, in new and older versions", () => {
    const { turns } = read(
      event("user.message", { content: "delegate" }),
      event("user.message", { content: "count" }, { agentId: "a" }),
      event("assistant.message", { content: "three", parentToolCallId: "c" }),
      event("assistant.message", { content: "counted" }),
    );
    expect(turns.map(brief)).toEqual([
      'user "delegate"',
      'user "count" sidechain',
      'assistant "three" sidechain',
      'assistant "counted"',
    ]);
  });

  it("tells of an agent that the host left running whose it is, and what a session was handed over from", () => {
    const header = (...lines: object[]) => {
      const { file } = read(...lines);
      return copilotReader.headerOf(file);
    };
    const start = (more: object) => event("session.start", { sessionId: "my-own-id", ...more });
    expect(header(start({ detachedFromSpawningParentSessionId: "before" }))).toMatchObject({
      parent: "before",
    });
    expect(header(start({}), event("session.handoff", { remoteSessionId: "far" }))).toMatchObject({
      continues: "far",
    });
    expect(header(start({}))).toEqual({ id: "my-own-id" });
    const forked = (message: string) => event("session.info", { infoType: "fork", message });
    const [first, second] = [
      'Forked from "A (b)" (id-1) as "A (b) (fork)".',
      'Forked from "B" (id-2) as "C".',
    ];
    expect(header(start({}), forked(first))).toMatchObject({ forkOf: "id-1" });
    expect(header(start({}), forked(first), forked(second))).toMatchObject({ forkOf: "id-2" });
    expect(header(start({}), forked('Forked this session into "C" (id-3).'))).toEqual({ id: "my-own-id" });
  });

  it("gives what an answer cost to that answer, and a compaction's cost to none", () => {
    const { turns } = read(
      usage(7),
      event("assistant.message", { content: "one" }),
      usage(8),
      event("session.compaction_complete", { success: true, summaryContent: "short" }),
      event("assistant.message", { content: "two" }),
    );
    expect(turns.map((turn) => turn.usage?.output)).toEqual([7, undefined, undefined]);
  });

  it("passes over a compaction that failed, keeps errors, and counts events that it does not know", () => {
    const { turns, report } = read(
      event("session.compaction_complete", { success: false }),
      event("session.error", { message: "no network" }),
      event("tool.execution_complete", { toolCallId: "c", success: false, error: { message: "denied" } }),
      event("quantum.leap", {}),
    );
    expect(turns.map(brief)).toEqual(['other "no network" error', 'tool "denied"']);
    expect(turns[1]?.answers).toEqual([{ call: "c", failed: true }]);
    expect(report.unknown).toEqual({ "quantum.leap": 1 });
  });
});
