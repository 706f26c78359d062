import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONTINUO, runScript } from "../support/child.ts";
import { OFFERED } from "../support/offered.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { temporaryWorld, write } from "../support/world.ts";

const { tools: TOOLS, resources: RESOURCES } = OFFERED;

const INSPECTOR = "2.12.0";
const found = await orSkipReason(installedPackage("@modelcontextprotocol/inspector", INSPECTOR));
const folder =
  typeof found === "string" ? join(found, "node_modules", "@modelcontextprotocol", "inspector") : "";

describe.skipIf(folder === "")(`the MCP server under the protocol's own inspector ${INSPECTOR}`, () => {
  it("passes with every kind of request that it offers", async () => {
    const { root, env, home } = temporaryWorld({
      "spec.md": "# The spec",
      ".continuo/rules/tests.md": "Run the tests before you say done.",
    });
    write(home.root, { "config.json": '{"tools": "all"}' });
    const inspect = async (method: string, ...more: string[]): Promise<unknown> => {
      const target = [process.execPath, CONTINUO, "mcp", "--cwd", root];
      // By default it passes on only a few variables. With a session's id, all its servers belong to one session.
      const passed = { ...env, CLAUDE_CODE_SESSION_ID: "inspected" };
      const given = Object.entries(passed).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
      const args = ["--cli", ...target, ...given, "--method", method, ...more];
      const launcher = join(folder, "clients", "launcher", "build", "index.js");
      const { code, stdout, stderr } = await runScript(launcher, args, { env, cwd: root });
      expect({ method, code, stderr }).toMatchObject({ method, code: 0 });
      return JSON.parse(stdout);
    };

    // Strict: it fails for a schema that some host could not use.
    expect(await inspect("tools/list", "--strict")).toMatchObject({
      tools: TOOLS.map(({ name }) => ({ name })),
    });
    const call = ["--tool-name", "set_relevant_context", "--tool-arg", "setName=files", 'items=["spec.md"]'];
    expect(await inspect("tools/call", ...call)).toMatchObject({ content: [{ text: "Set files: 1 item" }] });
    expect(await inspect("resources/list")).toMatchObject({
      resources: [{ uri: "rules://tests.md" }, { uri: "context://files" }],
    });
    expect(await inspect("resources/templates/list")).toMatchObject({
      resourceTemplates: RESOURCES.map(({ uriTemplate }) => ({ uriTemplate })),
    });
    expect(await inspect("resources/read", "--uri", "context://files")).toMatchObject({
      contents: [{ uri: "context://files", text: expect.stringContaining("# The spec") }],
    });
    expect(await inspect("prompts/list")).toMatchObject({
      prompts: ["why", "sets", "recall", "ask", "handoff", "review"].map((name) => ({ name })),
    });
    const why = ["--prompt-name", "why", "--prompt-args", "rule=tests"];
    expect(await inspect("prompts/get", ...why)).toMatchObject({
      messages: [{ role: "user", content: { text: expect.stringContaining("tests.md: active, always on") } }],
    });
  });
});
