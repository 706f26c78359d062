import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { TOOLS } from "../../../src/sources/tools.ts";
import { temporaryFolder } from "../../support/world.ts";
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
  expect(Object.keys(hooks["tool"] as object)).toEqual(TOOLS.map((tool) => tool.name));
});

type Server = (input: object) => Promise<Record<string, unknown>>;
