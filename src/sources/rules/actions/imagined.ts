import { resolve } from "node:path";
import { AGENT_NAMES } from "../../../base/host-names.ts";
import { oneOf, optional, PROJECT, text, texts } from "../../../moments/actions/fields.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { findProject } from "../../../moments/project/project.ts";
import { type JudgedRules, judge, type ReadOptions } from "../judge.ts";

/** What describes the session that rules are evaluated for. */
export const IMAGINED = {
  project: PROJECT,
  path: optional(
    texts("show it as if this file had been read, edited or mentioned", {
      value: "FILE",
      fallback: "no file",
    }),
  ),
  prompt: optional(
    text("show it as if this were the prompt", { value: "TEXT", fallback: "none", most: 50_000 }),
  ),
  tool: optional(texts("show it as if the agent had used this tool", { value: "TOOL", fallback: "no tool" })),
  branch: optional(text("show it as if on this git branch", { value: "NAME", fallback: "the current one" })),
  model: optional(text("show it as if with this model", { value: "MODEL", fallback: "none" })),
  agent: optional(text("show it as if in this subagent", { value: "NAME", fallback: "none" })),
  host: optional(oneOf("show it as if in this agent", AGENT_NAMES, { value: "AGENT", fallback: "none" })),
};

export interface ImaginedFields {
  readonly project?: string | undefined;
  readonly path?: readonly string[] | undefined;
  readonly prompt?: string | undefined;
  readonly tool?: readonly string[] | undefined;
  readonly branch?: string | undefined;
  readonly model?: string | undefined;
  readonly agent?: string | undefined;
  readonly host?: string | undefined;
}

/** Evaluates every rule of a project for the session that the fields describe. */
export function judgeFor(
  { project, path = [], tool = [], ...session }: ImaginedFields,
  place: Place,
  options?: ReadOptions,
): Promise<JudgedRules> {
  const directory = resolve(place.cwd, project ?? ".");
  // From a folder outside the named project, paths are relative to the project.
  const isInside = findProject(place.cwd).id === findProject(directory).id;
  const from = isInside ? place.cwd : directory;
  return judge(place, { ...session, directory, from, paths: path, tools: tool }, options);
}

/** For which session rules are evaluated here: a running one may have met more conditions. */
export function shownFor({ project: _, ...session }: ImaginedFields): string {
  return Object.values(session).some((value) => value !== undefined)
    ? "Shown for a session simulated with the given options."
    : "Shown for a new session. Simulate others with --path, --prompt, --tool and --branch.";
}
