import { isRecord } from "../../../base/json.ts";
import type { SourceContext } from "../../../moments/ports/source.ts";
import { folderVariables } from "../../../moments/project/prepared-place.ts";
import type { ExpectedStart } from "../../../moments/types.ts";
import { type PreparedFor, readPrepared } from "../../../store/prepared.ts";
import { isLeftOff, type LeftOff } from "./section.ts";

/** What was prepared for the next start. */
export interface PreparedLeftOff {
  /** Null if the project has no session worth a line. */
  readonly leftOff: LeftOff | null;
  /** The ids of these sessions. */
  readonly ids: readonly string[];
}

/** Undefined if nothing valid was prepared. `self`: the id of the session that begins, once known. */
export function preparedLeftOff(
  start: ExpectedStart,
  context: SourceContext,
  self = "",
): PreparedLeftOff | undefined {
  const value = readPrepared(preparedFor(start, context), { now: start.at, self });
  if (!isRecord(value)) return undefined;
  const { leftOff, ids } = value;
  if ((leftOff !== null && !isLeftOff(leftOff)) || !Array.isArray(ids)) return undefined;
  // A session must not be told about itself.
  return ids.includes(self) ? undefined : { leftOff, ids };
}

export function preparedFor({ project, cwd }: ExpectedStart, context: SourceContext): PreparedFor {
  const { home, settings, env } = context;
  return {
    home,
    source: "sessions",
    about: [project.id, project.root, cwd],
    given: [settings, folderVariables(env), zone()],
  };
}

/** The lines contain local dates. */
function zone(): number[] {
  return [Date.UTC(2026, 0), Date.UTC(2026, 6)].map((at) => new Date(at).getTimezoneOffset());
}
