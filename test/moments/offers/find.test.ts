import { describe, expect, it } from "vitest";
import { ContinuoError } from "../../../src/base/errors.ts";
import { loadHistory } from "../../../src/hosts/index.ts";
import { type FindOptions, findAll, findersFor } from "../../../src/moments/offers/find.ts";
import type { Finder, Findings, Hit } from "../../../src/moments/ports/finder.ts";
import type { ToolContext } from "../../../src/moments/ports/tool.ts";
import { findingsText } from "../../../src/sources/notes/ports/search-memories.ts";
import { homeAt } from "../../../src/store/home.ts";

const call: ToolContext = {
  session: { host: "pi", id: "s" },
  cwd: "/",
  home: homeAt("/nowhere"),
  history: loadHistory,
  env: {},
  now: 0,
};
const SOUGHT = { query: "q", filter: {}, page: 1, patienceMs: 1 };

function finder(kind: string, find: () => Promise<Findings>, more: Partial<Finder> = {}): Finder {
  return {
    kind,
    heading: `${kind}:`,
    nothing: `no ${kind}`,
    pageSize: 2,
    filters: [],
    isOn: () => true,
    find,
    ...more,
  };
}

const hit = (title: string, excerpt = ""): Hit => ({ title, where: [title], score: 0.5, time: 0, excerpt });
const finds =
  (hits: readonly Hit[], total = hits.length) =>
  async () => ({ hits, total, notices: [] });
const fails = (error: unknown) => async () => Promise.reject(error);

async function ask(finders: readonly Finder[], more: Partial<FindOptions> = {}) {
  const failures: string[] = [];
  const answers = await findAll(finders, SOUGHT, {
    call,
    onFailure: (where) => failures.push(where),
    ...more,
  });
  return { text: findingsText(answers), failures };
}

describe("which finders are asked", () => {
  const notes = finder("notes", finds([]), { filters: ["tags", "since"] });
  const sessions = finder("sessions", finds([]), { filters: ["host", "since"] });
  const asked = (kind: string | undefined, filter: object) =>
    findersFor([notes, sessions], kind, filter, call).map((one) => one.kind);

  it("all, or the requested kind, or those that support the filter", () => {
    expect(asked(undefined, { since: 1 })).toEqual(["notes", "sessions"]);
    expect(asked("sessions", {})).toEqual(["sessions"]);
    expect(asked(undefined, { host: "pi" })).toEqual(["sessions"]);
  });

  it("none if no kind supports the filter; the error says what is supported", () => {
    expect(() => asked("notes", { host: "pi" })).toThrow("nothing can be filtered by host");
    expect(() => asked(undefined, { host: "pi", tags: ["a"] })).toThrow(
      expect.objectContaining({ hint: "filter notes by tags, since; sessions by host, since" }),
    );
  });

  it("none whose source is turned off", () => {
    const off = { ...sessions, isOn: () => false };
    expect(findersFor([notes, off], undefined, {}, call)).toEqual([notes]);
    expect(() => findersFor([notes, off], "sessions", {}, call)).toThrow("sessions is turned off");
  });
});

describe("what finders answer", () => {
  it("is listed under each heading, with the number of further hits", async () => {
    const { text } = await ask([finder("a", finds([hit("one"), hit("two")], 5)), finder("b", finds([]))]);
    expect(text).toBe("a:\n- one (one) 0.50\n- two (two) 0.50\n3 more: page 2\n\nno b");
  });

  it("is shown without finders that failed or were late, and the failure is recorded", async () => {
    const { text, failures } = await ask(
      [
        finder("good", finds([hit("one")])),
        finder("damaged", fails(new ContinuoError("index-corrupt", "it is damaged", { hint: "delete it" }))),
        finder("slow", () => new Promise(() => undefined)),
      ],
      { deadlineMs: 20 },
    );
    expect(text).toContain("- one (one)");
    expect(text).toContain("The damaged could not be searched: it is damaged; delete it");
    expect(text).toContain("the search of slow took longer than 20 ms");
    expect(failures).toEqual(["damaged", "slow"]);
  });

  it("is an error if all failed, and an invalid request is not recorded as a failure", async () => {
    const wrong = fails(new ContinuoError("query-empty", "nothing to look for"));
    await expect(ask([finder("a", wrong), finder("b", wrong)])).rejects.toThrow("nothing to look for");
    const { failures } = await ask([finder("a", wrong), finder("b", finds([]))]);
    expect(failures).toEqual([]);
  });

  it("stays within a number of tokens, with whole hits only, and says what had no room", async () => {
    const many = Array.from({ length: 50 }, (_, i) => hit(`hit ${i}`, "many words ".repeat(60)));
    const { text } = await ask([finder("a", finds(many)), finder("b", finds(many))], { pageSize: 50 });
    expect(text.length).toBeLessThan(4_000 * 6);
    expect(text).toMatch(/^\d+ of this page had no room: ask with a smaller pageSize$/m);
    const [a = "", b = ""] = text.split("\n\n");
    expect(a.match(/^- hit/gm)?.length).toBe(b.match(/^- hit/gm)?.length);
  });
});
