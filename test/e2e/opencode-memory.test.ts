import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../fakes/openai.ts";
import { classify, countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { main, started, troubles, use } from "../hosts/opencode/turns.ts";
import { OPENCODE, OPENCODE_PACKAGE, type OpenCode } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { temporaryFolder, write } from "../support/world.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

/** Its line in the list of a start. */
const TOLD = "- Ledger: Entries are never changed";

type Injection = "system" | "noReply";

/** A project that one of the user's notes is about. */
async function withNotes(injection: Injection) {
  const driver = await started({}, { hosts: { opencode: { injection } } });
  const label = basename(driver.project);
  write(driver.host.home, {
    ".continuo/memory/tech/ledger.md": `---\nproject: ${label}\n---\n# Ledger\n\nEntries are never changed, only added to the [[journal]].`,
  });
  return driver;
}

async function titleOf(host: OpenCode, session: string): Promise<string> {
  return ((await host.request("GET", `/session/${session}`)) as { title: string }).title;
}

interface Message {
  readonly info: {
    readonly role: string;
    readonly agent?: string;
    readonly model?: { readonly modelID: string };
  };
}

describe.skipIf(typeof found === "object")(`notes in OpenCode ${OPENCODE}`, () => {
  it.each<Injection>(["system", "noReply"])(
    "T-2.1.1 are in a new session before its first answer (injection: %s)",
    async (injection) => {
      const { host } = await withNotes(injection);
      const session = await host.createSession();
      const [first] = main(await host.prompt(session, "PROMPT-1"));
      expect(countOccurrences(first!, TOLD)).toBeGreaterThan(0);
      const text = requestText(first!);
      expect(text.indexOf(TOLD)).toBeLessThan(text.indexOf("PROMPT-1"));
      expect(troubles(host.home)).toEqual([]);
    },
  );

  it("asks another memory program once for a session, and reports one that is missing", async () => {
    const folder = temporaryFolder();
    write(folder, {
      "notes.js": `require("node:fs").appendFileSync(__dirname + "/calls", process.argv[3] + "\\n");
        console.log(JSON.stringify({ results: [], items: [] }));`,
    });
    const command = `"${process.execPath}" "${join(folder, "notes.js")}"`;
    const { host } = await started({}, { sources: { memory: { command, startText: "full" } } });
    await host.prompt(await host.createSession(), "PROMPT-1");
    expect(readFileSync(join(folder, "calls"), "utf8").trim().split("\n").sort()).toEqual([
      "RecentActivity",
      "SearchMemories",
    ]);
    expect(troubles(host.home)).toEqual([]);
    const without = await started({}, { sources: { memory: { command: "no-such-program" } } });
    // What is loaded ahead of a first prompt finds it missing too.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await without.host.prompt(await without.host.createSession(), "PROMPT-2");
    expect(troubles(without.host.home).join()).toContain("no-such-program is not on the PATH");
  });

  it.each<Injection>(["system", "noReply"])(
    "T-2.5.1 ask for no reply and change neither title, agent nor model (injection: %s)",
    async (injection) => {
      const { host } = await withNotes(injection);
      const session = await host.createSession();
      const before = host.server.requests.length;
      const ask = (text: string) => ({ agent: "plan", parts: [{ type: "text", text }] });
      await host.request("POST", `/session/${session}/message`, ask("think about it"));
      const requests = host.server.requests.slice(before);
      expect(main(requests)).toHaveLength(1);
      await expect.poll(() => titleOf(host, session), { timeout: 20_000 }).toBe("A title");
      // The host makes the title from all messages up to the first prompt, and plug-ins cannot change that.
      const asked = host.server.requests.filter((one) => classify(one) === "title");
      expect(asked.map((one) => countOccurrences(one, TOLD))).toEqual([injection === "noReply" ? 1 : 0]);
      const messages = (await host.request("GET", `/session/${session}/message`)) as Message[];
      const users = messages.filter(({ info }) => info.role === "user").map(({ info }) => info);
      expect(users).toHaveLength(injection === "noReply" ? 2 : 1);
      expect(new Set(users.map(({ agent }) => agent))).toEqual(new Set(["plan"]));
      const models = new Set(users.map(({ model }) => model?.modelID));
      expect([...models]).toEqual([main(requests)[0]?.body.model]);
      expect(messages.filter(({ info }) => info.role === "assistant")).toHaveLength(1);
    },
  );

  it.each<Injection>(["system", "noReply"])(
    "are there once after a resume and in a fork, and not in a subagent (injection: %s)",
    async (injection) => {
      const { host, queue } = await withNotes(injection);
      const session = await host.createSession();
      queue.push(use("task", { description: "a job", prompt: "do it", subagent_type: "general" }));
      const first = await host.prompt(session, "delegate it");
      const children = first.filter((request) => classify(request) === "child");
      expect(children.length).toBeGreaterThan(0);
      const toolsOf = ({ body }: ChatRequest) => (body.tools ?? []).map((tool) => tool.function.name);
      expect(toolsOf(main(first)[0]!)).toContain("search_memories");
      for (const child of children) {
        expect(countOccurrences(child, TOLD)).toBe(0);
        expect(toolsOf(child)).toContain("read");
        expect(toolsOf(child).filter((name) => /memor|_session|_context|propose_/.test(name))).toEqual([]);
      }
      const times = countOccurrences(main(first)[0]!, TOLD);
      await host.stop();
      const resumed = main(await host.prompt(session, "go on"));
      const fork = (await host.request("POST", `/session/${session}/fork`, {})) as { id: string };
      const forked = main(await host.prompt(fork.id, "go another way"));
      const held = (mark: string) => [...resumed, ...forked].map((one) => countOccurrences(one, mark));
      expect(held("<continuo>")).toEqual([1, 1]);
      expect(held(TOLD)).toEqual([times, times]);
      expect(troubles(host.home)).toEqual([]);
    },
  );
});
