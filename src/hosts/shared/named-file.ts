import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** What a host's own tools do with the one file that they name. */
export type AccessByTool = Readonly<Record<string, FileAccess["access"]>>;

/** The file that a call of such a tool names; none for other tools, whatever they are called, and for what is no path. */
export function namedFile(
  tools: AccessByTool,
  tool: string,
  path: unknown,
  cwd: string,
  root: string,
): FileAccess[] {
  const access = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  if (access === undefined || typeof path !== "string" || path === "") return [];
  return [{ path: projectPath(path, cwd, root), access }];
}
