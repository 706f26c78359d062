import { isRecord } from "../../base/json.ts";
import { MCP_SERVER } from "../names.ts";
import type { Part } from "../port/installer.ts";
import { edit, has, leaveAsIn, removeElement } from "../shared/install/json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "../shared/install/jsonc.ts";

/** Read-only tools. A test compares the list with the actual tools. */
export const READ_ONLY_TOOLS = [
  "search_memories",
  "read_memory",
  "query_session",
  "build_context",
  "recent_activity",
  "get_relevant_context",
] as const;

const SERVER = `mcp__${MCP_SERVER}`;
const ENTRIES: readonly string[] = READ_ONLY_TOOLS.map((tool) => `${SERVER}__${tool}`);
const LIST = ["permissions", "allow"];

/**
 * Entries in `permissions.allow` of Claude Code's settings, so that it calls read-only tools without asking, and does
 * not refuse them in `claude -p`. Only on request.
 */
export function permissionsPart(settingsFile: Part["settingsFile"]): Part {
  return {
    settingsFile,
    add(text, wiring) {
      const allowed = allowedIn(text);
      // If the whole server is allowed, nothing needs to be added.
      if (wiring.allowTools !== true || allowed.includes(SERVER)) return text;
      refuseAllTwins(text);
      return ENTRIES.filter((entry) => !allowed.includes(entry)).reduce(
        (result, entry) => edit(result, placeFor(result), has(result, LIST) ? entry : [entry]),
        text,
      );
    },
    remove(text, original = "") {
      const own = ENTRIES.filter((entry) => !allowedIn(original).includes(entry));
      const allowed = allowedIn(text);
      if (!allowed.some((entry) => own.includes(String(entry)))) return text;
      refuseAllTwins(text);
      const without = allowed.reduceRight<string>(
        (result, entry, at) => (own.includes(String(entry)) ? removeElement(result, LIST, at) : result),
        text,
      );
      return [LIST, ["permissions"]].reduce((result, path) => leaveAsIn(original, result, path), without);
    },
    count: (text) => ({ permissions: allowedIn(text).filter((one) => ENTRIES.includes(String(one))).length }),
    inspect: () => [],
    probes: () => [],
  };
}

function placeFor(text: string): (string | number)[] {
  return has(text, LIST) ? [...LIST, allowedIn(text).length] : LIST;
}

function refuseAllTwins(text: string): void {
  refuseTwins(text, [], (key) => key === "permissions");
  refuseTwins(text, ["permissions"], (key) => key === "allow");
}

function permissionsIn(text: string): Record<string, unknown> {
  const permissions = parseObject(text)["permissions"] ?? {};
  if (!isRecord(permissions)) throw invalidSettings('is not usable: "permissions" is not an object');
  return permissions;
}

function allowedIn(text: string): unknown[] {
  const allow = permissionsIn(text)["allow"] ?? [];
  if (!Array.isArray(allow)) throw invalidSettings("is not usable: permissions.allow is not a list");
  return allow;
}
