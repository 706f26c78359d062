import { basename, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { statFile } from "../../../store/read-file.ts";
import type { CheckedRule } from "../checks/check-set.ts";
import { loadRule } from "../files/load.ts";
import { isCalled } from "../named.ts";
import type { Lint, Parsed } from "../rule.ts";
import { refusedAs, unknownRule } from "./choose-rule.ts";
import { type ImaginedFields, judgeFor } from "./imagined.ts";

/** A rule to try, with what its author should know about it. */
export interface TriedRule extends CheckedRule {
  readonly path: string;
  readonly lints: readonly Lint[];
}

/** The rules of this name, or the rule in a Markdown file that need not be in a folder of rules. */
export async function triedRules(
  wanted: string,
  imagined: Pick<ImaginedFields, "project" | "host">,
  place: Place,
): Promise<TriedRule[]> {
  const { judged, catalog } = await judgeFor(imagined, place);
  const chosen = judged
    .map(({ rule }) => rule)
    .filter((rule) => isCalled(wanted, rule))
    .map(({ name, file, checks, lints }) => ({ key: file.key, name, checks, path: file.path, lints }));
  const rules = chosen.length > 0 ? chosen : await ruleIn(resolve(place.cwd, wanted), place);
  const [refused] = refusedAs(wanted, catalog);
  if (rules.length === 0 && refused !== undefined)
    throw new ContinuoError(refused.code, refused.message, { hint: "run: continuo rules check" });
  if (rules.length === 0)
    throw unknownRule(
      wanted,
      judged.map(({ rule }) => rule.name),
    );
  return rules;
}

async function ruleIn(named: string, { readable }: Place): Promise<TriedRule[]> {
  if (!/\.mdc?$/i.test(named)) return [];
  const path = readable === undefined ? named : await readable(named);
  const stat = statFile(path);
  if (stat === undefined) return [];
  const name = basename(path);
  const parsed = await loadRule({
    path,
    name,
    key: path,
    dialect: "continuo",
    scope: "project",
    size: stat.size,
    modified: stat.modified,
    changed: stat.modified,
    inode: 0,
  });
  return [triedRule(parsed, path)];
}

/** A rule outside the catalog: a file elsewhere, or a text that is not saved yet. */
export function triedRule(parsed: Parsed, path: string): TriedRule {
  if (parsed.kind === "refused") throw new ContinuoError(parsed.code, parsed.message);
  return { key: path, name: parsed.rule.name, checks: parsed.rule.checks, path, lints: parsed.lints };
}
