import { existsSync } from "node:fs";
import { remoteOf } from "../git/remote.ts";
import type { Home } from "../store/home.ts";
import type { AllProjectSettings } from "../store/project-settings.ts";
import { knownProject, shortPath } from "./known-project.ts";
import { rememberProjects, seenProjects } from "./project-registry.ts";
import type { Project } from "./types.ts";

/**
 * Remembers the project of a session. The first time that a clone of a known remote is seen, returns a line for the user:
 * a repository can claim any remote, so nothing is shared without a word.
 */
export async function noticeProject(
  project: Project,
  options: { readonly home: Home; readonly env: NodeJS.ProcessEnv; readonly settings: AllProjectSettings },
): Promise<string[]> {
  const remote = remoteOf(project.id);
  if (remote === undefined) return [];
  const { id, root } = project;
  const added = await rememberProjects(options.home, [{ id, root, remote }]);
  if (added.length === 0) return [];
  const { ids } = knownProject(project, options);
  const other = seenProjects(options.home).find(
    (one) => one.id !== id && ids.includes(one.id) && existsSync(one.root),
  );
  if (other === undefined) return [];
  const where = shortPath(other.root, options.env);
  return [
    `This project shares notes and past sessions with ${where} (same remote). To separate them: continuo project separate`,
  ];
}
