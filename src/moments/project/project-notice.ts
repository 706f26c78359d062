import { existsSync } from "node:fs";
import { remoteOf } from "../../git/remote.ts";
import type { Home } from "../../store/home.ts";
import type { AllProjectSettings } from "../../store/project-settings.ts";
import type { Project } from "../types.ts";
import { knownProject, shortPath } from "./known-project.ts";
import { rememberProjects, type SeenProject, seenProjects } from "./project-registry.ts";

interface NoticeOptions {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: AllProjectSettings;
  /** Whether the host shows the line to its user. Until one did, every start returns it. */
  readonly isShown: boolean;
}

/**
 * Remembers the project of a session. If it shares notes and sessions with another clone and the user does not know
 * that yet, returns a line: a repository can claim any remote, so nothing is shared silently. If the project cannot be
 * remembered, the line is returned at the next start again.
 */
export async function noticeProject(
  project: Project,
  options: NoticeOptions,
  onFailure: (error: unknown) => void,
): Promise<string[]> {
  const lines: string[] = [];
  try {
    const { id, root } = project;
    const { home, env, isShown } = options;
    const remote = remoteOf(id);
    if (remote === undefined) return [];
    const seen = seenProjects(home).filter((one) => one.remote === remote);
    const own = seen.find((one) => one.id === id);
    // The usual case: a known project without clones. Everything else takes a dozen files to find out.
    if (own !== undefined && (own.isTold === true || seen.length === 1)) return [];
    const other = seen.length === 0 ? undefined : otherClone(seen, project, options);
    if (other !== undefined)
      lines.push(
        `This project shares notes and past sessions with ${shortPath(other.root, env)} (same remote). To separate them: continuo project separate`,
      );
    const isTold = other !== undefined && isShown;
    if (own === undefined || isTold)
      await rememberProjects(home, [{ id, root, remote, ...(isTold ? { isTold } : {}) }]);
  } catch (error) {
    onFailure(error);
  }
  return lines;
}

/** Another clone that exists, and that the user did not separate. */
function otherClone(
  seen: readonly SeenProject[],
  project: Project,
  options: NoticeOptions,
): SeenProject | undefined {
  const { ids } = knownProject(project, options);
  return seen.find((one) => one.id !== project.id && ids.includes(one.id) && existsSync(one.root));
}
