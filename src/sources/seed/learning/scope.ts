import type { Project } from "../../../moments/types.ts";
import type { Learning } from "../types.ts";

/** A tag, because tags survive every program that writes seeds. */
const TAG = "project:";

/** The project's identity with the user's folder as `~`, so that a seed may be carried to another machine. */
export function projectTag(id: string, userHome: string | undefined): string {
  const isInside = userHome !== undefined && userHome !== "" && id.startsWith(`${userHome}/`);
  return TAG + (isInside ? `~${id.slice(userHome.length)}` : id);
}

/** Everywhere, in this project, or only in others. */
export function scopeOf(learning: Learning, tag: string): "everywhere" | "here" | "elsewhere" {
  if (learning.tags.includes(tag)) return "here";
  return learning.tags.some((one) => one.startsWith(TAG)) ? "elsewhere" : "everywhere";
}

export function tagFor(project: Pick<Project, "id">, env: NodeJS.ProcessEnv): string {
  return projectTag(project.id, env["HOME"] || env["USERPROFILE"]);
}
