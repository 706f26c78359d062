import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRequests } from "../../../../src/hosts/claude-code/resident/open-requests.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const call = (id: number | string, name: string, event?: string) => ({
  id,
  method: "tools/call",
  params: { name, arguments: { event } },
});

describe("requests that a killed server left", () => {
  it("are those that it had not answered, of hooks only those at a prompt, and are taken once", () => {
    const file = join(temporaryFolder(), "requests", "7");
    const first = openRequests(file, false);
    for (const message of [call(1, "a"), call("two", "b"), call(3, "hook", "PostToolUse"), call(4, "hook")])
      first.opened(message);
    first.opened(call(5, "hook", "UserPromptSubmit"));
    first.opened({ method: "notifications/x" });
    first.answered({ id: 1, result: {} });
    const next = openRequests(file, true);
    expect(next.takeLeft()).toEqual([
      { id: "two", isHook: false },
      { id: 5, isHook: true },
    ]);
    expect(next.takeLeft()).toEqual([]);
  });

  it("leave nothing behind once they are answered, and are none of a new host's", () => {
    const folder = temporaryFolder();
    const requests = openRequests(join(folder, "7"), false);
    requests.opened(call(1, "a"));
    requests.answered({ id: 1, error: {} });
    expect(existsSync(join(folder, "7"))).toBe(false);
    write(folder, { "7": '[{"id":1}]' });
    expect(openRequests(join(folder, "7"), false).takeLeft()).toEqual([]);
  });

  it.each(["", "{", "{}", "[{}, null]"])("are none in a damaged file: %j", (text) => {
    const folder = temporaryFolder();
    write(folder, { "7": text });
    expect(openRequests(join(folder, "7"), true).takeLeft()).toEqual([]);
  });
});
