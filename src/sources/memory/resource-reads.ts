import { describeError } from "../../base/errors.ts";
import type { ListedResource } from "../../moments/ports/resource.ts";
import type { ToolContext } from "../../moments/ports/tool.ts";
import { SCHEME } from "./notes/uri.ts";
import { walkNotes } from "./notes/walk.ts";
import { withMemory } from "./with-memory.ts";

/** What a person picks from: the notes of late. All others are found by completion. */
const LISTED = 50;
const COMPLETED = 100;

export async function readResource(path: string, call: ToolContext): Promise<string | undefined> {
  return withMemory(call, async (memory) => {
    try {
      return (await memory.read(SCHEME + path)).body;
    } catch (error) {
      if (describeError(error).code === "note-not-found") return undefined;
      throw error;
    }
  });
}

export async function listResources(call: ToolContext): Promise<readonly ListedResource[]> {
  return withMemory(call, async (memory) =>
    (await memory.recent({ limit: LISTED })).map(({ uri, title, modified }) => ({
      uri: encoded(uri),
      name: title,
      description: `changed ${new Date(modified).toISOString().slice(0, 10)}`,
    })),
  );
}

/** Addresses that begin with what was typed come first, then those that have it anywhere. */
export async function completeResource(typed: string, call: ToolContext): Promise<readonly string[]> {
  return withMemory(call, async (memory) => {
    const wanted = typed.toLowerCase();
    const first: string[] = [];
    const then: string[] = [];
    for (const root of memory.roots) {
      for (const { uri } of walkNotes(root)) {
        const path = uri.slice(SCHEME.length);
        const at = path.toLowerCase().indexOf(wanted);
        if (at === 0) first.push(path);
        else if (at > 0 && then.length < COMPLETED) then.push(path);
        if (first.length === COMPLETED) return first;
      }
    }
    return [...first, ...then].slice(0, COMPLETED);
  });
}

/** As addresses are written in this protocol: whoever reads one decodes it first. */
function encoded(uri: string): string {
  const parts = uri.slice(SCHEME.length).split("/");
  return SCHEME + parts.map((part) => encodeURIComponent(part).replace(/^%40/, "@")).join("/");
}
