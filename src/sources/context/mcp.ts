import type { ResourceDefinition } from "../../moments/ports/resource.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findProject } from "../../moments/project.ts";
import { folderOfUser, metaFile } from "./meta-file.ts";
import { readInside } from "./read-inside.ts";
import { type Context, itemsOf } from "./sets.ts";

export const CONTEXT_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "context://{set}",
    name: "context set",
    description: "What this session keeps in a set; for files, also what is in them",
    mimeType: "text/markdown",
    async read({ set = "" }, call) {
      const items = itemsOf(contextOf(call), set);
      return items.length === 0 ? undefined : showSet(set, items, call.cwd);
    },
    list: async (call) =>
      Object.entries(contextOf(call)).map(([set, items]) => ({
        uri: `context://${encodeURIComponent(set)}`,
        name: set,
        description: `${items.length} ${items.length === 1 ? "item" : "items"} of this session`,
      })),
    complete: async (_variable, typed, call) =>
      Object.keys(contextOf(call)).filter((set) => set.startsWith(typed)),
  },
];

export function contextOf({ home, env, session }: ToolContext): Context {
  return metaFile(home, folderOfUser(env), session, { lockWaitMs: 0 }).read()?.context ?? {};
}

/** A set of the agent's may name any file of the machine: only those of the project are opened. */
function showSet(set: string, items: readonly string[], cwd: string): string {
  if (set !== "files") return items.map((item) => `- ${item}`).join("\n");
  const { root } = findProject(cwd);
  return items
    .map((path) => {
      const { text, why } = readInside(root, path);
      return text === undefined ? `## ${path}\n\n(${why})` : `## ${path}\n\n${text}`;
    })
    .join("\n\n");
}
