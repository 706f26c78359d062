import { describe, expect, it } from "vitest";
import { loadHistory } from "../../../src/hosts/index.ts";
import type { Form, FormAnswers } from "../../../src/moments/ports/form.ts";
import type { Suggestion, Suggestions } from "../../../src/moments/ports/suggestions.ts";
import {
  type Choice,
  describeSuggestion,
  reviewAll,
  reviewByForm,
  takesEffect,
} from "../../../src/moments/review/review.ts";
import { reviewCommand } from "../../../src/moments/review/review-prompt.ts";
import { MODULES } from "../../../src/sources/index.ts";
import { learningSuggestions } from "../../../src/sources/profile/learning/suggestions.ts";
import { exampleSeed, parsed, proposal } from "../../sources/profile/seeds.ts";
import { temporaryWorld, write } from "../../support/world.ts";

function setUp(...texts: string[]) {
  const world = temporaryWorld();
  const folder = `${world.env["HOME"]}/.pai`;
  const proposals = texts.map((text, i) => proposal(`p${i}`, text));
  write(folder, { "seed.json": JSON.stringify(exampleSeed({ state: { proposals } })) });
  const inbox = learningSuggestions({ home: world.home.root, env: world.env });
  const learned = () => parsed(`${folder}/seed.json`).learned.patterns.map((one) => one.content);
  const pending = () => inbox.list().map((one) => one.text);
  return { ...world, inbox, learned, pending };
}

const choosing = (...choices: Choice[]) => {
  const shown: string[] = [];
  const choose = async ({ text }: { text: string }, { last }: { last: string | undefined }) => {
    shown.push(last === undefined ? text : `${last} / ${text}`);
    return choices.shift() ?? ({ do: "stop" } as const);
  };
  return { choose, shown };
};

describe("going through what waits", () => {
  it("marks what is similar to a rejected suggestion", () => {
    const one = {
      ...{ id: "p", text: "Ask me", kind: "pattern" as const, scope: "everywhere" as const, quote: "ask me" },
      ...{ session: "s", at: Number.NaN, byModel: false, project: "shop" },
    };
    expect(describeSuggestion(one)[0]).toBe('"Ask me"');
    expect(describeSuggestion({ ...one, similarTo: "Ask first" })[0]).toBe(
      '"Ask me" (similar to one you rejected: "Ask first")',
    );
  });

  it("accepts, edits, rejects and leaves for later, in order, and says what was done", async () => {
    const { inbox, learned, pending } = setUp("Use pnpm", "Tests first", "Be brief", "Use tabs");
    const { choose, shown } = choosing(
      { do: "accept" },
      { do: "later" },
      { do: "accept", text: "Be very brief" },
      { do: "reject" },
    );
    const reviewed = await reviewAll(inbox, choose);
    expect(shown.map((one) => one.split(" / ").at(-1))).toEqual([
      "Use pnpm",
      "Tests first",
      "Be brief",
      "Use tabs",
    ]);
    expect(reviewed).toMatchObject({ accepted: 2, rejected: 1, left: 1 });
    expect(reviewed.done[0]).toBe('Accepted "Use pnpm"');
    expect(learned()).toEqual(["Use pnpm", "Be very brief"]);
    expect(pending()).toEqual(["Tests first"]);
  });

  it("takes back only what was decided here", async () => {
    const { inbox, learned, pending } = setUp("Use pnpm", "Tests first");
    await inbox.accept("p0");
    const { choose, shown } = choosing({ do: "undo" }, { do: "reject" });
    await reviewAll(inbox, choose);
    expect(shown[1]).toContain("Nothing was decided here yet");
    expect(learned()).toEqual(["Use pnpm"]);
    const again = setUp("Use pnpm", "Tests first");
    const taken = await reviewAll(again.inbox, choosing({ do: "accept" }, { do: "undo" }).choose);
    expect(taken).toMatchObject({ accepted: 0, done: [], left: 2 });
    expect(again.learned()).toEqual([]);
    expect(pending()).toEqual([]);
  });

  it("asks again about the same suggestion if the person's text cannot be used", async () => {
    const { inbox, learned } = setUp("Use pnpm", "Tests first");
    const refusing: Suggestions = {
      ...inbox,
      accept: async (id, choice) =>
        choice?.text === "("
          ? { done: false, message: "the pattern has an open (", isAskedAgain: true }
          : inbox.accept(id, choice),
    };
    const { choose, shown } = choosing({ do: "accept", text: "(" }, { do: "accept" });
    await reviewAll(refusing, choose);
    expect(shown.slice(0, 2)).toEqual(["Use pnpm", "the pattern has an open ( / Use pnpm"]);
    expect(learned()).toEqual(["Use pnpm"]);
  });

  it("says when what was accepted begins to hold", () => {
    expect(takesEffect([])).toEqual([]);
    expect(takesEffect(["check"]).join()).toMatch(/check .* applies from the next tool call\./);
    expect(takesEffect(["pattern"]).join()).toMatch(
      /learning .* applies from the next session or compaction\./,
    );
    expect(takesEffect(["question", "check", "insight"])).toHaveLength(2);
  });

  it("goes on if somebody decides in another window", async () => {
    const { inbox, learned, env, home } = setUp("Use pnpm", "Tests first");
    const elsewhere = learningSuggestions({ home: home.root, env });
    const shown: string[] = [];
    const reviewed = await reviewAll(inbox, async ({ text }, { last }) => {
      shown.push(`${last ?? ""}${text}`);
      if (shown.length === 1) await elsewhere.reject("p0");
      return { do: "accept" };
    });
    expect(shown[1]).toContain("no longer pending");
    expect(reviewed).toMatchObject({ accepted: 1, left: 0 });
    expect(learned()).toEqual(["Tests first"]);
  });
});

