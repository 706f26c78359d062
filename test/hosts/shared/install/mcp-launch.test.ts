import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  lastingLaunchOf,
  launchOf,
  ourLaunch,
  pathsOf,
} from "../../../../src/hosts/shared/install/mcp-launch.ts";
import { WIRING } from "../../../support/wiring.ts";
import { temporaryFolder, write } from "../../../support/world.ts";

const wiring = { ...WIRING, runtime: "/gone/node", script: "/gone/continuo.cjs" };

const MESSAGES = [
  { method: "initialize", params: { protocolVersion: "2025-11-25", id: 9 }, jsonrpc: "2.0", id: 0 },
  { method: "notifications/initialized", jsonrpc: "2.0" },
  { method: "tools/list", jsonrpc: "2.0", id: 1 },
  {
    method: "tools/call",
    params: { name: "hook", arguments: { tool_input: '{"id":5, "path":"C:\\\\n %s"}' } },
    jsonrpc: "2.0",
    id: 2,
  },
  { jsonrpc: "2.0", id: "x-1", method: "ping" },
];

describe.skipIf(process.platform === "win32")("the MCP entry of a host whose hooks call the server", () => {
  it("answers every request with nothing while the package is gone, and ends with its input", () => {
    const { command, args } = lastingLaunchOf(wiring);
    const input = MESSAGES.map((one) => `${JSON.stringify(one)}\n`).join("");
    const { stdout, stderr, status } = spawnSync(command, args, { input, encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, "x-1"]);
    expect(answers[0].result).toMatchObject({
      serverInfo: { name: "continuo" },
      capabilities: { tools: {} },
    });
    expect(answers[1].result.tools).toEqual([]);
    expect(answers[2].result.content).toEqual([{ type: "text", text: "{}" }]);
  });

  it("becomes the server while the package is there, whatever its path contains", () => {
    const folder = join(temporaryFolder(), 'it\'s a "folder" $HOME');
    write(folder, { "node.sh": '#!/bin/sh\necho "$@"\n', "continuo.cjs": "" });
    chmodSync(join(folder, "node.sh"), 0o755);
    const own = { ...wiring, runtime: join(folder, "node.sh"), script: join(folder, "continuo.cjs") };
    const { command, args } = lastingLaunchOf(own);
    const { stdout } = spawnSync(command, args, { input: "", encoding: "utf8" });
    expect(stdout).toBe(`${own.script} mcp\n`);
  });

  it("is recognised with its paths, and so is the plain one; others are not", () => {
    const lasting = lastingLaunchOf(wiring);
    expect(ourLaunch(lasting.command, lasting.args)).toEqual(lasting);
    expect(pathsOf(lasting)).toEqual(["/bin/sh", wiring.runtime, wiring.script]);
    expect(lastingLaunchOf(wiring, "win32")).toEqual(launchOf(wiring));
    expect(pathsOf(launchOf(wiring))).toEqual([wiring.runtime, wiring.script]);
    expect(ourLaunch("/bin/sh", ["-c", "exec mine"])).toBeUndefined();
    expect(ourLaunch("npx", ["continuo", "mcp"])).toBeUndefined();
    expect(ourLaunch("my-logger", ["/x/continuo.cjs", "mcp"])).toBeUndefined();
    expect(ourLaunch("/bin/sh", ["-c", "log; exec $0 $@", "node", "/x/continuo.cjs", "mcp"])).toBeUndefined();
  });
});
