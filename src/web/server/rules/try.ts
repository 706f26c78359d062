import { existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { JudgedRules } from "../../../sources/rules/judge.ts";
import { readTrust } from "../../../store/trust.ts";
import type { TryAnswer, TryRequest } from "../../api/rules.ts";
import { holds } from "../files/holds.ts";
import type { Web } from "../web.ts";
import { breachesOf, SHELL } from "./try-checks.ts";
import { judgeIn, shortName, shortText } from "./views.ts";

const MOST_RULES = 500;

/** Which rules would apply, and what their checks would report. Runs and stores nothing. */
export async function tried(
  web: Web,
  root: string,
  attempt: { readonly [K in keyof Omit<TryRequest, "project">]?: string | undefined },
): Promise<TryAnswer> {
  const { prompt } = attempt;
  const [path, command, text] = [attempt.path, attempt.command, attempt.text].map((one) =>
    one === "" ? undefined : one,
  );
  if (path !== undefined && !holds(root, resolve(root, path)))
    throw new ContinuoError("usage", "the path is not inside the project", { hint: `a file below ${root}` });
  if (text !== undefined && path === undefined)
    throw new ContinuoError("usage", "an edit needs a file", {
      hint: "name the file that the text is added to",
    });
  const before = await judgeIn(web, { directory: root });
  const found = await judgeIn(web, {
    directory: root,
    ...(path === undefined ? {} : { paths: [path] }),
    prompt,
    ...(command === undefined ? {} : { tools: [SHELL] }),
  });
  const isTrusted = readTrust(web.home).projects.includes(found.project.id);
  const edit = text === undefined || path === undefined ? undefined : editOf(root, path, text);
  return {
    ...rulesOf(before, found),
    ...(edit === undefined && command === undefined
      ? {}
      : breachesOf(web, found, { isTrusted, ...(edit && { edit }), ...(command && { command }) })),
    isTrusted,
  };
}

/** Line numbers refer to the tried text, because its position in the file is unknown. */
function editOf(root: string, path: string, text: string) {
  const full = resolve(root, path);
  const lines = text.replace(/\r\n/g, "\n").replace(/\n$/, "");
  const isNew = !existsSync(full);
  return {
    path: relative(root, full).split(sep).join("/"),
    kind: isNew ? ("whole" as const) : ("part" as const),
    isNew,
    hunks: [{ text: lines, line: 1 }],
  };
}

function rulesOf(
  before: JudgedRules,
  { judged }: JudgedRules,
): Pick<TryAnswer, "rules" | "total" | "others"> {
  const wasActive = new Set(
    before.judged.filter(({ judgement }) => judgement.active).map(({ rule }) => rule.file.key),
  );
  const active = judged.filter(({ judgement }) => judgement.active);
  return {
    rules: active.slice(0, MOST_RULES).map(({ rule, tokens, judgement }) => ({
      key: rule.file.key,
      name: shortName(rule.name),
      path: rule.file.path,
      because: shortText(judgement.because()),
      tokens,
      isNew: !wasActive.has(rule.file.key),
    })),
    total: active.length,
    others: judged
      .filter(({ judgement }) => !judgement.active)
      .slice(0, MOST_RULES)
      .map(({ rule, judgement }) => ({
        key: rule.file.key,
        name: shortName(rule.name),
        because: shortText(judgement.because()),
      })),
  };
}
