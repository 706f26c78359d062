import { ContinuoError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import { MCP_SERVER } from "../../names.ts";
import type { Finding, Part, Wiring } from "../../port/installer.ts";
import { edit, leaveAsIn } from "./json-text.ts";
import { invalidSettings, parseObject, refuseTwins } from "./jsonc.ts";
import { isSameLaunch, type Launch, launchOf, ourLaunch, pathsOf } from "./mcp-launch.ts";

export function foreignEntry(where: string): ContinuoError {
  return new ContinuoError("settings-foreign", `${where} already exists, but not as Continuo writes it`, {
    hint: "remove it, or keep it and install with --no-mcp; nothing was changed",
  });
}

/** What `doctor` reports about an entry. A missing entry is a choice (--no-mcp), not a problem. */
export function inspectLaunch(
  host: string,
  found: Launch | undefined,
  wanted: Launch,
  exists: (path: string) => boolean,
): Finding[] {
  if (found === undefined) return [];
  const mend = `run: continuo install ${host}`;
  const gone = pathsOf(found).filter((path) => !exists(path));
  if (gone.length > 0)
    return [
      { status: "fail", detail: `its MCP entry names ${gone.join(" and ")}, which is not there`, mend },
    ];
  if (!isSameLaunch(found, wanted))
    return [{ status: "warn", detail: "its MCP entry points to another version or location", mend }];
  return []; // running it shows whether it works
}

export interface McpFile {
  readonly host: string;
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** The object in the file that contains the servers; `mcpServers` in most clients. */
  readonly key?: string;
  /** Fields of an entry besides command and arguments. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Whether the client rejects comments in this file. */
  readonly strict?: boolean;
  /** How to start the server (default: the runtime with the script). */
  readonly launch?: (wiring: Wiring) => Launch;
}

/** The server's entry in a JSON file. */
export function mcpEntry(file: McpFile): Part {
  const { key = "mcpServers", launch = launchOf } = file;
  const path = [key, MCP_SERVER];
  const servers = (text: string): Record<string, unknown> => {
    const found = parseObject(text, file.strict)[key] ?? {};
    if (!isRecord(found)) throw invalidSettings(`is not usable: "${key}" is not an object`);
    return found;
  };
  const find = (text: string): Launch | undefined => {
    const entry = servers(text)[MCP_SERVER];
    return isRecord(entry) ? ourLaunch(entry["command"], entry["args"]) : undefined;
  };
  const refuseAllTwins = (text: string) => {
    refuseTwins(text, [], (one) => one === key);
    refuseTwins(text, [key], (one) => one === MCP_SERVER);
    refuseTwins(text, path, (one) => one === "command" || one === "args");
  };
  return {
    settingsFile: file.settingsFile,
    add(text, wiring) {
      const wanted = launch(wiring);
      const isMissing = servers(text)[MCP_SERVER] === undefined;
      refuseAllTwins(text);
      if (isMissing) return edit(text, path, { ...file.more, ...wanted });
      const found = find(text);
      if (found === undefined) throw foreignEntry(`"${path.join(".")}"`);
      if (isSameLaunch(found, wanted)) return text;
      // Changes only these two: everything else in the entry is the user's.
      return edit(edit(text, [...path, "command"], wanted.command), [...path, "args"], wanted.args);
    },
    remove(text, original) {
      // As with hooks: the object may be left over from an entry that someone removed.
      if (find(text) === undefined) return original === undefined ? text : leaveAsIn(original, text, [key]);
      refuseAllTwins(text);
      return leaveAsIn(original ?? "", edit(text, path, undefined), [key]);
    },
    count: (text) => ({ servers: find(text) === undefined ? 0 : 1 }),
    inspect: (text, wiring, exists) => inspectLaunch(file.host, find(text), launch(wiring), exists),
    probes(text) {
      const found = find(text);
      return found === undefined ? [] : [{ kind: "mcp", ...found }];
    },
  };
}
