import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadHistory } from "../../src/hosts/index.ts";
import type { SessionFile } from "../../src/moments/ports/history.ts";
import type { Call, Turn } from "../../src/moments/ports/turn.ts";
import type { Breach } from "../../src/sources/rules/checks/breach.ts";
import { type CheckedRule, type CheckSet, compileChecks } from "../../src/sources/rules/checks/check-set.ts";
import { after, type CommandsSoFar, judgeCall, judgeStop, NOTHING_SO_FAR } from "../../src/sources/rules/checks/judge.ts";
import { parseRule } from "../../src/sources/rules/parsing/parse.ts";
import { statFile } from "../../src/store/read-file.ts";
import { hashOf, type Label, type LabelledSession } from "./labels.ts";

export const DATA = process.env["CONTINUO_BENCH_DATA"] ?? join(import.meta.dirname, "../../../shared/bench");

/** A breach that the judge found, in the form of a label. */
export interface Found extends Pick<Label, "file" | "call" | "stop" | "check" | "line"> {
  readonly text: string;
}

export interface LabelledRule {
  readonly rule: CheckedRule;
  readonly kind: "edits never" | "edits must" | "commands" | "before" | "answer" | "done";
}

/** The rules in `labelled/`. Throws if one cannot be read as its author meant it. */
export async function readRules(): Promise<LabelledRule[]> {
  const folder = join(import.meta.dirname, "labelled");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  return Promise.all(
    names.sort().map(async (file) => {
      const name = file.slice(0, -".md".length);
      const parsed = await parseRule(readFileSync(join(folder, file), "utf8"), { name, dialect: "continuo" });
      if (parsed.kind !== "rule") throw new Error(`${file} is refused: ${parsed.problem}`);
      const { checks, lints } = parsed.rule;
      const [check] = checks;
      if (check === undefined || checks.length !== 1 || lints.length > 0)
        throw new Error(`${file} does not have exactly one check: ${JSON.stringify(lints)}`);
      return { rule: { key: name, name, checks }, kind: kindOf(check) };
    }),
  );
}

function kindOf(check: CheckedRule["checks"][number]): LabelledRule["kind"] {
  switch (check.on) {
    case "edits":
      return check.never === undefined ? "edits must" : "edits never";
    case "commands":
      return check.ran === undefined ? "commands" : "before";
    case "answer":
    case "done":
      return check.on;
    default:
      throw new Error(`no labels for checks of the kind ${check.on}`);
  }
}
