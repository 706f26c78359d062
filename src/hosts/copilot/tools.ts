import type { FileAccess } from "../../moments/working-set.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";

/** What Copilot's tools do with the file that their `path` names. */
const TOOLS: AccessByTool = {
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
  return namedFile(TOOLS, tool, input["path"], cwd, root);
}
