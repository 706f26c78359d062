import { knownProject } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Home } from "../../../store/home.ts";
import { coreOf, meaningIn } from "./extraction/extract.ts";
import { type Candidate, type ProposeOptions, type ProposeResult, propose } from "./propose.ts";
import { tagFor } from "./relevance.ts";
import { placeFor } from "./suggestions.ts";

type Origin = Omit<ProposeOptions, "place" | "project" | "projectName" | "coreOf" | "isSame" | "nearest">;

/** Suggests what was said or written in a folder, compared by meaning with all that is known. */
export async function proposeIn(
  cwd: string,
  candidates: readonly Candidate[],
  { home, env }: { readonly home: Home; readonly env: NodeJS.ProcessEnv },
  origin: Origin,
): Promise<ProposeResult> {
  const project = knownProject(findProject(cwd), { home, env, cwd });
  return propose(candidates, {
    ...origin,
    place: placeFor(home.root, env),
    project: tagFor(project, env),
    projectName: project.name,
    coreOf,
    ...(candidates.length === 0 ? {} : await meaningIn(home.root)),
  });
}
