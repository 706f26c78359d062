import { expect, it } from "vitest";
import { compileChecks } from "../../src/sources/rules/checks/check-set.ts";
import { parseRule } from "../../src/sources/rules/parsing/parse.ts";
import { brokenCommands, brokenLines, judgeEdit } from "../sources/rules/checks/judging.ts";
import { page } from "./pages.ts";

const [, section = ""] = /### Ten checks to copy\n(.*?)\n### /s.exec(page("docs/rules.md")) ?? [];
const examples = [...section.matchAll(/^ {4}(checks: .+)$/gm)].map(([, line = ""]) => line);

async function checksOf(line: string) {
  const parsed = await parseRule(`---\n${line}\n---\nA rule.`, { name: "r.md", dialect: "continuo" });
  if (parsed.kind !== "rule") throw new Error(parsed.message);
  expect(parsed.lints).toEqual([]);
  return parsed.rule.checks;
}

const setOf = async (line: string) =>
  compileChecks([{ key: "r.md", name: "r", checks: await checksOf(line) }]);

type Kind = "edit" | "new file" | "command" | "answer";

/** For each example: what breaks it, and what does not. */
const TRIED: readonly { kind: Kind; broken: readonly string[]; fine: readonly string[] }[] = [
  { kind: "edit", broken: ["  console.log(1)", "console.debug(x)"], fine: ["logger.info(1)"] },
  {
    kind: "edit",
    broken: ["const x: any = 1;", "x as any", "Map<string, any>", "a: string | any"],
    fine: ["// in any case", "const x: any = 1; // any-ok", "company: string"],
  },
  { kind: "edit", broken: ["export default function a() {}"], fine: ["export function a() {}"] },
  { kind: "new file", broken: ["const a = 1;"], fine: ["// SPDX-License-Identifier: MIT\nconst a = 1;"] },
  {
    kind: "edit",
    broken: ["API_KEY=abcdefghij123456", '"secret": "abcdefghij123456"', "token: abc-def_ghi-123456"],
    fine: ["secret: env.SECRET", "const apiKey = read()"],
  },
  {
    kind: "command",
    broken: ["git push -f", "git push --force", "cd x && git push origin main --force"],
    fine: ["git push", "git push --force-with-lease", 'git commit -m "git push --force"'],
  },
  { kind: "command", broken: ["sudo kubectl delete pod x", "terraform apply"], fine: ["kubectl get pods"] },
  {
    kind: "command",
    broken: ["git commit -m x"],
    fine: ["npm test && git commit -m x", "npm run test && git commit -m x"],
  },
  { kind: "answer", broken: ["You're absolutely right!"], fine: ["Done."] },
];

const judge: Record<Kind, (set: Awaited<ReturnType<typeof setOf>>, text: string) => number> = {
  edit: (set, text) => judgeEdit(set, text).breaches.length,
  "new file": (set, text) => judgeEdit(set, text, { kind: "whole", isNew: true }).breaches.length,
  command: (set, text) => brokenCommands(set, text).length,
  answer: (set, text) => brokenLines(set, text).length,
};

it("has ten checks to copy, which Continuo reads", async () => {
  expect(examples).toHaveLength(10);
  for (const line of examples) expect(await checksOf(line)).not.toEqual([]);
});

it.each(TRIED.map((one, i) => [examples[i] ?? "", one] as const))(
  "%s finds what it is about, and nothing else",
  async (line, { kind, broken, fine }) => {
    const set = await setOf(line);
    const count = (text: string) => [text, judge[kind](set, text) > 0];
    expect([...broken, ...fine].map(count)).toEqual([
      ...broken.map((text) => [text, true]),
      ...fine.map((text) => [text, false]),
    ]);
  },
);
