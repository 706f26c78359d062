import { basename } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { shortPath } from "../../../moments/known-project.ts";
import type { RulesProject } from "../../api/rules.ts";
import { knownRoots, type RootsWorld } from "../files/known-roots.ts";

/** Enough to choose from. */
const MOST = 100;

/** The projects that Continuo knows, that of `continuo web` first. Two folders of one name are told apart by their path. */
export async function knownProjects(web: RootsWorld): Promise<RulesProject[]> {
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

/** The named project, else the first one. Refused if it is not known: the page reads rules of known projects only. */
export function chosenProject(projects: readonly RulesProject[], root: string | undefined): RulesProject {
  const found = root === undefined ? projects[0] : projects.find((one) => one.root === root);
  if (found !== undefined) return found;
  throw new ContinuoError("unknown-project", "this project is not known", {
    hint: "a project is known once an agent has worked in it",
  });
}
