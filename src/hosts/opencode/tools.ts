import { type FileAccess, projectPath } from "../../moments/working-set.ts";
import { type AccessByTool, namedFile } from "../shared/named-file.ts";

/** What OpenCode's own tools do with the file that their `filePath` names. */
const ACCESS: AccessByTool = {
  read: "read",
  edit: "edit",
  multiedit: "edit",
  write: "edit",
};

const PATCHED = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

export function filesOf(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
): FileAccess[] {
  if (Object.hasOwn(ACCESS, tool)) return namedFile(ACCESS, tool, input["filePath"], cwd, root);
  const patch = tool === "apply_patch" || tool === "patch" ? input["patchText"] : undefined;
  if (typeof patch !== "string") return [];
  return [...patch.matchAll(PATCHED)].map(([, path = ""]) => ({
    path: projectPath(path.trim(), cwd, root),
    access: "edit",
  }));
}
