import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { type KnownProject, knownProject } from "../../moments/project/known-project.ts";
import { findProject } from "../../moments/project/project.ts";
import { type Home, userHome } from "../../store/home.ts";
import type { NewNote } from "./files/write-note.ts";
import { NO_PROJECT, type SeenFrom } from "./search/project-notes.ts";

/** Where a tool or a command is called. */
interface Place {
  readonly cwd: string;
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
}

/** The project from whose point of view notes are ranked; undefined outside any project. */
export function seenFromPlace({ cwd, home, env }: Place): SeenFrom | undefined {
  return seenFrom(knownProject(findProject(cwd), { home, env, cwd }), env);
}

export function seenFrom(known: KnownProject, env: NodeJS.ProcessEnv): SeenFrom | undefined {
  if (isNoProject(known.root, env)) return undefined;
  const { name, names, identities, root } = known;
  return { name, names, identities, root, env };
}

/**
 * The project to stamp on a new note: the current one, unless the caller names another. The id is left out for another
 * project, because only its name is known.
 */
export function stampAt(place: Place, given: string | undefined): Pick<NewNote, "project" | "projectId"> {
  const seen = seenFromPlace(place);
  const named = given?.trim();
  const isOwn = !named || seen?.names.some((one) => one.toLowerCase() === named.toLowerCase()) === true;
  if (!isOwn) return { project: named };
  const [projectId] = seen?.identities ?? [];
  if (seen === undefined || projectId === undefined) return {};
  // A project that happens to be called "none" must not write notes for all projects.
  const project = seen.name.toLowerCase() === NO_PROJECT ? projectId : seen.name;
  return { project, projectId };
}

/** The home folder and the root of the disk contain projects. A note written there belongs to none. */
function isNoProject(root: string, env: NodeJS.ProcessEnv): boolean {
  return dirname(root) === root || root === realHome(env);
}

function realHome(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return realpathSync.native(userHome(env));
  } catch {
    return undefined; // no home is known, or it does not exist
  }
}
