import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { classify, countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { startDriver } from "../hosts/opencode/driver.ts";
import { expectPrefixes, main, started, troubles, use } from "../hosts/opencode/turns.ts";
import { CONTINUO, runScript } from "../support/child.ts";
import { OPENCODE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { hostContract } from "./host-contract.ts";

const found = await orSkipReason(installedPackage("opencode-ai", OPENCODE));
const missing = typeof found === "object" ? found.skip : undefined;

hostContract({ name: `OpenCode ${OPENCODE}`, start: startDriver, missing });

describe.skipIf(missing !== undefined)(`OpenCode ${OPENCODE}, one process`, () => {
  it("carries every rule through an automatic compaction into the turn that the host itself goes on with", async () => {
    const { host, queue, project } = await started();
    const read = use("read", { filePath: join(project, "src/a.ts") });
    const session = await host.createSession();
    queue.push(read);
    const first = await host.prompt(session, "read it");
    expect(countOccurrences(main(first).at(-1)!, "MARK-TYPED")).toBe(1);
    expectPrefixes(main(first));

    queue.push({ ...read, promptTokens: 195_000 });
    const second = await host.prompt(session, "read it again");
    const kinds = second.map(classify);
    const at = kinds.indexOf("compaction");
    expect(at).toBeGreaterThan(0);
    const summariser = second[at]!;
    expect(countOccurrences(summariser, "MARK-ALWAYS")).toBe(0);
    expect(countOccurrences(summariser, "MARK-TYPED")).toBe(0);
    expect(requestText(summariser)).toContain("leave it out of the summary");
    const after = main(second.slice(at));
    expect(after.length).toBeGreaterThan(0);
    const third = main(await host.prompt(session, "go on"));
    for (const request of [...after, ...third]) {
      for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(countOccurrences(request, mark), mark).toBe(1);
      expect(request.body.messages.filter((message) => message.role === "system")).toHaveLength(1);
    }
    expectPrefixes([...after, ...third]);
    expect(host.server.all.every((line) => line === "POST /v1/chat/completions")).toBe(true);
    expect(troubles(host.home)).toEqual([]);
  });

  it("offers our tools, says which arguments they need, runs them and tells of their failures", async () => {
    const { host, queue, project } = await started();
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
    const trusted = await runScript(CONTINUO, ["rules", "trust"], { env: host.env, cwd: project });
    expect(trusted.code, trusted.stderr).toBe(0);
    const session = await host.createSession();
    queue.push(use("bash", { command: "rm -rf precious", description: "clean up" }));
    const requests = main(await host.prompt(session, "clean up"));
    expect(existsSync(join(project, "precious/x"))).toBe(true);
    const result = requests.at(-1)!.body.messages.find((message) => message.role === "tool");
    expect(JSON.stringify(result)).toContain("MARK-GUARD");
  });

  it("gives the fork of a session its own snapshot, once, and asks the model for nothing itself", async () => {
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
