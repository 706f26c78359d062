import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** What OpenCode's own tools do with the file that their `filePath` names. */
const ACCESS: Readonly<Record<string, FileAccess["access"]>> = {
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
  const access = Object.hasOwn(ACCESS, tool) ? ACCESS[tool] : undefined;
  if (access !== undefined) {
    const path = input["filePath"];
    return typeof path === "string" && path !== "" ? [{ path: projectPath(path, cwd, root), access }] : [];
  }
  const patch = tool === "apply_patch" || tool === "patch" ? input["patchText"] : undefined;
  if (typeof patch !== "string") return [];
  return [...patch.matchAll(PATCHED)].map(([, path = ""]) => ({
    path: projectPath(path.trim(), cwd, root),
    access: "edit",
  }));
}
