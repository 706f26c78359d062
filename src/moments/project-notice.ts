import { existsSync } from "node:fs";
import { remoteOf } from "../git/remote.ts";
import type { Home } from "../store/home.ts";
import type { AllProjectSettings } from "../store/project-settings.ts";
import { knownProject, shortPath } from "./known-project.ts";
import { rememberProjects, seenProjects } from "./project-registry.ts";
import type { Project } from "./types.ts";

export interface NoticeOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: AllProjectSettings;
  /** Whether the host shows its user the line. Until one did, every start returns it. */
  readonly isShown: boolean;
}

/**
 * Remembers the project of a session. If it shares with another clone and the user was not told so yet, returns a line for
 * them: a repository can claim any remote, so nothing is shared without a word.
 */
export async function noticeProject(
  project: Project,
  options: NoticeOptions,
  onFailure: (error: unknown) => void,
): Promise<string[]> {
  const remote = remoteOf(project.id);
  if (remote === undefined) return [];
  const { id, root } = project;
  const { home, env, isShown } = options;
  const seen = seenProjects(home);
  if (seen.some((one) => one.id === id && one.remote === remote && one.isTold === true)) return [];
  const { ids } = knownProject(project, options);
  const other = seen.find((one) => one.id !== id && ids.includes(one.id) && existsSync(one.root));
  try {
    const isTold = other !== undefined && isShown;
    await rememberProjects(home, [{ id, root, remote, ...(isTold ? { isTold } : {}) }]);
  } catch (error) {
    onFailure(error); // the line is shown all the same, and again at the next start
  }
  if (other === undefined) return [];
  return [
    `This project shares notes and past sessions with ${shortPath(other.root, env)} (same remote). To separate them: continuo project separate`,
  ];
}
