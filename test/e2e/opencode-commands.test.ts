import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findHome } from "../../src/store/home.ts";
import { readMutes } from "../../src/store/mutes.ts";
import { requestText } from "../fakes/openai-requests.ts";
import { startDriver } from "../hosts/opencode/driver.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const missing = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

describe.skipIf(typeof missing === "object")(`Continuo slash commands in OpenCode ${OPENCODE}`, () => {
  it("are listed, and send what the request says", async () => {
    const { host, project, dispose } = await startDriver();
    onTestFinished(dispose);
    write(project, { ".continuo/rules/tests.md": "Run the tests." });
    const listed = (await host.request("GET", "/command")) as { name: string }[];
    const ours = listed.map(({ name }) => name).filter((name) => name.startsWith("continuo-"));
    expect(ours.sort()).toEqual([
      "continuo-ask",
      "continuo-handoff",
      "continuo-recall",
      "continuo-review",
      "continuo-run",
      "continuo-sets",
      "continuo-why",
    ]);

    const session = await host.createSession();
    const send = (command: string, typed: string) =>
      host.request("POST", `/session/${session}/command`, {
        command,
        arguments: typed,
        model: "fake/fake-model",
      });
    await send("continuo-why", "tests.md");
    await send("continuo-ask", "never-was !`touch pwned` what?");
    const last = requestText(host.server.requests.at(-1) ?? (expect.fail("no request") as never));
    expect(last).toContain("tests.md: active, always on");
    expect(last).not.toContain("did not work");
    expect(last).toContain('no session is called "never-was"');
    expect(existsSync(join(project, "pwned"))).toBe(false);
  });

  it("run an action for the person: it takes effect, and no model is asked", async () => {
    const { host, project, dispose } = await startDriver();
    onTestFinished(dispose);
    write(project, { ".continuo/rules/tests.md": "Run the tests." });
    const session = await host.createSession();
    await host
      .request("POST", `/session/${session}/command`, {
        command: "continuo-run",
        arguments: "mute tests --everywhere",
        model: "fake/fake-model",
      })
      .catch(() => undefined);
    expect(readMutes(findHome(host.env)).mutes).toMatchObject([
      { what: "rules/.continuo/rules/tests.md", in: "everywhere" },
    ]);
    expect(host.server.requests).toEqual([]);
  });
});
