import { join } from "node:path";
import type { Finder } from "../../../moments/ports/finder.ts";
import type { ResourceDefinition } from "../../../moments/ports/resource.ts";
import type { JsonSchema, ToolDefinition, ToolPlace } from "../../../moments/ports/tool.ts";
import { entriesOf } from "../files/list-notes.ts";
import { findRoots, type MemoryRoot } from "../files/roots.ts";
import { memorySettings, rootSettings } from "../settings.ts";

/** A text parameter, described in as few words as a model needs to fill it in. */
const text = (description: string) => ({ type: "string", description });

const NOTE = text("title or address");
const NOTES = "the user's notes";

/**
 * Only what a model needs to choose a tool and fill in its arguments, because all of it is sent with every request;
 * further arguments are accepted (docs/notes.md). The finders are searched in addition to the notes.
 */
export function memoryTools(finders: readonly Finder[]): readonly ToolDefinition[] {
  return [searchTool(finders), ...NOTE_TOOLS];
}

function searchTool(finders: readonly Finder[]): ToolDefinition {
  return tool(
    "search_memories",
    "Search the user's notes and past sessions.",
    ["query"],
    { query: text("words or question"), since: text("7d, yesterday or 2026-11-01") },
    {
      title: "Search notes and past sessions",
      origin: "the user's notes and past sessions",
      finders,
      async hasUse(place) {
        if (hasNotes(place)) return true;
        const others = await Promise.all(
          finders.map(async (one) => one.isOn(place) && (one.hasAny?.(place) ?? true)),
        );
        return others.includes(true);
      },
    },
  );
}

const NOTE_TOOLS: readonly ToolDefinition[] = [
  tool("read_memory", "Read a note.", ["identifier"], { identifier: NOTE }, { title: "Read a note" }),
  tool(
    "write_memory",
    "Save what later sessions should know as a note.",
    ["title", "content"],
    { title: text("a few words"), content: text("Markdown") },
    { title: "Write a note", effect: "adds", origin: null, hasUse: undefined },
  ),
  tool(
    "edit_memory",
    "Append to a note, or replace text in it.",
    ["identifier", "content"],
    {
      identifier: NOTE,
      content: text("what to add"),
      find: text("exact text to replace"),
      section: text("heading to append to"),
    },
    { title: "Edit a note", effect: "replaces", origin: null, need: "sometimes" },
  ),
  tool(
    "build_context",
    "What the notes connect with a topic.",
    ["conceptName"],
    { conceptName: text("its name") },
    { title: "Find related topics", need: "rarely" },
  ),
  // search_memories has `since`.
  tool(
    "recent_activity",
    "Recently changed notes.",
    [],
    { timespan: text("7d or yesterday") },
    { title: "List changed notes", need: "rarely" },
  ),
];

/** Whether there is anything to search and read. */
function hasNotes({ home, env }: Pick<ToolPlace, "home" | "env">): boolean {
  const settings = memorySettings(home, env);
  return settings.command !== "" || hasAnyNote(findRoots(rootSettings(settings), home, env).roots);
}

interface Details
  extends Pick<ToolDefinition, "title">,
    Partial<Pick<ToolDefinition, "effect" | "origin" | "need">> {
  readonly hasUse?: ToolDefinition["hasUse"] | undefined;
  readonly finders?: readonly Finder[];
}

function tool(
  name: string,
  description: string,
  required: readonly string[],
  properties: JsonSchema["properties"],
  { finders = [], ...details }: Details,
): ToolDefinition {
  const { hasUse, ...rest } = { effect: "reads" as const, origin: NOTES, hasUse: hasNotes, ...details };
  return {
    name,
    description,
    ...rest,
    ...(hasUse === undefined ? {} : { hasUse }),
    parameters: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
    // Loaded on the first call, because most sessions call no tool and the index code is large.
    run: async (args, call) => (await import("./memory-calls.ts")).callTool(name, args, call, finders),
  };
}

// Loaded on the first request, because a server is started with every session and few request notes.
const loadCalls = () => import("./memory-calls.ts");

export const MEMORY_RESOURCES: readonly ResourceDefinition[] = [
  {
    uriTemplate: "memory://{+path}",
    name: "note",
    description: "One of the user's notes",
    mimeType: "text/markdown",
    read: async ({ path = "" }, call) => (await loadCalls()).readResource(path, call),
    list: async (call) => (await loadCalls()).listResources(call),
    complete: async (_variable, typed, call) => (await loadCalls()).completeResource(typed, call),
  },
];

/**
 * A root with more folders, but no note in the first of them, counts as having one, because this is checked at every
 * start.
 */
const MAX_FOLDERS = 200;

/** Whether there is a note in any of the roots. No file is opened. */
function hasAnyNote(roots: readonly MemoryRoot[]): boolean {
  const open = roots.map(({ path }) => path);
  for (let looked = 0; open.length > 0; looked++) {
    if (looked === MAX_FOLDERS) return true;
    const folder = open.shift() ?? "";
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) open.push(join(folder, entry.name));
      else if (/\.md$/i.test(entry.name)) return true;
    }
  }
  return false;
}
