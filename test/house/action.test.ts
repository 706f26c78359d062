import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAllCommands, loadCommand } from "../../src/cli/commands/index.ts";
import { candidatesFor } from "../../src/cli/completion/candidates.ts";
import { main } from "../../src/cli/main.ts";
import { registries } from "../../src/entries/registries.ts";
import { actionTools } from "../../src/moments/actions/as-tool.ts";
import { loadGroups } from "../../src/moments/offers/action-groups.ts";
import { loadOffers } from "../../src/moments/offers/offers.ts";
import type { OfferContext } from "../../src/moments/ports/offer.ts";
import { findProject } from "../../src/moments/project/project.ts";
import { MODULES } from "../../src/sources/index.ts";
import { findHome } from "../../src/store/home.ts";
import { actions } from "../../src/web/server/actions.ts";
import { bundledServer, startServer, textOf } from "../hosts/mcp/server.ts";
import { ROOT } from "../support/child.ts";
import { json, temporaryWeb } from "../support/web.ts";
import { temporaryWorld } from "../support/world.ts";
import { water } from "./toys/water/index.ts";

const modules = [...MODULES, water];
const world = { ...registries, actions: () => loadGroups(modules) };

const SERVER = `
  import { serveMcp } from "./src/hosts/mcp/serve-mcp.ts";
  import { loadOffers } from "./src/moments/offers/offers.ts";
  import { water } from "./test/house/toys/water/index.ts";
  loadOffers([water]).then(({ tools }) => {
    const capabilities = { tools, resources: [], prompts: [] };
    serveMcp({ env: process.env, cwd: process.cwd(), now: Date.now, version: "1", capabilities });
  });`;

async function run(...argv: string[]) {
  const place = temporaryWorld();
  let [out, err] = ["", ""];
  const code = await main(
    argv,
    { ...world, env: place.env, cwd: place.root, now: Date.now, packageRoot: ROOT, stdin: 0 },
    { out: (said) => (out += said), err: (said) => (err += said) },
  );
  return { code, out, err };
}

describe("an action that one file declares", () => {
  it("is a command, with --json, help, overview, completion and refusals", async () => {
    expect(await run("water", "plants", "the", "fern", "--litres", "2", "--gently")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/plant +litres +kind\n +the fern +2 +tap\n$/),
    });
    expect(JSON.parse((await run("water", "plants", "fern", "--json")).out)).toEqual({
      ok: true,
      data: { plant: "fern", litres: 1, kind: "tap", gently: false },
    });
    expect((await run("help", "water", "plants")).out).toMatch(/--litres LITRES +how much \(default: 1\)/);
    expect((await run("help")).out).toMatch(/ water +water plants/);
    const known = {
      loadCommand: (name: string) => loadCommand(name, world.actions),
      loadAllCommands: () => loadAllCommands(world.actions),
      tools: [],
    };
    expect(await candidatesFor(["water", ""], known)).toContainEqual(["plants", "water a plant"]);
    const choices = await candidatesFor(["water", "plants", "--kind", ""], known);
    expect(choices.map(([word]) => word)).toEqual(["rain", "tap"]);
    for (const [words, message, hint] of [
      [["fern", "--litres", "12"], 'invalid value for --litres: "12"', "a whole number from 1 to 9"],
      [["fern", "--kind", "tip"], 'invalid value for --kind: "tip"', "did you mean tap?"],
      [[], "PLANT is missing", "usage: continuo water plants PLANT"],
    ] as const) {
      const { code, err } = await run("water", "plants", ...words);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
      expect(err).toContain(hint);
    }
  });

  it("is an address of the page's server, and open pages hear of it", async () => {
    const { app, web } = temporaryWeb({}, [actions], { actions: world.actions });
    const heard: string[] = [];
    web.subscribe(({ type }) => heard.push(type));
    const ask = (address: string, body: object) => app.request(address, json("POST", body));
    const done = await ask("/api/do/water/plants", { plant: "fern", litres: 3 });
    expect([done.status, await done.json()]).toEqual([
      200,
      { plant: "fern", litres: 3, kind: "tap", gently: false },
    ]);
    expect(heard).toEqual(["notes"]);
    for (const [address, body, status, message] of [
      ["/api/do/water/plants", { plant: "fern", litres: "3" }, 400, 'body: "litres" must be'],
      ["/api/do/water/plants", {}, 400, 'body: field "plant" is missing'],
      ["/api/do/water/plants", { plant: "fern", more: 1 }, 400, 'body: unknown field "more"'],
      ["/api/do/water/plant", { plant: "fern" }, 404, 'there is no "water plant"'],
      ["/api/do/fire", {}, 404, 'there is no "fire"'],
    ] as const) {
      const refused = await ask(address, body);
      expect(refused.status).toBe(status);
      expect(await refused.text()).toContain(message.replaceAll('"', '\\"'));
    }
  });

  it("is a tool of the MCP server, and refuses a model's mistakes by name", async () => {
    const { env, root } = temporaryWorld();
    const script = await bundledServer(join(root, ".."), SERVER);
    const server = startServer(script, { ...env, CLAUDE_CODE_SESSION_ID: "s1" }, root);
    await server.initialize();
    const { result } = await server.request("tools/list");
    expect(result?.["tools"]).toMatchObject([
      {
        name: "water_plants",
        description: "Water a plant.",
        inputSchema: {
          properties: { litres: { type: "integer", minimum: 1, maximum: 9, description: "how much" } },
          required: ["plant"],
        },
      },
    ]);
    expect(textOf(await server.call("water_plants", { plant: "fern" }))).toContain("fern  1  tap");
    expect(textOf(await server.call("water_plants", { plant: "fern", kind: "oil" }))).toContain(
      "kind must be one of rain, tap",
    );
  });

  it("is no tool if the person is asked first, whatever it says of itself", async () => {
    const [group] = (await water.actions?.()) ?? [];
    const [plants] = group?.actions ?? [];
    if (group === undefined || plants === undefined) throw new Error("the toy has changed");
    const toolsWith = (asks?: typeof plants.asks) =>
      actionTools([{ ...group, actions: [{ ...plants, asks }] }], { sources: async () => [] });
    expect(toolsWith()).toHaveLength(1);
    expect(toolsWith(() => undefined)).toEqual([]);
  });

  it("is a command inside an agent, for the person alone", async () => {
    const { env, root } = temporaryWorld();
    const { offers, prompts } = await loadOffers(modules);
    const call: OfferContext = {
      session: { host: "pi", id: "s1" },
      cwd: root,
      home: findHome(env),
      env,
      now: Date.now(),
      history: registries.history,
      project: findProject(root),
      settings: {},
    };
    const command = offers.flatMap(({ commands = [] }) => commands).find(({ name }) => name === "continuo");
    expect(await command?.run("water plants the fern --litres 2", call)).toBe(
      "plant  litres  kind\nthe fern  2  tap",
    );
    expect(await command?.run(`water plants "the old  fern" --litres '2'`, call)).toContain(
      "the old fern  2  tap",
    );
    const prompt = prompts.find(({ name }) => name === "run");
    expect(await prompt?.answer?.("water plants fern --kind oil", call)).toContain(
      "expected one of rain, tap",
    );
    expect(await prompt?.answer?.("", call)).toContain("water plants: water a plant");
  });
});
