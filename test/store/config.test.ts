import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/store/config.ts";
import { temporaryFolder, write } from "../support/world.ts";

function load(config: object) {
  const folder = temporaryFolder();
  write(folder, { "config.json": JSON.stringify(config) });
  return loadConfig(join(folder, "config.json"), [{ name: "rules", settings: {} }], {});
}

test("a host's setting is read from its own group, and has a default", () => {
  expect(load({}).config.hosts["opencode"]).toEqual({ injection: "system" });
  const { config, problems } = load({ $schema: "x", hosts: { opencode: { injection: "noReply" } } });
  expect(config.hosts["opencode"]).toEqual({ injection: "noReply" });
  expect(problems).toEqual([]);
});

test.each([
  [{ hosts: { opencode: { injection: "noreply" } } }, "hosts.opencode.injection", "one of system, noReply"],
  [
    { hosts: { opencode: { injektion: "noReply" } } },
    "hosts.opencode.injektion",
    'did you mean "injection"?',
  ],
  [{ hosts: { opencod: {} } }, "hosts.opencod", 'did you mean "opencode"?'],
  [{ hosts: [] }, "hosts", 'write "hosts": { … }'],
  [{ sources: { rule: {} } }, "sources.rule", 'did you mean "rules"?'],
  [{ sources: 1 }, "sources", 'write "sources": { … }'],
])("a wrong group is named, and the default is used: %j", (given, key, hint) => {
  const { config, problems } = load(given);
  expect(problems).toMatchObject([{ key, hint: expect.stringContaining(hint) }]);
  expect(config.hosts["opencode"]).toEqual({ injection: "system" });
  expect(config.sources["rules"]).toEqual({ enabled: true });
});
