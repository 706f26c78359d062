import type { FileAccess } from "../../moments/working-set.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";

/** What Gemini's tools do with the file that they are given. */
const TOOLS: AccessByTool = {
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
  const path = input["file_path"] ?? input["absolute_path"]; // the latter is how older versions call it
  return namedFile(TOOLS, tool, path, cwd, root);
}
