import { ContinuoError } from "../../../base/errors.ts";
import { isRecord } from "../../../base/json.ts";
import type { HostName } from "../../names.ts";
import type { Finding, Part, Wiring } from "../../port/installer.ts";
import { isAbsolute } from "./hook-command.ts";
import { edit, invalidSettings, parseObject } from "./jsonc.ts";

/** How a client starts Continuo's MCP server. No shell is involved, so nothing is quoted. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

export function launchOf(wiring: Wiring): Launch {
  return { command: wiring.runtime, args: [wiring.script, "mcp"] };
}

/** How an entry starts Continuo, in any version and place; undefined when it starts something else. */
export function ourLaunch(command: unknown, args: unknown): Launch | undefined {
  if (typeof command !== "string" || !Array.isArray(args) || args.length !== 2) return undefined;
  const [script, word] = args as unknown[];
  if (typeof script !== "string" || !/(^|[\\/])continuo\.cjs$/.test(script) || word !== "mcp")
    return undefined;
  return { command, args: [script, word] };
}

export function isSameLaunch(one: Launch, other: Launch): boolean {
  return one.command === other.command && one.args.join("\0") === other.args.join("\0");
}

export function foreignEntry(where: string): ContinuoError {
  return new ContinuoError("settings-foreign", `${where} already exists, but not as Continuo writes it`, {
    hint: "remove it, or keep it and install with --no-mcp; nothing was changed",
  });
}

/** What `doctor` reports about an entry. A missing entry is a choice (--no-mcp), not a problem. */
export function inspectLaunch(
  host: HostName,
  found: Launch | undefined,
  wiring: Wiring,
  exists: (path: string) => boolean,
): Finding[] {
  if (found === undefined) return [];
  const mend = `run: continuo install ${host}`;
  const gone = [found.command, ...found.args.slice(0, 1)].filter((path) => isAbsolute(path) && !exists(path));
  if (gone.length > 0)
    return [
      { status: "fail", detail: `its MCP entry names ${gone.join(" and ")}, which is not there`, mend },
    ];
  if (!isSameLaunch(found, launchOf(wiring)))
    return [{ status: "warn", detail: "its MCP entry points to another version or location", mend }];
  return []; // that it works is said by running it
}

/** `mcpServers.continuo` in a JSON file, which is what most clients read. */
export function mcpEntry(file: {
  readonly host: HostName;
  settingsFile(env: NodeJS.ProcessEnv): string;
  /** What the host wants in an entry besides command and arguments. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** The host takes no comments in this file. */
  readonly strict?: boolean;
}): Part {
  const path = ["mcpServers", "continuo"];
  const servers = (text: string): Record<string, unknown> => {
    const found = parseObject(text, file.strict)["mcpServers"] ?? {};
    if (!isRecord(found)) throw invalidSettings('is not usable: "mcpServers" is not an object');
    return found;
  };
  const find = (text: string): Launch | undefined => {
    const entry = servers(text)["continuo"];
    return isRecord(entry) ? ourLaunch(entry["command"], entry["args"]) : undefined;
  };
  return {
    settingsFile: file.settingsFile,
    add(text, wiring) {
      const wanted = launchOf(wiring);
      if (servers(text)["continuo"] === undefined) return edit(text, path, { ...file.more, ...wanted });
      const found = find(text);
      if (found === undefined) throw foreignEntry('"mcpServers.continuo"');
      if (isSameLaunch(found, wanted)) return text;
      // Only these two: everything else in the entry is the user's.
      return edit(edit(text, [...path, "command"], wanted.command), [...path, "args"], wanted.args);
    },
    remove(text) {
      if (find(text) === undefined) return text;
      return Object.keys(servers(text)).length === 1
        ? edit(text, ["mcpServers"], undefined)
        : edit(text, path, undefined);
    },
    inspect: (text, wiring, exists) => inspectLaunch(file.host, find(text), wiring, exists),
    probes(text) {
      const found = find(text);
      return found === undefined ? [] : [{ kind: "mcp", ...found }];
    },
  };
}
