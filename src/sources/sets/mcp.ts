import { systemCode } from "../../base/errors.ts";
import type { PromptDefinition } from "../../moments/ports/prompt.ts";
import type { ResourceDefinition } from "../../moments/ports/resource.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { findProject } from "../../moments/project/project.ts";
import { folderOfUser, metaFile } from "../../moments/state/session-meta.ts";
import { readAt, withFile } from "../../store/read-file.ts";
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

export const CONTEXT_PROMPTS: readonly PromptDefinition[] = [
  {
    name: "sets",
    description: "Bring this session's context sets up to date",
    arguments: [],
    async render(_args, call) {
      const sets = Object.entries(contextOf(call)).map(([name, items]) => `${name}: ${items.join(", ")}`);
      return {
        quoted: sets.length === 0 ? "This session keeps no sets yet." : sets.join("\n"),
        request:
          "Compare these sets with what we work on now. Call set_relevant_context for each that is missing or out of date, " +
          "then tell me in one line what you changed.",
      };
    },
  },
];

function contextOf({ home, env, session }: ToolContext): Context {
  return metaFile(home, folderOfUser(env), session, { lockWaitMs: 0 }).read()?.context ?? {};
}

/** The agent can put any path into a set, so only files in the project are opened. */
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

/** Per file, so that ten files fit into what a host shows. */
const MAX_BYTES = 16_000;

interface Opened {
  readonly text?: string;
  /** The reason if there is no text. */
  readonly why?: string;
}

/** The beginning of a text file, if its real path is inside the folder; otherwise the reason why not. */
function readInside(folder: string, path: string): Opened {
  try {
    return withFile(
      path,
      ({ descriptor, stats }) => {
        const bytes = readAt(descriptor, 0, Math.min(stats.size, MAX_BYTES));
        // `stream` omits a character that was cut in the middle.
        const text = new TextDecoder("utf-8").decode(bytes, { stream: true });
        if (text.includes("\u0000")) return { why: "not a text file" };
        const isCut = stats.size > bytes.length;
        return { text: isCut ? `${text}\n(cut here: the file has ${stats.size} bytes)` : text };
      },
      { root: folder },
    );
  } catch (error) {
    return { why: REASONS[systemCode(error) ?? ""] ?? `cannot be read (${systemCode(error)})` };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "not found",
  "outside-root": "outside of the project",
  "not-a-file": "not a file",
};
