import { isRecord } from "../../../base/json.ts";
import { typed } from "../../../base/settings.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import { folderVariables } from "../../../moments/project/prepared-place.ts";
import type { ExpectedStart } from "../../../moments/types.ts";
import { homeAt } from "../../../store/home.ts";
import { type PreparedFor, readPrepared } from "../../../store/prepared.ts";
import { findRoots } from "../notes/roots.ts";
import { MEMORY_SETTINGS, rootSettings } from "../settings.ts";
import { type StartLine, toldIn } from "./start-section.ts";

/** The list of notes that was prepared for this start; undefined if there is none that is still right. */
export function preparedList(start: ExpectedStart, context: SourceContext): readonly StartLine[] | undefined {
  if (!canPrepare(context) || toldIn(context.memo).length > 0) return undefined;
  const value = readPrepared(preparedFor(start, context), { now: Date.now() });
  return Array.isArray(value) && value.every(isLine) ? value : undefined;
}

/** Another program's answers cannot be checked, and the full text has what changed within the last day. */
export function canPrepare({ settings }: SourceContext): boolean {
  const { sessionStart, startText, command } = typed(MEMORY_SETTINGS, settings);
  return sessionStart && startText === "pointers" && command === "";
}

export function preparedFor({ project, cwd }: ExpectedStart, context: SourceContext): PreparedFor {
  const { home, settings, env } = context;
  return {
    home,
    source: "memory",
    about: [project.id, project.root, cwd],
    given: [settings, findRoots(rootSettings(settings), homeAt(home), env).roots, variables(env)],
  };
}

function variables(env: NodeJS.ProcessEnv): string[] {
  const decay = Object.keys(env).filter((name) => name.startsWith("MAENIFOLD_"));
  return [...folderVariables(env), ...decay.sort().map((name) => `${name}=${env[name]}`)];
}

function isLine(value: unknown): value is StartLine {
  if (!isRecord(value)) return false;
  const { uri, text, whole } = value;
  return (
    typeof uri === "string" && typeof text === "string" && (whole === undefined || typeof whole === "string")
  );
}
