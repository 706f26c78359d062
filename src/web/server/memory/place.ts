import { ContinuoError } from "../../../base/errors.ts";
import { A_TIME, timeOf } from "../../../search/timespan.ts";
import type { Memory } from "../../../sources/memory/memory.ts";
import { seenFromPlace } from "../../../sources/memory/note-project.ts";
import type { NoteFilter } from "../../../sources/memory/search/filter.ts";
import { NO_PROJECT, type SeenFrom } from "../../../sources/memory/search/project-notes.ts";
import { memorySettings } from "../../../sources/memory/settings.ts";
import type { MemoryState } from "../../api/memory.ts";
import type { Web } from "../web.ts";

/** The project that `continuo web` was started in; undefined outside of any. */
export function projectHere({ cwd, home, env }: Web): SeenFrom | undefined {
  return seenFromPlace({ cwd, home, env });
}

export interface GivenFilter {
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly project?: string | undefined;
  readonly since?: string | undefined;
}

/** Empty values count as absent: a form sends them. */
export function filterOf(web: Web, { folder, tag, project, since }: GivenFilter): NoteFilter {
  return {
    ...(folder ? { folder } : {}),
    ...(tag ? { tags: [tag] } : {}),
    ...(project ? { project: project === "." ? (projectHere(web) ?? NO_PROJECT) : project } : {}),
    ...(since ? { since: timeAt(since, web.now()) } : {}),
  };
}

function timeAt(given: string, now: number): number {
  const time = timeOf(given, now);
  if (time !== undefined) return time;
  throw new ContinuoError("invalid-request", `since is "${given.slice(0, 40)}"`, { hint: `give ${A_TIME}` });
}

export function stateOf(web: Web, memory: Memory, isIndexing: boolean): MemoryState {
  const { enabled, command } = memorySettings(web.home, web.env);
  const project = projectHere(web)?.name;
  return {
    isOn: enabled,
    ...(command === "" ? {} : { command }),
    isIndexing,
    project,
    problems: memory.problems.map(({ message, hint }) => `${message} (${hint})`),
  };
}