describe("a form for a suggestion", () => {
  it("asks field by field only for what the decision needs", async () => {
    const { inbox, learned } = setUp("Use pnpm", "Tests first");
    const asked: string[] = [];
    const ask = async ({ fields }: Form): Promise<FormAnswers> => {
      const answers: Record<string, string> = {};
      for (const { name, isAsked } of fields) {
        if (isAsked?.(answers) === false) continue;
        asked.push(name);
        answers[name] = name === "text" ? "Use pnpm 10" : asked.length === 1 ? "edit" : "accept";
      }
      return answers;
    };
    await reviewByForm(inbox, ask);
    expect(asked).toEqual(["decision", "text", "decision"]);
    expect(learned()).toEqual(["Use pnpm 10", "Tests first"]);
  });
});

describe("a check and a question in a form", () => {
  const CHECK = {
    ...{ id: "c", kind: "check" as const, text: "Edits must not contain `any`", scope: "project" as const },
    ...{ isFixed: true as const, quote: "Never use any", project: "shop", at: 0, byModel: false },
    ...{ pattern: "\\bany\\b", rule: { name: "no-any", path: "rules/no-any.md" } },
  };
  const inboxOf = (one: Suggestion): { inbox: Suggestions; calls: unknown[][] } => {
    const calls: unknown[][] = [];
    let pending = [one];
    const decide =
      (what: string) =>
      async (...args: unknown[]) => {
        calls.push([what, ...args.slice(1)]);
        pending = [];
        return { done: true, message: what, batch: "b" };
      };
    const inbox: Suggestions = {
      list: () => pending,
      accept: decide("accept"),
      reject: decide("reject"),
      mute: decide("mute"),
      withdraw: decide("undo"),
      past: () => [],
      look: async (found) => ({
        ...found,
        tried: ["It would have matched 3 times:", "a.ts:1 any", "b.ts:2 any"],
      }),
    };
    return { inbox, calls };
  };

  it("shows four lines at most, with the result on past sessions", async () => {
    const { inbox, calls } = inboxOf(CHECK);
    const shown: Form[] = [];
    await reviewByForm(inbox, async (form) => {
      shown.push(form);
      return { decision: "edit", text: "as any" };
    });
    expect(shown[0]?.message.split("\n")).toHaveLength(4);
    expect(shown[0]?.message).toContain("matched 3 times: a.ts:1 any; b.ts:2 any");
    expect(shown[0]?.fields.map(({ name, title }) => [name, title])).toEqual([
      ["decision", "Decision"],
      ["text", "Pattern"],
    ]);
    expect(calls).toEqual([["accept", { do: "accept", text: "as any" }]]);
  });

  it.each(["project", "everywhere"] as const)(
    "a learning for %s: the form names both places",
    async (scope) => {
      const { isFixed: _, ...one } = { ...CHECK, kind: "pattern" as const, scope };
      const [mine, other] =
        scope === "project" ? ["only in shop", "everywhere"] : ["everywhere", "only in shop"];
      for (const [chosen, expected] of [
        ["only in shop", "project"],
        ["everywhere", "everywhere"],
      ] as const) {
        const { inbox, calls } = inboxOf(one);
        await reviewByForm(inbox, async ({ fields }) => {
          expect(fields[2]).toMatchObject({ title: "Applies to", choices: [mine, other], value: mine });
          return { decision: "accept", scope: chosen };
        });
        expect(calls).toEqual([["accept", { do: "accept", scope: expected }]]);
      }
    },
  );

  it.each([
    ["refuse it", "accept"],
    ["keep checking", "reject"],
    ["stop checking", "mute"],
  ])("a question: %s", async (decision, expected) => {
    const { inbox, calls } = inboxOf({ ...CHECK, kind: "question", text: 'Refuse what breaks "no-any"?' });
    await reviewByForm(inbox, async ({ fields, message }) => {
      expect(message).toMatch(/^Refuse what breaks "no-any"\?\nIt would have matched 3 times/);
      expect(fields[0]?.choices).toContain(decision);
      return { decision };
    });
    expect(calls.map(([what]) => what)).toEqual([expected]);
  });
});

describe("the command in hosts without forms", () => {
  const run = ({ home, env, root }: ReturnType<typeof setUp>, typed: string) =>
    reviewCommand(MODULES, typed, {
      home,
      env,
      cwd: root,
      now: 0,
      history: loadHistory,
      session: { host: "opencode", id: "s" },
    });

  it("lists, accepts and rejects by number, and takes the last decision back", async () => {
    const world = setUp("Use pnpm", "Tests first", "Be brief");
    const listed = await run(world, "");
    expect(listed).toMatch(/^1 {2}"Use pnpm"\n {3}From .*\n2 {2}"Tests first"/);
    expect(listed).toContain("To decide: accept 1, reject 1, undo");
    expect(await run(world, "accept 2")).toMatch(
      /^Accepted "Tests first"\nA learning that you accept applies/,
    );
    expect(await run(world, " reject 1 ")).toContain("not suggested again");
    expect(await run(world, "undo")).toContain("Undone");
    expect(world.learned()).toEqual(["Tests first"]);
    expect(world.pending()).toEqual(["Use pnpm", "Be brief"]);
  });

  it("decides nothing for anything else that is typed", async () => {
    const world = setUp("Use pnpm");
    for (const typed of ["accept", "accept 0", "accept 9", "accept 1 2", "all", "undo 3", "accept p0"])
      expect(await run(world, typed)).toMatch(/^Use: accept NUMBER/);
    expect(world.pending()).toEqual(["Use pnpm"]);
    expect(await run(setUp(), "")).toBe("No pending suggestions.");
  });
});
