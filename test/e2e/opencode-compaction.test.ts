import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { classify, countOccurrences, requestText } from "../fakes/openai-requests.ts";
import { expectPrefixes, main, started, troubles, use } from "../hosts/opencode/turns.ts";
import { OPENCODE, OPENCODE_PACKAGE } from "../support/opencode.ts";
import { installedPackage, orSkipReason } from "../support/packages.ts";
import { write } from "../support/world.ts";

const found = await orSkipReason(installedPackage(OPENCODE_PACKAGE, OPENCODE));

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} compacting`, () => {
  it.each(["manual", "automatic"])(
    "has what is pinned and what holds in front of the model, word for word, after a %s compaction that lost it all",
    async (how) => {
      const { host, queue, project } = await started();
      write(project, { "docs/PINNED-PLAN.md": "the plan" });
      const session = await host.createSession();
      const read = use("read", { filePath: join(project, "src/a.ts") });
      const pinned = [join(project, "src/a.ts"), join(project, "docs/PINNED-PLAN.md")];
      queue.push(read, use("set_relevant_context", { setName: "files", items: pinned }));
      queue.push(use("set_relevant_context", { setName: "notes", items: ["PINNED-NOTE 4711"] }));
      await host.prompt(session, "read it and pin it");
      if (how === "automatic") queue.push({ ...read, promptTokens: 195_000 });
      const turn =
        how === "manual"
          ? await host.compact(session)
          : await host.prompt(session, "ASKED-LAST: read it again");
      const at = turn.map(classify).indexOf("compaction");
      // The summariser receives it, and writes "We worked." anyway.
      for (const path of pinned) expect(requestText(turn[at]!)).toContain(path);
      for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(countOccurrences(turn[at]!, mark)).toBe(0);
      // Its request has none of Continuo's blocks, so it is not asked to leave one out.
      expect(requestText(turn[at]!)).not.toContain("<continuo>");
      const [systemBefore] = main(host.server.requests)[0]!.body.messages;
      const after = [...main(turn.slice(at)), ...main(await host.prompt(session, "go on"))];
      expect(after).toHaveLength(how === "manual" ? 1 : 2);
      for (const request of after) {
        expect(requestText(request)).toContain("We worked.");
        const [system] = request.body.messages;
        // As without Continuo, a compaction leaves the system prompt as it was: the cached prefix holds.
        expect(system).toEqual(systemBefore);
        expect(JSON.stringify(system)).toContain("MARK-ALWAYS");
        const text = JSON.stringify(request.body.messages);
        for (const mark of ["MARK-TYPED", "PINNED-PLAN.md", "PINNED-NOTE 4711"])
          expect(text, mark).toContain(mark);
        expect(countOccurrences(request, "MARK-TYPED: imports end in ts.")).toBe(1);
        const asked = how === "manual" ? "read it and pin it" : "ASKED-LAST: read it again";
        expect(text).toContain(`The user's last request: \\"${asked}\\"`);
      }
      expectPrefixes(after);
      expect(host.server.all.every((line) => line === "POST /v1/chat/completions")).toBe(true);
      expect(troubles(host.home)).toEqual([]);
    },
  );
});

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} forking`, () => {
  it.each(["system", "noReply"])(
    "has each rule once in a fork, from its own snapshot, and does not add it again (injection: %s)",
    async (injection) => {
      const { host, queue, project } = await started(undefined, { hosts: { opencode: { injection } } });
      const read = use("read", { filePath: join(project, "src/a.ts") });
      const session = await host.createSession();
      queue.push(read);
      const before = main(await host.prompt(session, "read it")).at(-1)!;
      expect(countOccurrences(before, "MARK-TYPED")).toBe(1);
      const fork = (await host.request("POST", `/session/${session}/fork`, {})) as { id: string };
      queue.push(read);
      const first = main(await host.prompt(fork.id, "go another way"));
      await host.stop();
      const all = [...first, ...main(await host.prompt(fork.id, "go on"))];
      expect(all).toHaveLength(3);
      for (const request of all) {
        for (const mark of ["MARK-ALWAYS", "MARK-TYPED"])
          expect(countOccurrences(request, mark), mark).toBe(1);
        expect(countOccurrences(request, "<continuo-addition>")).toBe(0);
      }
      // The original session is unchanged.
      const origin = main(await host.prompt(session, "go on")).at(-1)!;
      for (const mark of ["MARK-ALWAYS", "MARK-TYPED"]) expect(countOccurrences(origin, mark), mark).toBe(1);
      expect(troubles(host.home)).toEqual([]);
    },
  );
});

describe.skipIf(typeof found === "object")(`OpenCode ${OPENCODE} resuming`, () => {
  it("gives a session in a new process the last unanswered request", async () => {
    const { host, queue } = await started();
    const session = await host.createSession();
    await host.prompt(session, "hello");
    queue.push({ delayMs: 5_000 });
    const seen = host.server.requests.length;
    const killed = host.prompt(session, "ASKED-LAST: write it").catch(() => "killed");
    await vi.waitUntil(() => host.server.requests.length > seen, { timeout: 20_000 });
    await host.stop();
    expect(await killed).toBe("killed");
    const request = main(await host.prompt(session, "and now?")).at(-1)!;
    expect(requestText(request)).toContain(
      `The user's last request: "ASKED-LAST: write it" (no answer by then)`,
    );
    await host.stop();
    const later = main(await host.prompt(session, "again?")).at(-1)!;
    expect(countOccurrences(later, "The user's last request:")).toBe(1);
  });
});
