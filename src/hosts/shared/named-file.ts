import { type FileAccess, projectPath } from "../../moments/working-set.ts";

/** What a host's own tools do with the one file that they name. */
export type AccessByTool = Readonly<Record<string, FileAccess["access"]>>;

/** The files that a tool call itself names, as one host's tools have it. */
export type FilesOf = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  cwd: string,
  root: string,
) => FileAccess[];

/** For hosts whose tools name one file each, which `pathIn` finds in a call's input. */
export function filesByTool(
  tools: AccessByTool,
  pathIn: (input: Readonly<Record<string, unknown>>, tool: string) => unknown,
): FilesOf {
  return (tool, input, cwd, root) => namedFile(tools, tool, pathIn(input, tool), cwd, root);
}

/** The file that a call of such a tool names; none for any other tool, and for what is not a path. */
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
