import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { PrepareContext } from "../../../../src/moments/ports/source.ts";
import { draftHeard } from "../../../../src/sources/rules/drafts/hear.ts";
import { draftFromRules, READ_FILE } from "../../../../src/sources/rules/drafts/read-rules.ts";
import { checkSuggestions } from "../../../../src/sources/rules/drafts/suggestions.ts";
import { askPerson, waitingPath } from "../../../../src/sources/rules/drafts/waiting.ts";
import { temporaryWorld, write } from "../../../support/world.ts";

const RULES = {
  ".continuo/rules/style.md": [
    "Never use `any`.\n\nNever use `console.log`.\n\nRun `npm test` before you say you are done.\n",
    "Never use `any`.\n\nNever use `eval`.\n",
    "---\ndescription: style\n---\nNever use `console.log`.\n",
    "Be kind.\n",
  ],
  ".continuo/rules/git.md": [
    "Never run `git push --force`.\n",
    "Never run `git push --force`. Use `any`less.\n",
  ],
} as const;
const SENTENCES = ["never use any", "never run git push --force", "I told you not to use console.log"];

type Path = keyof typeof RULES;
const PATHS = Object.keys(RULES) as Path[];
const pick = fc.nat({ max: 9 });
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom("accept" as const, "reject" as const, "mute" as const), which: pick }),
    fc.record({ do: fc.constantFrom("accept" as const, "undo" as const), which: pick }),
    fc.record({ do: fc.constant("edit" as const), path: fc.constantFrom(...PATHS), version: pick }),
    fc.record({ do: fc.constant("remove" as const), path: fc.constantFrom(...PATHS) }),
    fc.record({ do: fc.constantFrom("idle" as const, "forget texts" as const, "break" as const) }),
    fc.record({ do: fc.constant("say" as const), sentence: fc.constantFrom(...SENTENCES) }),
    fc.record({ do: fc.constant("repeat lines" as const), from: pick }),
    fc.record({ do: fc.constant("grow" as const) }),
  ),
  { minLength: 3, maxLength: 25 },
);

it("never waits again once it was decided, in any sequence of suggestions, decisions and changes of the rules", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const { home, env, project, root } = temporaryWorld(
        Object.fromEntries(PATHS.map((path) => [path, RULES[path][0]])),
      );
      mkdirSync(home.root, { recursive: true });
      const inbox = checkSuggestions({ home: home.root, env });
      const context = {
        home: home.root,
        env,
        settings: {},
        readOnly: false,
        signal: new AbortController().signal,
        report: (code: string) => expect(code).toBe(""),
      } as unknown as PrepareContext;
      const idle = () => draftFromRules({ project, cwd: root, at: 1_000 }, context);
      const moment = { session: { host: "pi", id: "s1" }, project, at: 1_000 };
      const question = {
        rule: ".continuo/rules/git.md",
        name: "git",
        check: "c1",
        project,
        breaches: 4,
        example: "x",
      };
      await idle();
      /** What was decided and not undone, newest last: in words, because the same check may have several ids. */
      const decided: { batch: string; id: string; what: string }[] = [];
      for (const step of sequence) {
        const pending = inbox.list();
        const one = "which" in step ? pending[step.which % Math.max(1, pending.length)] : undefined;
        if (step.do === "accept" || step.do === "reject" || step.do === "mute") {
          if (one === undefined) continue;
          const answer = await (step.do === "mute" ? inbox.mute?.(one.id) : inbox[step.do](one.id));
          if (answer?.batch !== undefined) decided.push({ batch: answer.batch, id: one.id, what: step.do });
        } else if (step.do === "undo") {
          const last = decided.at(-1);
          const { done, message } = await inbox.withdraw(last?.batch);
          expect(done || last === undefined || message.includes("has changed since"), message).toBe(true);
          if (done && last !== undefined) {
            decided.pop();
            // Whoever takes a decision back is asked again, unless another decision is about the same check.
            const ids = inbox.list().map(({ id }) => id);
            const isElsewhere = decided.some(({ what }) => what === "reject");
            expect(isElsewhere || ids.includes(last.id), "undone waits again").toBe(true);
          }
        } else if (step.do === "edit") {
          const versions = RULES[step.path];
          write(root, { [step.path]: versions[step.version % versions.length] ?? "" });
        } else if (step.do === "remove") rmSync(`${root}/${step.path}`, { force: true });
        else if (step.do === "forget texts") rmSync(`${home.root}/${READ_FILE}`, { force: true });
        else if (step.do === "break") askPerson(home, question, 2_000);
        else if (step.do === "say")
          await draftHeard([{ sentence: step.sentence }], moment, {
            home: home.root,
            readOnly: false,
            settings: {},
          });
        else if (step.do === "repeat lines" || step.do === "grow") {
          // Below what is read at all: a file above that is refused.
          const text = readFileSync(waitingPath(home.root), "utf8");
          const lines = text.trimEnd().split("\n");
          const added =
            step.do === "grow" ? " ".repeat(1024 * 1024) : lines.slice(step.from % lines.length).join("\n");
          if (text.length < 2 * 1024 * 1024) appendFileSync(waitingPath(home.root), `${added}\n`);
        } else await idle();
        const waits = new Set(inbox.list().map(({ id }) => id));
        expect(decided.filter(({ id }) => waits.has(id))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);
