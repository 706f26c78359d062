import { userHome } from "../../store/home.ts";

/** Shortens the paths in a text as people write them: relative to the project, else with `~` for the home. */
export function shortPaths(text: string, root: string, env: NodeJS.ProcessEnv): string {
  const relative = text.replaceAll(`${root}/`, "");
  try {
    return relative.replaceAll(`${userHome(env)}/`, "~/");
  } catch {
    return relative; // no home folder is known
  }
}
