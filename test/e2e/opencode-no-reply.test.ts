import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../fakes/openai.ts";
import { classify, countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { expectPrefixes, main, started, troubles, use } from "../hosts/opencode/turns.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

const startedWithOwnMessages = () => started(undefined, { hosts: { opencode: { injection: "noReply" } } });

const roles = (request: ChatRequest) => request.body.messages.map((message) => message.role).join(" ");

/** The snapshot is there once, in a message with the user's role. */
function expectOwnMessage(request: ChatRequest): void {
  expect(countOccurrences(request, "<continuo>")).toBe(1);
  expect(countOccurrences(request, "MARK-ALWAYS")).toBe(1);
  const [holder] = request.body.messages.filter((message) => JSON.stringify(message).includes("MARK-ALWAYS"));
  expect(holder?.role).toBe("user");
}

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} with injection: "noReply"`, () => {
  it("has the snapshot before the first prompt, once, with one turn per prompt, also in later processes", async () => {
    const { host } = await startedWithOwnMessages();
    const session = await host.createSession();
    const first = await host.prompt(session, "PROMPT-1");
    const second = await host.prompt(session, "PROMPT-2");
    await host.stop();
    const third = await host.prompt(session, "PROMPT-3");
    for (const turn of [first, second, third]) expect(main(turn)).toHaveLength(1);
    const all = main([...first, ...second, ...third]);
    for (const request of all) {
      expectOwnMessage(request);
      const text = requestText(request);
      expect(text.indexOf("MARK-ALWAYS")).toBeLessThan(text.indexOf("PROMPT-1"));
    }
    expect(roles(all[0]!)).toBe("system user user");
    expectPrefixes(all);
    const titled = host.server.requests.filter((request) => classify(request) === "title");
    expect(titled).toHaveLength(1);
    expect(troubles(host.home)).toEqual([]);
  });

  it("has the snapshot again after a compaction that did not change it", async () => {
    const { host } = await startedWithOwnMessages();
    const session = await host.createSession();
    await host.prompt(session, "hello");
    await host.compact(session);
    await host.compact(session);
    for (const prompt of ["go on", "and on"]) {
      const requests = main(await host.prompt(session, prompt));
      expect(requests).toHaveLength(1);
      expectOwnMessage(requests[0]!);
    }
  });

  it("keeps the session's agent", async () => {
    const { host } = await startedWithOwnMessages();
    const session = await host.createSession();
    const ask = (text: string) => ({ agent: "plan", parts: [{ type: "text", text }] });
    await host.request("POST", `/session/${session}/message`, ask("think"));
    const messages = (await host.request("GET", `/session/${session}/message`)) as {
      info: { role: string; agent?: string };
    }[];
    const users = messages.filter(({ info }) => info.role === "user");
    expect(users.map(({ info }) => info.agent)).toEqual(["plan", "plan"]);
  });

  it.each(["manual", "automatic"])(
    "has one new snapshot and no turn too many after a %s compaction",
    async (how) => {
      const { host, queue, project } = await startedWithOwnMessages();
      const session = await host.createSession();
      const read = use("read", { filePath: join(project, "src/a.ts") });
      queue.push(read);
      await host.prompt(session, "read it");
      if (how === "automatic") queue.push({ ...read, promptTokens: 195_000 });
      const turn =
        how === "manual" ? await host.compact(session) : await host.prompt(session, "read it again");
      const at = turn.map(classify).indexOf("compaction");
      expect(at).toBeGreaterThanOrEqual(0);
      expect(countOccurrences(turn[at]!, "MARK")).toBe(0);
      const goesOn = main(turn.slice(at));
      expect(goesOn).toHaveLength(how === "manual" ? 0 : 1);
      const next = main(await host.prompt(session, "go on"));
      expect(next).toHaveLength(1);
      for (const request of [...goesOn, ...next]) {
        expectOwnMessage(request);
        expect(countOccurrences(request, "MARK-TYPED")).toBe(1);
      }
      expectPrefixes([...goesOn, ...next]);
      expect(troubles(host.home)).toEqual([]);
    },
  );
});
