import { resolve } from "node:path";
import { findProject } from "../../moments/project.ts";
import { findHome } from "../../store/home.ts";
import { setTrust } from "../../store/trust.ts";
import type { Input, Outcome } from "../command.ts";
import { judgeAll, text } from "./judged.ts";

/** From now on this project's guards may stop a tool call. They are shown first: that is what is being trusted. */
export async function trust(input: Input): Promise<Outcome> {
  const { project, judged } = await judgeAll(input);
  setTrust(findHome(input.env), project.id, true);
  const guards = judged.flatMap(({ rule }) =>
    rule.guards.map((guard) => ({ rule: rule.name, path: rule.file.path, ...guard })),
  );
  const lines = guards.map(
    (one) =>
      `  ${one.action} ${one.tools.join(", ")}${one.pattern === undefined ? "" : ` when /${one.pattern}/`}: ${one.message} (${one.path})`,
  );
  return {
    data: { project: project.id, trusted: true, guards },
    text: [
      `Guards of ${project.root} are trusted now${guards.length === 0 ? "; there are none yet" : ":"}`,
      ...lines,
      "Hosts ask them once they are wired for it: run continuo install HOST again.",
    ].join("\n"),
  };
}

export function untrust(input: Input): Outcome {
  const project = findProject(resolve(input.cwd, text(input, "project") ?? "."));
  setTrust(findHome(input.env), project.id, false);
  return {
    data: { project: project.id, trusted: false },
    text: `Guards of ${project.root} are no longer asked.`,
  };
}
