import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { findProject } from "../../src/moments/project/project.ts";
import { homeAt } from "../../src/store/home.ts";
import { setTrust } from "../../src/store/trust.ts";
import type { Reply } from "../fakes/anthropic-reply.ts";
import { requestText } from "../fakes/anthropic-requests.ts";
import { orSkipReason } from "../support/packages.ts";
import { bundle, cliOf, OLD_PI, PI, type PiDriver, type PiVersion, startPi } from "../support/pi.ts";
import { noStrace } from "../support/tampering.ts";
import { hasTmux, NO_TMUX } from "../support/terminal.ts";
import { temporaryFolder, write } from "../support/world.ts";
import { configure } from "./continuo.ts";
import { hostContract } from "./host-contract.ts";
import type { SeenRequest } from "./host-driver.ts";

const SKIP = {
  child: "pi has no subagents",
  title: "pi asks for no titles",
  "refused stop": "`pi -p` ends with the answer; below: where somebody watches",
  killed: "we run inside its process and have none of our own",
  ...(hasTmux ? {} : { decide: NO_TMUX }),
  ...(noStrace === undefined ? {} : { network: noStrace }),
};

/** 1.5.2 cannot be installed from npm here; docs/design/hosts/pi.md says how to get it and where to name it. */
const own = process.env["CONTINUO_TEST_PI"];
const OWN: PiVersion[] = own === undefined ? [] : [{ ...PI, version: `at ${own}`, cli: own }];

const RULES = {
  ".continuo/rules/always.md": "MARK-ALWAYS: write plain sentences.",
  ".continuo/rules/typed.md": "---\nglobs: '**/*.ts'\n---\nMARK-TYPED: imports end in ts.",
  ".continuo/rules/word.md": "---\nkeywords: [elephant]\n---\nMARK-WORD: elephants are grey.",
  ".continuo/rules/guard.md": "---\nguard: { action: deny, tool: Bash, match: forbidden }\n---\nMARK-GUARD",
  "src/a.ts": "export const a = 1;\n",
};
const READ: Reply = { toolUses: [{ name: "read", input: { path: "src/a.ts" } }] };

