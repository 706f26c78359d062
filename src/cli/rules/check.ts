import { oneLine } from "../../compose/for-terminal.ts";
import type { CatalogRule } from "../../sources/rules/catalog.ts";
import { filesCondition } from "../../sources/rules/file-matching.ts";
import type { Input, Outcome } from "../command.ts";
import { judgeAll } from "./judged.ts";
import { projectFiles } from "./project-files.ts";

interface Complaint {
  readonly path: string;
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Lints every rule: what is refused, unknown keys, dead globs, duplicates, oversized bodies. */
export async function check(input: Input): Promise<Outcome> {
  const { project, catalog } = await judgeAll(input);
  const files = projectFiles(project.root);
  const complaints: Complaint[] = [
    ...catalog.rejects.map(({ path, code, message }) => ({
      path,
      severity: "error" as const,
      code,
      message,
    })),
    ...catalog.rules.flatMap((rule) =>
      rule.lints.map((lint) => ({ path: rule.file.path, severity: "warning" as const, ...lint })),
    ),
    ...catalog.rules.flatMap((rule) => deadGlobs(rule, files)),
    ...catalog.repeated.map(({ file, by }) => ({
      path: file.path,
      severity: "warning" as const,
      code: "repeated",
      message: `it is ${by.path} again, and counts once`,
    })),
  ];
  const errors = complaints.filter((one) => one.severity === "error").length;
  const lines = complaints.map(
    ({ path, severity, code, message, hint }) =>
      `${severity}  ${oneLine(path)}\n  ${oneLine(`${code}: ${message}`)}${hint === undefined ? "" : `\n  ${oneLine(hint)}`}`,
  );
  const verdict = `${catalog.rules.length} rule(s) understood, ${errors} refused, ${complaints.length - errors} warning(s).`;
  return {
    data: { complaints, rules: catalog.rules.length },
    text: [...lines, verdict].join("\n"),
    exitCode: errors > 0 ? 1 : 0,
  };
}

function deadGlobs(rule: CatalogRule, files: readonly string[]): Complaint[] {
  const include = filesCondition(rule)?.include ?? [];
  return [...new Set(include.map((one) => one.text))]
    .filter(
      (text) =>
        !include.some((one) => one.text === text && files.some((file) => new RegExp(one.regex).test(file))),
    )
    .map((text) => ({
      path: rule.file.path,
      severity: "warning" as const,
      code: "dead-glob",
      message: `"${text}" matches no file of this project today`,
    }));
}
