import { oneLine } from "../../../base/for-terminal.ts";
import { findHome } from "../../../store/home.ts";
import { readTrust } from "../../../store/trust.ts";
import type { Input, Outcome } from "../../command.ts";
import { table } from "../../terminal/table.ts";
import { guardsOf, haveChanged } from "./guards-shown.ts";
import { type Judged, judgeAll } from "./judged.ts";

/** One line a rule. */
export async function list(input: Input): Promise<Outcome> {
  const { project, catalog, judged, leftOut } = await judgeAll(input);
  const noRoom = new Set(leftOut.map(({ rule }) => rule));
  const data = {
    project: project.root,
    rules: judged.map((one) => ({ ...summary(one), leftOut: noRoom.has(one.rule) })),
    refused: catalog.rejects.map(({ path, code, message }) => ({ path, code, message })),
    repeated: catalog.repeated.map(({ file, by }) => ({ path: file.path, by: by.path })),
    pending: catalog.pending.map(({ path }) => path),
  };
  if (judged.length + catalog.rejects.length === 0) {
    return {
      data,
      text: `There are no rules for ${project.root}. Put one in .continuo/rules; docs/rules.md says how.`,
    };
  }
  const rows = judged.map(({ rule, tokens, judgement }) => [
    noRoom.has(rule) ? "no room" : judgement.active ? "active" : "-",
    rule.name,
    String(tokens),
    String(rule.priority),
    rule.file.key,
    judgement.because(),
  ]);
  const lines = [table(["", "rule", "text tokens", "priority", "from", "because"], rows)];
  for (const { path, message } of catalog.rejects)
    lines.push(`  refused  ${oneLine(message.includes(path) ? message : `${path}: ${message}`)}`);
  for (const { file, by } of catalog.repeated)
    lines.push(`  once     ${oneLine(`${file.path} is ${by.path} again`)}`);
  for (const { path } of catalog.pending) lines.push(`  pending  ${oneLine(path)} could not be read in time`);
  for (const { message, hint } of leftOut)
    lines.push(`  no room  ${oneLine(message)}\n           -> ${hint}`);
  const trust = readTrust(findHome(input.env));
  const guards = guardsOf(judged.map(({ rule }) => rule));
  if (guards.length > 0 && !trust.projects.includes(project.id))
    lines.push("", "Guards are off here until you trust this project: continuo rules trust");
  else if (haveChanged(trust, project.id, guards))
    lines.push(
      "",
      "The guards have changed since you trusted this project. To review them: continuo rules trust",
    );
  lines.push(
    "",
    "As a session without a history would see it; --path, --prompt, --tool and --branch say more.",
  );
  return { data, text: lines.join("\n") };
}

export function summary({ rule, tokens, judgement }: Judged) {
  const { name, priority, file, when, guards } = rule;
  return {
    name,
    active: judgement.active,
    because: judgement.because(),
    tokens,
    priority,
    path: file.path,
    dialect: file.dialect,
    when,
    guards,
  };
}
