import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classify, countOccurrences } from "../fakes/openai-requests.ts";
import { startDriver } from "../hosts/opencode/driver.ts";
import { main, started, use } from "../hosts/opencode/turns.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { noStrace } from "../support/tampering.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));
const missing = typeof found === "object" ? found.skip : undefined;

hostContract({
  name: `OpenCode ${OPENCODE}`,
  start: startDriver,
  missing,
  skip: {
    "refused stop": "it runs no hook before the agent stops: what would refuse it is told at the next prompt",
    killed: "we run inside its process and have none of our own",
    ...(noStrace === undefined ? {} : { network: noStrace }),
  },
});

describe.skipIf(missing !== undefined)(`OpenCode ${OPENCODE}, one process`, () => {
  it("offers Continuo's tools, says which arguments they need, runs them and reports their failures", async () => {
    const { host, queue, project } = await started(undefined, { tools: "all" });
    const session = await host.createSession();
    queue.push(use("set_relevant_context", { setName: "files", items: [join(project, "src/a.ts")] }));
    queue.push(use("set_relevant_context", { setName: "files", items: "no list" }));
    queue.push(use("get_relevant_context", {}));
    const requests = main(await host.prompt(session, "remember it"));
    const offered = Object.fromEntries(
      requests[0]!.body.tools!.map((tool) => [tool.function.name, tool.function.parameters]),
    );
    expect(offered["set_relevant_context"]).toMatchObject({ required: ["setName", "items"] });
    expect((offered["get_relevant_context"] as { required?: string[] }).required ?? []).toEqual([]);
    const results = requests.at(-1)!.body.messages.filter((message) => message.role === "tool");
    expect(results).toHaveLength(3);
    expect(JSON.stringify(results[1])).toMatch(/items/);
    expect(JSON.stringify(results[2])).toContain("src/a.ts");
  });

  it("stops a tool that a guard denies, in a project that the user trusts", async () => {
    const rule =
      "---\nguard: { action: deny, tool: bash, match: 'rm -rf' }\n---\nMARK-GUARD: never delete recursively.";
    const { host, queue, project } = await started({
      ".continuo/rules/no-rm.md": rule,
      "precious/x": "x",
    });
    const trusted = await runScript(CONTINUO, ["rules", "trust", "--yes"], { env: host.env, cwd: project });
    expect(trusted.code, trusted.stderr).toBe(0);
    const session = await host.createSession();
    queue.push(use("bash", { command: "rm -rf precious", description: "clean up" }));
    const requests = main(await host.prompt(session, "clean up"));
    expect(existsSync(join(project, "precious/x"))).toBe(true);
    const result = requests.at(-1)!.body.messages.find((message) => message.role === "tool");
    expect(JSON.stringify(result)).toContain("MARK-GUARD");
  });

  it("gives the fork of a session its own snapshot, once, and sends no request of its own to the model", async () => {
    const { host } = await started();
    const session = await host.createSession();
    await host.prompt(session, "hello");
    const fork = (await host.request("POST", `/session/${session}/fork`, {})) as { id: string };
    const forked = main(await host.prompt(fork.id, "go another way"));
    expect(forked).toHaveLength(1);
    expect(countOccurrences(forked[0]!, "MARK-ALWAYS")).toBe(1);
    await host.request("DELETE", `/session/${fork.id}`);
    const kinds = host.server.requests.map(classify);
    expect(kinds.filter((kind) => kind === "main")).toHaveLength(2);
    expect(kinds.every((kind) => kind === "main" || kind === "title")).toBe(true);
  });
});
