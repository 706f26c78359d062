import { basename, dirname, join } from "node:path";
import type { Basis } from "../../store/basis.ts";
import { homeAt } from "../../store/home.ts";
import { mutesFile } from "../../store/mutes.ts";
import type { ExpectedStart } from "../types.ts";
import type { KnownProject } from "./known-project.ts";
import { manifestPaths } from "./package-names.ts";
import { registryFile } from "./project-registry.ts";

/** Variables that say where hosts and programs store their files. */
const FOLDERS = /^(?:HOME|USERPROFILE|TZ)$|_(?:HOME|DIR|ROOT|DB)$/;
/** Set by hosts only for hooks. They name the project, which is known anyway. */
const OF_HOOKS = /_(?:PROJECT_DIR|PLUGIN_ROOT)$/;

/**
 * The variables that say where hosts and programs store their files: a value prepared with different ones is not used.
 */
export function folderVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env)
    .filter((name) => FOLDERS.test(name) && !OF_HOOKS.test(name))
    .sort()
    .map((name) => `${name}=${env[name]}`);
}

/** The known project of a start, and everything that it depends on. */
export function watchedProject(
  basis: Basis,
  { project, cwd }: ExpectedStart,
  context: { readonly home: string; readonly knownProject: () => KnownProject },
): KnownProject {
  const home = homeAt(context.home);
  basis.watch(
    home.config,
    registryFile(home),
    mutesFile(home),
    join(project.id, "config"),
    ...manifestPaths(cwd, project.root),
  );
  const known = context.knownProject();
  // Other clones and former places: whether they exist matters too.
  for (const id of known.ids) {
    basis.watchExistence(id);
    if (basename(id) === ".git") basis.watchExistence(dirname(id));
    else basis.watchExistence(join(id, ".git"));
  }
  return known;
}
