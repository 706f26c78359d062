import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** Which argument of which of Claude Code's tools names a file, and what the tool does with it. */
const TOOLS: Readonly<Record<string, { readonly argument: string; readonly access: FileAccess["access"] }>> =
  {
    Read: { argument: "file_path", access: "read" },
    Edit: { argument: "file_path", access: "edit" },
    MultiEdit: { argument: "file_path", access: "edit" },
    Write: { argument: "file_path", access: "edit" },
    NotebookEdit: { argument: "notebook_path", access: "edit" },
  };

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const known = TOOLS[tool];
  const path = known === undefined ? undefined : input[known.argument];
  if (known === undefined || typeof path !== "string" || path === "") return [];
  return [{ path: projectPath(path, cwd, root), access: known.access }];
}
