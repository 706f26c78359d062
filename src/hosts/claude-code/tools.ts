import type { FileAccess } from "../../moments/working-set.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";

/** What Claude Code's tools do with the file that they name. */
const TOOLS: AccessByTool = {
  Read: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
};

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  const path = input[tool === "NotebookEdit" ? "notebook_path" : "file_path"];
  return namedFile(TOOLS, tool, path, cwd, root);
}
