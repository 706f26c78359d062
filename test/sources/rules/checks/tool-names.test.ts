import { expect, it } from "vitest";
import { rules } from "../../../../src/sources/rules/source.ts";
import { setTrust } from "../../../../src/store/trust.ts";
import { engineWorld } from "../../../support/engine.ts";
import { temporaryWorld } from "../../../support/world.ts";

it.each([
  ["Bash", "bash"],
  ["bash", "Bash"],
  ["mcp__GitHub__Search", "mcp__github__search"],
])("a guard for %s blocks the host's %s, and no other tool", async (written, called) => {
  const guard = `---\nguard: { action: deny, tool: ${written}, match: forbidden }\n---\nNo.`;
  const { root, home, env, project } = temporaryWorld({ ".continuo/rules/g.md": guard });
  await setTrust(home, project.id, "", Date.now());
  const verdict = (name: string, command = "echo forbidden") =>
    rules.guard?.(
      {
        session: { host: "pi", id: "s1" },
        project,
        cwd: root,
        at: Date.now(),
        name: "tool",
        tool: { name, input: { command }, files: [] },
      },
      {
        settings: {},
        env,
        home: home.root,
        report: () => undefined,
        isGuardOff: () => false,
        memo: () => undefined,
      },
    );
  expect(await verdict(called)).toMatchObject({ action: "deny" });
  expect(await verdict(`${called}x`)).toBeUndefined();
  expect(await verdict(called, "echo FORBIDDEN")).toBeUndefined(); // the arguments are not a name
});

it.each([
  ["Bash", "bash", "Bash2"],
  ["webfetch", "WebFetch", "Web"],
  ["MCP_github", "mcp__github__search", "mcp__git__search"],
])("a rule for the tool %s applies once %s was called, not %s", async (written, called, other) => {
  const rule = `---\ntools: [${written}]\n---\nTool rule.`;
  const world = engineWorld([rules], {}, temporaryWorld({ ".continuo/rules/t.md": rule }));
  await world.start();
  expect(await world.tool(other)).toBe("");
  expect(await world.tool(called)).toContain("Tool rule.");
});
