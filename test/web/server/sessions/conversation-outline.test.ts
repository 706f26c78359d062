import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { appendLedger } from "../../../../src/moments/state/ledger.ts";
import type { Outline } from "../../../../src/web/api/conversation.ts";
import { HISTORIES } from "../../../hosts/shared/history/histories/all.ts";
import { asked, line, pageWorld, returned, SESSION } from "./page-world.ts";

const FIRST = Date.UTC(2026, 10, 15, 12, 0, 0);
const at = (seconds: number): string => new Date(FIRST + seconds * 1000).toISOString();
const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 90,
  output_tokens: 20,
};
const answer = (seconds: number, id: string, content: readonly object[], more: object = {}): string =>
  line("assistant", {
    timestamp: at(seconds),
    message: { id, role: "assistant", model: "m", content, usage },
    ...more,
  });
const words = (text: string) => ({ type: "text", text });
const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "npm test" } });

const outlined = (here: ReturnType<typeof pageWorld>): Promise<Outline> => here.json("/conversation/outline");

describe("the outline of a conversation", () => {
  it("has the duration and the tokens of each prompt; pieces of one answer count once", async () => {
    const here = pageWorld();
    here.transcript(
      asked("one", "p1", { timestamp: at(0) }),
      answer(5, "m1", [words("I run it.")]),
      answer(6, "m1", [call("c1")]),
      returned("c1", "ok").replace(/"timestamp":"[^"]*"/, `"timestamp":"${at(60)}"`),
      answer(65, "m2", [words("Done.")]),
      asked("two", "p2", { timestamp: at(7_200) }),
      line(
        "assistant",
        { timestamp: at(7_210), message: { id: "m3", role: "assistant", content: [words("Yes.")] } },
        "a2",
      ),
    );
    await here.sync();
    const { prompts, marks, isPart } = await outlined(here);
    expect(prompts).toMatchObject([
      { turn: "p1", place: 0, ms: 65_000, tokens: { requests: 2, input: 2_000, cached: 1_800, output: 40 } },
      { turn: "p2", ms: 10_000, last: "a2" },
    ]);
    // Nothing is invented where no tokens are stored.
    expect(prompts[1]).not.toHaveProperty("tokens");
    expect({ marks, isPart }).toEqual({ marks: [], isPart: undefined });
  });

  it("marks compactions, errors, failed calls and broken rules at their turns", async () => {
    const here = pageWorld();
    here.transcript(
      asked("one", "p1", { timestamp: at(0) }),
      answer(10, "m1", [call("c1")], { uuid: "edit" }),
      asked(
        [{ type: "tool_result", tool_use_id: "c1", content: "2 tests failed\nmore", is_error: true }],
        "r1",
        {
          timestamp: at(20),
          toolUseResult: {},
        },
      ),
      answer(22, "m3", [call("c2")], { uuid: "edit2" }),
      // What the person rejected is no failure.
      asked(
        [
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
            is_error: true,
          },
        ],
        "r2",
        { timestamp: at(24), toolUseResult: "User rejected tool use" },
      ),
      asked("We looked at rounding.", "s1", { timestamp: at(30), isCompactSummary: true }),
      answer(40, "m2", [words("API Error: 529")], { uuid: "e1", isApiErrorMessage: true }),
    );
    appendLedger(here.web.home, FIRST + 12_000, {
      ...{ kind: "broken", host: "claude-code", session: SESSION, project: "/work/shop", epoch: 1 },
      ...{ rule: "rules/money.md", name: "money.md", check: "c", on: "edits", reaction: "remind", text: "x" },
    });
    await here.sync();
    const { marks, turns } = await outlined(here);
    expect(marks.map(({ kind, turn, text }) => [kind, turn, text])).toEqual([
      ["broken", "edit", "money.md"],
      ["failed", "r1", "2 tests failed"],
      ["compaction", "s1", "We looked at rounding."],
      ["error", "e1", "API Error: 529"],
    ]);
    expect(turns).toBe(7);
    expect(marks.every(({ place }) => place >= 0 && place < turns)).toBe(true);
  });

  it("goes on where it ended when the transcript grows, and begins again when it is replaced", async () => {
    const here = pageWorld();
    here.transcript(asked("one", "p1", { timestamp: at(0) }), answer(5, "m1", [words("A.")]));
    await here.sync();
    expect((await outlined(here)).prompts).toMatchObject([{ ms: 5_000, tokens: { requests: 1 } }]);
    appendFileSync(here.path, answer(9, "m2", [words("B.")]) + asked("two", "p2", { timestamp: at(20) }));
    const grown = await outlined(here);
    expect(grown.prompts).toMatchObject([{ ms: 9_000, tokens: { requests: 2 } }, { turn: "p2" }]);
    expect(grown.turns).toBe(4);
    here.transcript(asked("new", "p9", { timestamp: at(0) }));
    expect((await outlined(here)).prompts.map(({ turn }) => turn)).toEqual(["p9"]);
  });

  it("keeps the newest of very many marks and prompts", async () => {
    const here = pageWorld();
    const steps = Array.from({ length: 1_500 }, (_, i) => [
      asked(`n${i}`, `p${i}`, { timestamp: at(i) }),
      answer(i, `e${i}`, [words("API Error")], { uuid: `e${i}`, isApiErrorMessage: true }),
    ]);
    here.transcript(...steps.flat());
    await here.sync();
    let outline = await outlined(here);
    for (let i = 0; outline.isPart && i < 100; i++) outline = await outlined(here);
    expect(outline.turns).toBe(3_000);
    expect([outline.marks.length, outline.prompts.length]).toEqual([1_000, 1_000]);
    expect([outline.marks.at(-1)?.turn, outline.prompts.at(-1)?.turn]).toEqual(["e1499", "p1499"]);
  });

  it("is empty for a session of which nothing is written yet", async () => {
    const here = pageWorld();
    await here.sync();
    expect((await here.get("/conversation/outline")).status).toBe(404);
  });
});

it.each(HISTORIES.map((history) => [history.reader.host, history] as const))(
  "a session of %s has its prompts, its compaction and its tokens as stored",
  async (host, history) => {
    const here = pageWorld();
    history.write(here.user);
    await here.sync();
    const { prompts, marks } = await here.json<Outline>("/conversation/outline", host, history.session);
    expect(prompts.length).toBeGreaterThanOrEqual(2);
    expect(marks.filter(({ kind }) => kind === "compaction")).toHaveLength(1);
    const stored = (await here.web.sessions()).turns({ host, id: history.session });
    const answers = new Map(
      [...stored].flatMap(({ id, group = id, usage }) => (usage ? [[group, usage]] : [])),
    );
    const output = (sum: number, one: { readonly output: number }) => sum + one.output;
    expect(prompts.flatMap(({ tokens }) => tokens ?? []).reduce(output, 0)).toBe(
      [...answers.values()].reduce(output, 0),
    );
  },
);
