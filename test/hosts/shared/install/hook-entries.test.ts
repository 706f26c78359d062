import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { markServer } from "../../../../src/hosts/claude-code/resident/server-marks.ts";
import { entryOf, hookCommand, launchIn } from "../../../../src/hosts/shared/install/hook-command.ts";
import { addEntries, findEntries, removeEntries } from "../../../../src/hosts/shared/install/hook-entries.ts";
import { homeAt } from "../../../../src/store/home.ts";
import { WIRING } from "../../../support/wiring.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const entries = ["SessionStart", "UserPromptSubmit"].map((event) => ({
  event,
  hook: {
    type: "command",
    command: hookCommand("claude-code", WIRING, event, { platform: "linux" }),
    timeout: 10,
  },
}));

const further = (entry: number) =>
  hookCommand("claude-code", WIRING, "SessionStart", {
    platform: "linux",
    further: { entry, mark: "parts/x" },
  });
const several = [
  entries[0]!,
  ...[2, 3].map((entry) => ({ ...entries[0]!, hook: { ...entries[0]!.hook, command: further(entry) } })),
  entries[1]!,
];

const USERS = `{
    // my own settings
    "model": "opus",
    "hooks": {
        "SessionStart": [
            { "hooks": [ { "type": "command", "command": "echo mine" } ] }, // keep
        ],
        "Stop": [],
    },
    "permissions": { "allow": ["Bash(ls)"] }
}
`;

describe("addEntries", () => {
  it("keeps the user's comments, order and own hooks", () => {
    const text = addEntries("claude-code", USERS, entries);
    expect(text).toContain("// my own settings");
    expect(text).toContain("// keep");
    const value = parse(text);
    expect(value.hooks.SessionStart).toHaveLength(2);
    expect(value.hooks.SessionStart[0].hooks[0].command).toBe("echo mine");
    expect(value.permissions).toEqual({ allow: ["Bash(ls)"] });
    expect(Object.keys(value)).toEqual(["model", "hooks", "permissions"]);
  });

  it("changes nothing the second time", () => {
    const once = addEntries("claude-code", USERS, entries);
    expect(addEntries("claude-code", once, entries)).toBe(once);
  });

  it("replaces entries of another version or place instead of adding to them", () => {
    const old = entries.map(({ event, hook }) => ({
      event,
      hook: { ...hook, command: hook.command.replace("/opt/", "/old/"), timeout: 3 },
    }));
    expect(addEntries("claude-code", addEntries("claude-code", "", old), entries)).toBe(
      addEntries("claude-code", "", entries),
    );
  });

  it.each(["[]", "{", '{"hooks": []}', "null", '{"a": }'])("refuses %j without touching it", (text) => {
    expect(() => addEntries("claude-code", text, entries)).toThrow(
      expect.objectContaining({ code: "settings-invalid" }),
    );
  });

  it("starts from an empty or missing file", () => {
    expect(parse(addEntries("claude-code", "", entries)).hooks.SessionStart[0].hooks[0]).toEqual({
      type: "command",
      command: entries[0]!.hook.command,
      timeout: 10,
    });
  });
});

