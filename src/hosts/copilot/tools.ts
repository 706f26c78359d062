import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** What Copilot's tools do with the file that their `path` names. */
const TOOLS: Readonly<Record<string, FileAccess["access"]>> = {
  view: "read",
  create: "edit",
  edit: "edit",
};

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const access = TOOLS[tool];
  const path = input["path"];
  if (access === undefined || typeof path !== "string" || path === "") return [];
  return [{ path: projectPath(path, cwd, root), access }];
}
