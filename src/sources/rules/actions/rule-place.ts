import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { wayInside } from "../../../base/inside.ts";
import type { Place } from "../../../moments/ports/action.ts";
import { shortPath } from "../../../moments/project/known-project.ts";
import { findProject } from "../../../moments/project/project.ts";
import { userHome } from "../../../store/home.ts";

/** Where a new rule is written, and whom it is for. */
export interface RulePlace {
  readonly scope: "project" | "user";
  readonly folder: string;
  /** Links in a project must not lead outside it. */
  readonly within?: string;
  /** The sessions to which the rule applies, to show: "every session …". */
  readonly where: string;
  /** Who else gets it, and how to choose differently. */
  readonly sharing: string;
  /** Why it is the user's own, if the user did not ask for that. */
  readonly note?: string;
}

/**
 * The current project's rules; with --user, or outside a project, the user's own. The home folder and the root of the
 * disk contain projects but are not projects, so a rule added there is for all of them.
 */
export function rulePlace(
  { user, project: named }: { readonly user?: boolean | undefined; readonly project?: string | undefined },
  { env, cwd, home }: Pick<Place, "env" | "cwd" | "home">,
): RulePlace {
  const users: RulePlace = {
    scope: "user",
    folder: join(home.root, "rules"),
    where: "in all your projects",
    sharing: "yours alone, for all your projects; to share a rule, add it in a repository without --user",
  };
  if (user === true) {
    if (named === undefined) return users;
    throw new ContinuoError("usage", "--user and --project exclude each other", {
      hint: "--user: a rule for all your projects; --project DIR: for the project in that folder",
    });
  }
  const { root, id } = findProject(resolve(cwd, named ?? "."));
  const isWide = dirname(root) === root || root === realHome(env);
  if (isWide || wayInside(real(home.root), root) !== undefined) {
    const folder = shortPath(root, env);
    if (named !== undefined)
      throw new ContinuoError("no-project", `${folder} is not a project`, {
        hint: "leave --project out: the rule then applies in all your projects",
      });
    return { ...users, note: `${folder} is not a project, so the rule applies in all your projects.` };
  }
  return {
    scope: "project",
    folder: join(root, ".continuo", "rules"),
    within: root,
    // Outside git, only sessions that start in exactly this folder belong to the project.
    ...(id === root
      ? { where: "that starts in this folder", sharing: "in this folder; for all your projects use --user" }
      : {
          where: "of this project",
          sharing: "in this repository: commit it to share it, or use --user for all your projects",
        }),
  };
}

function realHome(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return real(userHome(env));
  } catch {
    return undefined; // no home is known
  }
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path); // it does not exist yet
  }
}