for (const pi of [PI, OLD_PI, ...OWN]) {
  const found = await orSkipReason(cliOf(pi));
  const missing = typeof found === "object" ? found.skip : undefined;
  hostContract({ name: `pi ${pi.version}`, missing, start: () => startPi(pi), skip: SKIP });

  describe.skipIf(missing !== undefined)(`pi ${pi.version}, besides the contract`, () => {
    async function started(settings?: object): Promise<PiDriver> {
      const driver = await startPi(pi, settings);
      onTestFinished(() => driver.dispose());
      write(driver.project, RULES);
      return driver;
    }

    it("has the agent go on once where somebody watches, if it stops before what a rule of the user's own wants", async () => {
      const driver = await started();
      write(join(driver.home, ".continuo"), {
        "rules/test-first.md":
          "---\nchecks:\n  commands:\n    before: done\n    ran: echo MARK-TESTED\n    reaction: deny\n    message: MARK-ADVICE\n---\nTest first.",
      });
      script(driver, [
        { toolUses: [{ name: "write", input: { path: "src/b.ts", content: "export {};\n" } }] },
      ]);
      const { requests } = await driver.rpc(undefined, [{ type: "prompt", message: "write it", settles: 2 }]);
      const told = requests.map(({ text }) => text.split("MARK-ADVICE").length - 1);
      expect(told).toEqual([0, 0, 1]);
    });

    it("offers Continuo's tools, and reports a failed one as failed", async () => {
      const driver = await started();
      configure(driver, { tools: "all" });
      script(driver, [
        { toolUses: [{ name: "set_relevant_context", input: { setName: "ports", items: ["8080"] } }] },
        { toolUses: [{ name: "get_relevant_context", input: {} }] },
        { toolUses: [{ name: "set_relevant_context", input: { setName: "", items: ["x"] } }] },
      ]);
      await driver.turn("remember the port");
      const last = driver.server.requests.at(-1)!;
      expect(last.body.tools?.map((tool) => tool.name)).toContain("set_relevant_context");
      const results = last.body.messages.flatMap((one) => (Array.isArray(one.content) ? one.content : []));
      const failed = results
        .filter((block) => block.type === "tool_result")
        .map((block) => block["is_error"]);
      expect(failed).toEqual([false, false, true]);
      expect(requestText(last)).toContain("8080");
    });

    it("delivers a file's rule in the next request, and a guard stops a call", async () => {
      const driver = await started();
      await setTrust(homeAt(join(driver.home, ".continuo")), findProject(driver.project).id, "", Date.now());
      script(driver, [READ, { toolUses: [{ name: "bash", input: { command: "echo forbidden > x" } }] }]);
      const { requests } = await driver.turn("read it");
      expect(requests).toHaveLength(3);
      expect(requests.map((one) => count(one, "MARK-TYPED"))).toEqual([0, 1, 1]);
      expect(count(requests[2]!, "MARK-GUARD")).toBe(2); // the rule, and the reason of the refusal
    });

    it("keeps Continuo's blocks out of the summary, and says what is to be kept", async () => {
      const driver = await started();
      const { session } = await driver.turn("hello");
      // Longer than what the compaction keeps, or 0.73.1 keeps everything and summarises nothing.
      await driver.turn("again and ".repeat(30), { session });
      const summarisers = await driver.compact(session);
      // Some versions summarise the beginning of a long turn in a separate request.
      expect(summarisers.map((one) => one.kind)).toContain("compaction");
      expect(total(summarisers, "MARK-ALWAYS")).toBe(0);
      expect(total(summarisers, "block out of the summary")).toBe(1);
    });

    it("has the rules in the next request when a full context is compacted in mid-turn", async () => {
      const driver = await started();
      const full = { status: 400, error: "prompt is too long: 213462 tokens > 200000 maximum" };
      const { session } = await driver.turn("hello");
      script(driver, [READ, { text: "read" }, full]);
      const { requests } = await driver.rpc(session, [
        { type: "prompt", message: "read it" },
        { type: "prompt", message: "go on", settles: pi === OLD_PI ? 2 : 1 },
        { type: "prompt", message: "and on" },
      ]);
      const at = requests.map((one) => one.kind).lastIndexOf("compaction");
      expect(at).toBeGreaterThan(0);
      const after = requests.slice(at + 1);
      expect(after).toHaveLength(2);
      for (const one of after)
        for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(count(one, mark), mark).toBe(1);
      expect(after[1]!.units.slice(0, after[0]!.units.length)).toEqual(after[0]!.units);
    });

    it("costs no request if the compaction is between two prompts", async () => {
      const driver = await started();
      const { session } = await driver.turn("hello");
      script(driver, [{ text: "much", usage: { input_tokens: 126_000 } }]);
      const { requests } = await driver.rpc(session, [
        { type: "prompt", message: "a lot", settles: 1 },
        { type: "prompt", message: "go on" },
      ]);
      const kinds = requests.map((one) => one.kind).filter((kind, i, all) => kind !== all[i - 1]);
      expect(kinds).toEqual(["main", "compaction", "main"]);
      expect(count(requests.at(-1)!, "MARK-ALWAYS")).toBe(1);
    });

    it("receives what a user writes while it works", async () => {
      const driver = await started();
      script(driver, [{ ...READ, delayMs: 1_500 }, READ]);
      const { requests } = await driver.rpc(undefined, [
        { type: "prompt", message: "read it", during: true },
        { type: "prompt", message: "mind the elephant", streamingBehavior: "steer", after: "message_start" },
        { type: "prompt", message: "bye" },
      ]);
      expect(count(requests.at(-1)!, "MARK-WORD")).toBe(1);
      for (const [i, one] of requests.entries())
        expect(one.units).toEqual(requests.at(-1)!.units.slice(0, requests[i]!.units.length));
    });

    it("has what a steered message brings in the request that answers it, or at least after a resume", async () => {
      const driver = await started();
      const { session } = await driver.turn("hello");
      script(driver, [{ text: "working", delayMs: 1_500 }]);
      const { requests } = await driver.rpc(session, [
        { type: "prompt", message: "work", during: true },
        { type: "prompt", message: "mind the elephant", streamingBehavior: "steer", after: "message_start" },
      ]);
      expect(requests).toHaveLength(2);
      expect(count(requests[1]!, "mind the elephant")).toBe(1);
      // 0.73.1 would make a request for it alone.
      expect(count(requests[1]!, "MARK-WORD")).toBe(pi === OLD_PI ? 0 : 1);
      const { requests: later } = await driver.turn("bye", { session });
      expect(count(later.at(-1)!, "MARK-WORD")).toBe(1);
      if (pi !== OLD_PI)
        expect(later[0]!.units.slice(0, requests[1]!.units.length)).toEqual(requests[1]!.units);
    });

    it("delivers once when it is installed twice", async () => {
      const driver = await started();
      await bundle(join(driver.home, ".pi", "agent", "extensions", "again.js"));
      const first = await driver.turn("hello", { replies: [{ read: "src/a.ts" }] });
      const second = await driver.turn("again", { session: first.session });
      for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(count(second.requests.at(-1)!, mark)).toBe(1);
    });

    it("shows what it delivered, and starts again in a session that replaces another", async () => {
      const driver = await started();
      const { events, requests } = await driver.rpc(undefined, [
        { type: "prompt", message: "hello" },
        { type: "prompt", message: "/continuo-why" },
        { type: "prompt", message: "/continuo-sets ports 8080" },
        { type: "new_session" },
        { type: "prompt", message: "hello" },
        { type: "prompt", message: "/continuo-sets" },
      ]);
      const told = events.filter((event) => event["method"] === "notify").map((event) => event["message"]);
      expect(told[0]).toMatch(/^Continuo: 2 rules \(\d+ tokens\)$/);
      expect(told[1]).toContain("Continuo: 1 delivery");
      expect(told[2]).toBe("Set ports: 1 item");
      expect(told[3]).toMatch(/^Continuo: 2 rules/);
      expect(told[4]).toBe("This session keeps no sets.");
      const statuses = events.filter((event) => event["statusKey"] === "continuo");
      expect(statuses.map((event) => event["statusText"])).toContainEqual(
        expect.stringMatching(/^continuo: \d+ tokens/),
      );
      expect(requests.map((one) => count(one, "MARK-ALWAYS"))).toEqual([1, 1]);
      expect(events.filter((event) => event["type"] === "extension_error")).toEqual([]);
    });

    it("records in pi's session file what it delivered, once per run, and no model sees it", async () => {
      const driver = await started();
      const { session } = await driver.turn("hello", { replies: [{ read: "src/a.ts" }] });
      const { requests } = await driver.turn("nothing new", { session });
      const entries = readFileSync(session, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      const notes = entries.filter((entry) => entry.type === "custom" && entry.customType === "continuo");
      expect(notes.map((note) => note.data.deliveries)).toMatchObject([
        [
          { event: "before_agent_start", tokens: expect.any(Number) },
          { event: "tool_result", tokens: expect.any(Number) },
        ],
      ]);
      expect(JSON.stringify(notes)).not.toContain("MARK");
      for (const { fingerprint } of notes[0].data.deliveries)
        expect(count(requests.at(-1)!, fingerprint)).toBe(0);
    });

    it("gives the last request on resume", async () => {
      const driver = await started();
      script(driver, [
        { toolUses: [{ name: "set_relevant_context", input: { setName: "ports", items: ["8080"] } }] },
      ]);
      const { session } = await driver.turn("paint the button blue");
      const { requests } = await driver.turn("go on", { session });
      const last = 'The user\'s last request: "paint the button blue" (answered)';
      expect(count(requests[0]!, last) + count(requests[0]!, last.replaceAll('"', '\\"'))).toBe(1);
    });
  });
}

it("is one file that needs nothing but the runtime", async () => {
  const outfile = join(temporaryFolder(), "continuo-pi.js");
  await bundle(outfile);
  const { metafile } = await build({
    entryPoints: [outfile],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["bun:sqlite"],
    write: false,
    metafile: true,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports.map((one) => one.path));
  const foreign = imports.filter((one) => !builtinModules.includes(one.replace("node:", "")));
  expect(foreign.filter((one) => !/^(node|bun):sqlite$/.test(one))).toEqual([]);
});

function script(driver: PiDriver, replies: readonly Reply[]): void {
  const left = [...replies];
  driver.respondWith(() => left.shift() ?? { text: "done" });
}

function count(request: SeenRequest, mark: string): number {
  return request.text.split(mark).length - 1;
}

function total(requests: readonly SeenRequest[], mark: string): number {
  return requests.reduce((sum, one) => sum + count(one, mark), 0);
}