describe("removeEntries", () => {
  it("gives back the very text for settings without hooks of those events", () => {
    const plain = '{\n  "model": "opus"\n}\n';
    expect(parse(removeEntries("claude-code", addEntries("claude-code", plain, entries)))).toEqual({
      model: "opus",
    });
  });

  it("leaves the user's hooks in a group that both share", () => {
    const shared = JSON.stringify({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: "command", command: "mine" },
              { type: "command", command: entries[0]!.hook.command },
            ],
          },
        ],
      },
    });
    expect(parse(removeEntries("claude-code", shared))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  it("keeps comments and a trailing comma around what it takes out", () => {
    const removed = removeEntries("claude-code", addEntries("claude-code", USERS, entries));
    expect(removed).toContain("// keep");
    expect(parse(removed)).toEqual(parse(USERS));
  });

  it("takes several entries of an event out together, and only ours from a group that both share", () => {
    const added = addEntries("claude-code", USERS, several);
    expect(findEntries("claude-code", added)).toHaveLength(4);
    expect(parse(added).hooks.SessionStart).toHaveLength(2);
    expect(addEntries("claude-code", added, several)).toBe(added);
    expect(removeEntries("claude-code", added)).toBe(
      removeEntries("claude-code", addEntries("claude-code", USERS, entries)),
    );
    const mine = { type: "command", command: "mine" };
    const hooks = several.map(({ hook: { type, command } }) => ({ type, command }));
    const shared = JSON.stringify({ hooks: { SessionStart: [{ hooks: [...hooks, mine] }] } });
    expect(parse(removeEntries("claude-code", shared))).toEqual({
      hooks: { SessionStart: [{ hooks: [mine] }] },
    });
  });

  it("undoes addEntries for any settings", () => {
    const hook = fc.record({ type: fc.constant("command"), command: fc.string() });
    const groups = fc.array(
      fc.record({ matcher: fc.string(), hooks: fc.array(hook, { minLength: 1, maxLength: 2 }) }),
      { minLength: 1, maxLength: 2 },
    );
    const settings = fc.record(
      {
        model: fc.string(),
        hooks: fc.dictionary(fc.constantFrom("SessionStart", "Stop", "Weird Event"), groups, { minKeys: 1 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(settings, fc.constantFrom("", "  ", "\t", "    "), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const added = addEntries("claude-code", text, entries);
        expect(findEntries("claude-code", added)).toHaveLength(entries.length);
        expect(parse(removeEntries("claude-code", added))).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe("hookCommand for a further entry", () => {
  it("starts no process for a further entry unless its mark is below the home", () => {
    const folder = temporaryFolder();
    write(folder, { "continuo.cjs": "", "node.sh": '#!/bin/sh\necho "{$@}"\n' });
    chmodSync(join(folder, "node.sh"), 0o755);
    const own = { ...WIRING, runtime: join(folder, "node.sh"), script: join(folder, "continuo.cjs") };
    const options = { platform: "linux", further: { entry: 3, mark: "parts/long-start" } } as const;
    const command = hookCommand("claude-code", own, "SessionStart", options);
    const launch = launchIn("claude-code", command);
    expect(launch).toMatchObject({ runtime: own.runtime, script: own.script });
    expect(entryOf(launch!)).toBe(3);
    const run = (env: Record<string, string>) =>
      spawnSync("/bin/sh", ["-c", command], { env: { PATH: "/usr/bin:/bin", ...env }, encoding: "utf8" });
    const silent = { status: 0, stdout: "", stderr: "" };
    expect(run({ HOME: folder })).toMatchObject(silent);
    write(folder, { ".continuo/parts/long-start/3": "", "my home/parts/long-start/3": "" });
    const printed = { ...silent, stdout: `{${own.script} hook claude-code SessionStart 3}` };
    expect(run({ HOME: folder })).toMatchObject(printed);
    expect(run({ HOME: "/nowhere" })).toMatchObject(silent);
    expect(run({ HOME: "/nowhere", CONTINUO_HOME: join(folder, "my home") })).toMatchObject(printed);
  });
});

describe.skipIf(process.platform === "win32")("hookCommand for a missing MCP server", () => {
  it("starts a process only while no server runs for the host that runs it", () => {
    const folder = temporaryFolder();
    write(folder, { "continuo.cjs": "", "node.sh": '#!/bin/sh\necho "{$@}"\n' });
    chmodSync(join(folder, "node.sh"), 0o755);
    const own = { ...WIRING, runtime: join(folder, "node.sh"), script: join(folder, "continuo.cjs") };
    const command = hookCommand("claude-code", own, "UserPromptSubmit", { platform: "linux", isNet: true });
    const launch = launchIn("claude-code", command);
    expect(launch).toMatchObject({ runtime: own.runtime, script: own.script });
    expect(entryOf(launch!)).toBe(1);
    const run = () =>
      spawnSync("/bin/sh", ["-c", command], {
        env: { PATH: "/usr/bin:/bin", HOME: folder },
        encoding: "utf8",
      });
    const silent = { status: 0, stdout: "", stderr: "" };
    const printed = { ...silent, stdout: `{${own.script} hook claude-code UserPromptSubmit no-server}` };
    expect(run()).toMatchObject(printed);
    // This process is the host, and its own server.
    const removeMark = markServer(homeAt(join(folder, ".continuo")), process.pid, process.pid);
    expect(run()).toMatchObject(silent);
    removeMark();
    expect(run()).toMatchObject(printed);
    for (const dead of ["", "4194999\n", "nonsense\n", "-1 x\n"]) {
      write(folder, { [`.continuo/servers/${process.pid}`]: dead });
      expect(run(), JSON.stringify(dead)).toMatchObject(printed);
    }
  });
});
