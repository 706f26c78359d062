import { once } from "../../../base/once.ts";
import type { Edit, FileAccess } from "../../../moments/tool-use.ts";
import type { ToolCall } from "../../../moments/types.ts";
import { projectPath } from "../../../moments/working-set.ts";
import type { HostTools } from "../../port/hook-host.ts";
import { shellEdits } from "./shell-edits.ts";

type Input = Readonly<Record<string, unknown>>;

/** One of the host's tools. Paths are as written in the call. */
export interface HostTool {
  files?(input: Input, cwd: string): readonly FileAccess[];
  edits?(input: Input): readonly Edit[];
  command?(input: Input): string | undefined;
  /** The folder for relative paths, if the call has one. */
  folder?(input: Input): string | undefined;
}

/** Most commands change no files, and then the shell parser is not loaded. */
const MAY_WRITE = />|<<|\b(?:tee|apply_patch|sed|perl|cp|mv|patch)\b|\bgit\b.*\b(?:apply|checkout|restore)\b/;

/** Tools by name, or a function if the tool also depends on the arguments. */
type Tools = Readonly<Record<string, HostTool>> | ((name: string, input: Input) => HostTool | undefined);

export function hostTools(tools: Tools, more: Pick<HostTools, "hasFailed" | "isNewFile"> = {}): HostTools {
  const toolOf = (name: string, input: Input): HostTool | undefined => {
    if (typeof tools === "function") return tools(name, input);
    return Object.hasOwn(tools, name) ? tools[name] : undefined;
  };
  return {
    ...more,
    filesOf(name, input, cwd, root) {
      const tool = toolOf(name, input);
      const folder = tool?.folder?.(input) ?? cwd;
      const at = (path: string) => projectPath(path, folder, root);
      const files = (tool?.files?.(input, folder) ?? []).map(({ path, access }) => ({
        path: at(path),
        access,
      }));
      for (const { path } of written(tool?.command?.(input)))
        if (files.every((file) => file.path !== at(path))) files.push({ path: at(path), access: "edit" });
      return files;
    },
    editsOf(name, input, cwd, root) {
      const tool = toolOf(name, input);
      if (tool?.edits === undefined && tool?.command === undefined) return undefined;
      return () => {
        const edits = [...(tool.edits?.(input) ?? []), ...written(tool.command?.(input))];
        const folder = tool.folder?.(input) ?? cwd;
        return edits.map((edit) => ({ ...edit, path: projectPath(edit.path, folder, root) }));
      };
    },
    commandOf: (name, input) => toolOf(name, input)?.command?.(input),
  };
}

function written(command: string | undefined): Edit[] {
  return command !== undefined && MAY_WRITE.test(command) ? shellEdits(command) : [];
}

/** What a call does, according to its arguments. Edits are computed on first use, and once. */
export function toolUse(
  tools: HostTools,
  name: string,
  input: Input,
  cwd: string,
  root: string,
  isNew?: boolean,
): Pick<ToolCall, "files" | "edits" | "command"> {
  const found = tools.editsOf(name, input, cwd, root);
  const edits =
    isNew === undefined
      ? found
      : found && (() => found().map((edit) => (edit.kind === "whole" ? { ...edit, isNew } : edit)));
  const command = tools.commandOf(name, input);
  return {
    files: tools.filesOf(name, input, cwd, root),
    ...(edits === undefined ? {} : { edits: once(edits) }),
    command,
  };
}
