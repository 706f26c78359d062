import { basename } from "node:path";
import { ContinuoError, isContinuoError } from "../../../base/errors.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import type { KnownProject } from "../../api/projects.ts";
import { knownRoots, type RootsWorld } from "./known-roots.ts";
import { allowedPath } from "./roots.ts";

/** Enough to choose from. */
const MOST = 100;

/**
 * The projects that Continuo knows, beginning with that of `continuo web`. Folders of the same name are distinguished
 * by their path.
 */
export async function knownProjects(web: RootsWorld): Promise<KnownProject[]> {
  const roots: string[] = [];
  for await (const { path, kind } of knownRoots(web)) {
    if (kind === "project" && !roots.includes(path)) roots.push(path);
    if (roots.length >= MOST) break;
  }
  const names = Map.groupBy(roots, (root) => basename(root));
  return roots.map((root) => ({
    root,
    label: (names.get(basename(root))?.length ?? 0) > 1 ? shortPath(root, web.env) : basename(root),
  }));
}

/** The named project, else the first one. An unknown project is refused: the page reads only known projects' rules. */
export async function chosenProject(
  web: RootsWorld,
  projects: readonly KnownProject[],
  asked: string | undefined,
): Promise<KnownProject> {
  const found = asked === undefined ? projects[0] : projects.find(({ root }) => root === asked);
  if (found !== undefined) return found;
  // There may be more projects than the list contains.
  const root = asked === undefined ? undefined : await allowedRoot(web, asked);
  if (root !== undefined) return { root, label: basename(root) };
  throw new ContinuoError("unknown-project", "this project is not known", {
    hint: "a project is known once an agent has worked in it",
  });
}

async function allowedRoot(web: RootsWorld, asked: string): Promise<string | undefined> {
  try {
    const { real, root } = await allowedPath(web, asked);
    return root.kind === "project" && root.path === real ? real : undefined;
  } catch (error) {
    if (isContinuoError(error)) return undefined; // in no project, or it does not exist
    throw error;
  }
}
