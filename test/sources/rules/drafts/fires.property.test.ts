import fc from "fast-check";
import { expect, it } from "vitest";
import { compileChecks } from "../../../../src/sources/rules/checks/check-set.ts";
import { after, NOTHING_SO_FAR } from "../../../../src/sources/rules/checks/commands-so-far.ts";
import { judgeCall, judgeStop } from "../../../../src/sources/rules/checks/judge.ts";
import { draftsFrom } from "../../../../src/sources/rules/drafts/drafts-from.ts";
import { newRuleText } from "../../../../src/sources/rules/drafts/rule-file.ts";
import { parseRule } from "../../../../src/sources/rules/parsing/parse.ts";

/** What a person forbids, how it looks in practice, and in which file. */
interface Example {
  readonly says: string;
  readonly line?: string;
  readonly path?: string;
  readonly command?: string;
  readonly answer?: string;
  /** The command that has to run first. */
  readonly first?: string;
  /** It is fine in this file: the sentence is about others. */
  readonly elsewhere?: string;
}

const COMMANDS = [
  "git push --force",
  "git push -f",
  "git commit --no-verify",
  "git add -A",
  "npm install",
  "npm test",
  "npm i -g -f",
  "yarn add",
  "docker run --rm image",
  "rm -rf node_modules",
  "git checkout -- src",
  "terraform apply -auto-approve",
];
const BARE = COMMANDS.filter((command) => /^(?:git|npm|yarn)/.test(command));
const WORDS: readonly (readonly [said: string, line: string, path: string])[] = [
  ["console.log", 'console.log("x");', "src/a.ts"],
  ["`console.log`", 'console.log("x");', "src/deep/a.tsx"],
  ["`any`", "const x: any = 1;", "src/a.ts"],
  ["default exports", "export default function a() {}", "src/a.js"],
  ["`setwd()`", 'setwd("x")', "src/a.R"],
  ["`Thread.Sleep`", "Thread.Sleep(100);", "src/a.cs"],
  ["eval()", "eval(text)", "src/a.py"],
  ["TODO comments", "// TODO: later", "src/a.go"],
  ["`print()`", 'print("x")', "src/a.py"],
];
const PHRASES = ["You're absolutely right", "Great question", "I apologize for the confusion"];

const never = fc.constantFrom(
  "Never",
  "You must never",
  "Do not",
  "Don't",
  "never",
  "I told you not to",
  "Please never",
);
const end = fc.constantFrom("", ".", "!", " — it has cost us a day.", "...");
const plainEnd = fc.constantFrom("", ".", "!", "!!");

const forbiddenCommand: fc.Arbitrary<Example> = fc
  .oneof(
    fc.tuple(never, fc.constantFrom(...COMMANDS), end, fc.constantFrom("`", '"')),
    fc.tuple(never, fc.constantFrom(...BARE), plainEnd, fc.constant("")),
  )
  .map(([never, command, end, mark]) => ({ says: `${never} run ${mark}${command}${mark}${end}`, command }));
/** As Americans quote: the full stop is within. */
const quotedCommand: fc.Arbitrary<Example> = fc
  .tuple(never, fc.constantFrom(...COMMANDS))
  .map(([never, command]) => ({ says: `${never} run "${command}."`, command }));
const commandFirst: fc.Arbitrary<Example> = fc
  .tuple(fc.constantFrom("git commit", "git push"), fc.constantFrom("npm test", "make check"), plainEnd)
  .map(([command, first, end]) => ({
    says: `Always run ${first} before ${command === "git commit" ? "committing" : "you push"}${end}`,
    command,
    first,
  }));
const beforeDone: fc.Arbitrary<Example> = fc
  .tuple(fc.constantFrom("npm test", "npm run lint"), plainEnd)
  .map(([first, end]) => ({ says: `Run ${first} before you say you are done${end}`, first }));
const forbiddenWord: fc.Arbitrary<Example> = fc
  .tuple(
    never,
    fc.constantFrom(...WORDS),
    fc.constantFrom("", " in src", " in `src/`", " in the src folder", " anywhere"),
    end,
  )
  .map(([never, [said, line, path], place, end]) => ({
    says: `${never} use ${said}${place}${end}`,
    line,
    path,
    ...(place.includes("src") ? { elsewhere: path.replace(/^src/, "scripts") } : {}),
  }));
const forbiddenPhrase: fc.Arbitrary<Example> = fc
  .tuple(never, fc.constantFrom(...PHRASES), plainEnd, plainEnd)
  .map(([never, phrase, inside, end]) => ({
    says: `${never} say "${phrase}${inside}"${end}`,
    answer: `${phrase}! I will do it.`,
  }));

async function checksFor(sentence: string, as: "rule" | "said") {
  const drafted = draftsFrom(sentence, { as });
  expect(drafted, sentence).toHaveLength(1);
  const [one] = drafted;
  if (one === undefined) throw new Error(sentence);
  const text = newRuleText(one.check, one.sentence);
  const read = await parseRule(text, { name: "new.md", dialect: "continuo" });
  if (read.kind === "refused") throw new Error(read.message);
  expect(read.lints, text).toEqual([]);
  return compileChecks([{ key: "new.md", name: "new", checks: read.rule.checks }]);
}

it("fires on what its own sentence forbids, in a rule and as a person says it", async () => {
  const example = fc.oneof(
    forbiddenCommand,
    quotedCommand,
    commandFirst,
    beforeDone,
    forbiddenWord,
    forbiddenPhrase,
  );
  await fc.assert(
    fc.asyncProperty(example, fc.constantFrom("rule" as const, "said" as const), async (one, as) => {
      const { says, line, path = "src/a.ts", command, answer, first, elsewhere } = one;
      const set = await checksFor(says, as);
      const edit = (path: string, text: string) => ({
        name: "Edit",
        input: { file_path: path, old_string: "", new_string: text },
        edits: () => [{ path, kind: "part" as const, hunks: [{ text }] }],
      });
      const run = (command: string) => ({ name: "Bash", input: { command }, command });
      const broken = (judged: { readonly breaches: readonly unknown[] }) => judged.breaches.length;
      if (line !== undefined) {
        expect(broken(judgeCall(set, edit(path, line), NOTHING_SO_FAR)), says).toBe(1);
        if (elsewhere !== undefined)
          expect(broken(judgeCall(set, edit(elsewhere, line), NOTHING_SO_FAR)), says).toBe(0);
      } else if (answer !== undefined)
        expect(broken(judgeStop(set, { answer, soFar: NOTHING_SO_FAR })), says).toBe(1);
      else {
        const edited = after(NOTHING_SO_FAR, set, { ...edit("src/a.ts", "x"), hasFailed: false });
        const ask = (soFar: typeof edited) =>
          broken(command === undefined ? judgeStop(set, { soFar }) : judgeCall(set, run(command), soFar));
        expect(ask(edited), says).toBe(1);
        if (first !== undefined)
          expect(ask(after(edited, set, { ...run(first), hasFailed: false })), says).toBe(0);
      }
    }),
    { numRuns: 400 },
  );
});
