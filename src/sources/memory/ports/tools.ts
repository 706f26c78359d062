import type { Finder } from "../../../moments/ports/finder.ts";
import type { ResourceDefinition } from "../../../moments/ports/resource.ts";
import type { JsonSchema, ToolDefinition } from "../../../moments/ports/tool.ts";

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };
const WHOLE = { type: "integer" };
const NOTES = "the user's notes";

/**
 * Descriptions are short, because all of them are sent with every request. The finders are searched in addition to the
 * notes.
 */
export function memoryTools(finders: readonly Finder[]): readonly ToolDefinition[] {
  return [searchTool(finders), ...NOTE_TOOLS];
}

function searchTool(finders: readonly Finder[]): ToolDefinition {
  const kinds = ["notes", ...finders.map((one) => one.kind)];
  return tool(
    "search_memories",
    "Find the user's notes, and past sessions of any agent, by words and meaning.",
    ["query"],
    {
      query: TEXT,
      in: { type: "string", enum: kinds },
      mode: { type: "string", enum: ["Hybrid", "Semantic", "FullText"] },
      pageSize: WHOLE,
      page: WHOLE,
      folder: TEXT,
      tags: TEXTS,
      host: TEXT,
      project: { type: "string", description: "name, . for this one, * for all alike" },
      branch: TEXT,
      file: { type: "string", description: "touched" },
      since: { type: "string", description: "7d, 2026-11-01" },
      until: TEXT,
    },
    { origin: "the user's notes and past sessions", finders },
  );
}

const NOTE_TOOLS: readonly ToolDefinition[] = [
  tool("read_memory", "Read a note.", ["identifier"], {
    identifier: { type: "string", description: "memory:// address or title" },
  }),
  tool(
    "write_memory",
    "Keep what later sessions should know as a new note.",
    ["title", "content"],
    {
      title: TEXT,
      content: { type: "string", description: "Markdown; link topics as [[topic]]" },
      folder: TEXT,
      tags: TEXTS,
      project: { type: "string", description: "default: this one; none: for all" },
    },
    { origin: null },
  ),
  tool(
    "edit_memory",
    "Change a note: append, or replace a text or section.",
    ["identifier", "operation", "content"],
    {
      identifier: TEXT,
      operation: { type: "string", enum: ["append", "replace"] },
      content: TEXT,
      find: { type: "string", description: "exact" },
      count: WHOLE,
      section: TEXT,
      checksum: TEXT,
    },
    { origin: null },
  ),
  tool("build_context", "What the notes connect with a concept.", ["conceptName"], {
    conceptName: TEXT,
    depth: WHOLE,
    maxEntities: WHOLE,
    includeContent: { type: "boolean" },
  }),
  tool("recent_activity", "Notes changed lately.", [], {
    timespan: { type: "string", description: "24h, 7d" },
    limit: WHOLE,
    filter: { type: "string", enum: ["all", "memory", "thinking", "assumptions"] },
  }),
];

function tool(
  name: string,
  description: string,
  required: readonly string[],
  properties: JsonSchema["properties"],
  { origin = NOTES, finders = [] }: { origin?: string | null; finders?: readonly Finder[] } = {},
): ToolDefinition {
  return {
    name,
    description,
    origin,
    parameters: { type: "object", properties, ...(required.length > 0 ? { required } : {}) },
    // Loaded with the first call: most sessions call no tool, and the code of the index is large.
    run: async (args, call) => (await import("./memory-calls.ts")).callTool(name, args, call, finders),
  };
}

// Loaded with the first request: a server is started with every session, and few request notes.
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
