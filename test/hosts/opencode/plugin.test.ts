import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { PLUGIN_FILE } from "../../../src/hosts/opencode/installer.ts";
import { ROOT, runScript } from "../../support/child.ts";
import { temporaryFolder, temporaryWorld, write } from "../../support/world.ts";
import { buildPlugin } from "./build-plugin.ts";

test("the plugin is one file with one export, and asks the host nothing while it starts", async () => {
  const file = await buildPlugin(temporaryFolder());
  const imports = [...readFileSync(file, "utf8").matchAll(/^import .*?"([^"]+)";$/gm)].map(
    ([, name]) => name,
  );
  expect(imports.filter((name) => !name?.startsWith("node:"))).toEqual([]);
  const loaded = (await import(pathToFileURL(file).href)) as { default: { id: string; server: Server } };
  expect(Object.keys(loaded)).toEqual(["default"]);
  expect(loaded.default.id).toBe("continuo");
  const client = new Proxy({}, { get: () => expect.unreachable("the host would wait for itself") });
  const hooks = await loaded.default.server({ client, directory: "/nowhere" });
  expect(Object.keys(hooks["tool"] as object)).toContain("write_memory");
});

test("the built plugin works in plain Node, as in the desktop app, with what that process has", async () => {
  const { root, env, home } = temporaryWorld({ ".continuo/rules/a.md": "MARK-A" });
  write(root, { "drive.mjs": DRIVE });
  write(home.root, { "config.json": '{"tools": "all"}' });
  const plugin = pathToFileURL(join(ROOT, "dist", PLUGIN_FILE)).href;
  const ran = await runScript(join(root, "drive.mjs"), [plugin], { env, cwd: root });
  expect(ran.stderr).toBe("");
  const { system, part, tool } = JSON.parse(ran.stdout);
  expect(system).toMatch(/^You are opencode\n\n<continuo>[\s\S]*MARK-A/);
  expect(part).toContain("MARK-LATE");
  expect(tool).toContain("No context stored");
});

/** What the host does in a session, with a client that knows nothing. */
const DRIVE = `
  import { writeFileSync } from "node:fs";
  const { default: plugin } = await import(process.argv[2]);
  const nothing = async () => ({});
  const client = { session: { get: nothing, messages: nothing, prompt: nothing }, tui: { showToast: nothing } };
  const hooks = await plugin.server({ client, directory: process.cwd() });
  await hooks.config({});
  const say = async (text) => {
    const output = {
      message: { id: "msg_1ddfe9220001aTyKt3H5bDIuXJ", role: "user", sessionID: "s" },
      parts: [{ id: "prt_1ddfe924a001aTyKt3H5bDIuXJ", type: "text", text }],
    };
    await hooks["chat.message"]({ sessionID: "s" }, output);
    return output.parts[1]?.text;
  };
  await say("hello");
  const request = { system: ["You are opencode"] };
  await hooks["experimental.chat.system.transform"]({ sessionID: "s" }, request);
  writeFileSync(".continuo/rules/late.md", "MARK-LATE");
  const part = await say("again");
  const tool = await hooks.tool.get_relevant_context.execute({}, { sessionID: "s" });
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
  await hooks.dispose();
  console.log(JSON.stringify({ system: request.system[0], part, tool }));
`;

type Server = (input: object) => Promise<Record<string, unknown>>;
