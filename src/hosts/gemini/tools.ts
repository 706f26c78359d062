import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** What Gemini's tools do with the file that they are given. */
const TOOLS: Readonly<Record<string, FileAccess["access"]>> = {
  read_file: "read",
  write_file: "edit",
  replace: "edit",
};

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const access = TOOLS[tool];
  const path = input["file_path"] ?? input["absolute_path"]; // the latter is how older versions call it
  if (access === undefined || typeof path !== "string" || path === "") return [];
  return [{ path: projectPath(path, cwd, root), access }];
}
