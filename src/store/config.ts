import { systemCode } from "../base/errors.ts";
import { isRecord, parseBounded } from "../base/json.ts";
import { type Problem, readSettings, type Schema, typed, unknownKey, type Values } from "../base/settings.ts";
import { type AllProjectSettings, readProjectSettings } from "./project-settings.ts";
import { readTextIfAny } from "./read-file.ts";

export interface Config extends Values<typeof CORE_SETTINGS> {
  /** One group of settings per source, by the source's name. Sources read theirs with `typed`. */
  readonly sources: Readonly<Record<string, Values & Values<typeof EVERY_SOURCE>>>;
  /** The user's settings for single projects. */
  readonly projects: AllProjectSettings;
  /** One group of settings per host that has any. */
  readonly hosts: { readonly [H in keyof typeof HOST_SETTINGS]: Values<(typeof HOST_SETTINGS)[H]> };
}

/** All settings that belong to no source. */
export const CORE_SETTINGS = {
  tokenLimit: {
    kind: "whole",
    default: 4000,
    min: 0,
    max: 100_000,
    env: "TOKEN_LIMIT",
    help: "maximum tokens added to a session at once, not counting rules; 0 turns everything off",
  },
  rulesLimit: {
    kind: "whole",
    default: 12_000,
    min: 0,
    max: 100_000,
    help: "maximum tokens for rules; if not set, a lower tokenLimit applies to rules too",
  },
  snapshotAim: {
    kind: "whole",
    default: 450,
    min: 0,
    max: 100_000,
    help: "tokens that a snapshot tries to stay under, a third more after a compaction; only rules and learnings may exceed it",
  },
  additionLimit: {
    kind: "whole",
    default: 1200,
    min: 0,
    max: 100_000,
    help: "maximum tokens for one addition inside a session",
  },
  momentDeadlineMs: {
    kind: "whole",
    default: 2000,
    min: 50,
    max: 60_000,
    help: "after this time the agent continues without Continuo",
  },
  sourceDeadlineMs: {
    kind: "whole",
    default: 800,
    min: 10,
    max: 60_000,
    help: "a source that takes longer is left out; rules come first and may use most of momentDeadlineMs",
  },
  tools: {
    kind: "text",
    default: "auto",
    help: "tools that the model is given: auto (those with something to work on), all, off, or names separated by commas",
  },
  quiet: {
    kind: "switch",
    default: false,
    help: "true: show the user no lines about what Continuo added and which suggestions are pending",
  },
  statusLine: {
    kind: "switch",
    default: true,
    help: "false: show nothing in the agent's status line",
  },
  sessionEntries: {
    kind: "switch",
    default: true,
    help: "false: keep Continuo's notes and names out of the agent's own session files; no model sees them either way",
  },
} as const satisfies Schema;

/** Settings for one host only. */
export const HOST_SETTINGS = {
  copilot: {
    chatProvider: {
      kind: "choice",
      default: "none",
      choices: ["none", "openai", "anthropic", "copilot"],
      help: "the model of chats in the page: an OpenAI-compatible or Anthropic endpoint, or the login of Copilot CLI",
    },
    chatUrl: {
      kind: "text",
      default: "",
      help: "the address of that endpoint, such as https://api.openai.com/v1",
    },
    chatModel: { kind: "text", default: "", help: "the model of new chats" },
    chatApi: {
      kind: "choice",
      default: "completions",
      choices: ["completions", "responses"],
      help: "the API of an OpenAI-compatible endpoint",
    },
    chatKeyEnv: {
      kind: "text",
      default: "",
      help: "the environment variable that holds the endpoint's key; empty if it needs none or is typed into the page",
    },
  },
  opencode: {
    injection: {
      kind: "choice",
      default: "system",
      choices: ["system", "noReply"],
      help: "where the snapshot goes: into the system prompt, or into a message of its own",
    },
  },
} as const satisfies Readonly<Record<string, Schema>>;

/** Settings that every source has besides its own. */
export const EVERY_SOURCE = {
  enabled: { kind: "switch", default: true, help: "false turns this source off" },
} as const satisfies Schema;

export interface NamedSchema {
  readonly name: string;
  readonly settings: Schema;
}

/**
 * Reads the config. The result is usable whatever is wrong with the file: problems are reported by `doctor` and in the
 * health log, and never stop a host.
 */
export function loadConfig(
  path: string,
  sources: readonly NamedSchema[],
  env: NodeJS.ProcessEnv,
): { config: Config; problems: Problem[] } {
  const { raw, problems } = readRaw(path);
  const { own, ofSources, ofHosts, ofProjects } = groupsIn(raw);
  const core = readSettings(own, CORE_SETTINGS, env);
  const schemas = sources.map(({ name, settings }) => [name, { ...EVERY_SOURCE, ...settings }] as const);
  const bySource = readGroups("sources", ofSources, Object.fromEntries(schemas), env);
  const byHost = readGroups("hosts", ofHosts, HOST_SETTINGS, env);
  const byProject = readProjectSettings(ofProjects);
  const { tokenLimit, rulesLimit } = core.values;
  return {
    config: {
      ...core.values,
      rulesLimit: own["rulesLimit"] === undefined ? rulesLimitBeside(tokenLimit) : rulesLimit,
      sources: bySource.values,
      hosts: byHost.values,
      projects: byProject.values,
    },
    problems: [
      ...problems,
      ...core.problems,
      ...bySource.problems,
      ...byHost.problems,
      ...byProject.problems,
    ],
  };
}

/** For code that does not receive a source's settings from the engine: tools, resources and the command line. */
export function loadSourceSettings<S extends Schema>(
  path: string,
  name: string,
  settings: S,
  env: NodeJS.ProcessEnv,
): Values<S & typeof EVERY_SOURCE> {
  const { config } = loadConfig(path, [{ name, settings }], env);
  return typed({ ...EVERY_SOURCE, ...settings }, config.sources[name] ?? {});
}

/** A token limit set alone applies to rules too, whether it is lower or higher than the default. */
export function rulesLimitBeside(tokenLimit: number): number {
  const { tokenLimit: usual, rulesLimit } = CORE_SETTINGS;
  return tokenLimit < usual.default ? tokenLimit : Math.max(tokenLimit, rulesLimit.default);
}

/** Groups of settings by name, such as one per source. */
function readGroups<G extends Readonly<Record<string, Schema>>>(
  key: string,
  raw: unknown,
  schemas: G,
  env: NodeJS.ProcessEnv,
): { values: { readonly [N in keyof G]: Values<G[N]> }; problems: Problem[] } {
  const problems: Problem[] = [];
  const values: Record<string, unknown> = {};
  const given = isRecord(raw) ? raw : {};
  if (raw !== undefined && !isRecord(raw))
    problems.push({ key, message: `"${key}" must be an object`, hint: `write "${key}": { … }` });
  for (const name of Object.keys(given)) {
    if (!(name in schemas)) problems.push(unknownKey(`${key}.${name}`, name, Object.keys(schemas)));
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const read = readSettings(given[name], schema, env, `${key}.${name}.`);
    values[name] = read.values;
    problems.push(...read.problems);
  }
  return { values: values as { readonly [N in keyof G]: Values<G[N]> }, problems };
}

/** The parts of a config file: the core's keys, and the groups of sources, hosts and projects. */
export function groupsIn(raw: unknown) {
  const {
    sources: ofSources,
    hosts: ofHosts,
    projects: ofProjects,
    $schema: _,
    ...own
  } = isRecord(raw) ? raw : {};
  return { own, ofSources, ofHosts, ofProjects };
}

export function readRaw(path: string): { raw: unknown; problems: Problem[] } {
  const problem = (message: string, hint: string) => ({ raw: {}, problems: [{ key: path, message, hint }] });
  let text: string;
  try {
    text = readTextIfAny(path, { maxBytes: 1024 * 1024 })?.replace(/^\ufeff/, "") ?? "";
  } catch (error) {
    return problem(`${path} cannot be read (${systemCode(error)})`, "make it readable, or remove it");
  }
  if (text.trim() === "") return { raw: {}, problems: [] };
  try {
    const raw: unknown = parseBounded(text);
    if (isRecord(raw)) return { raw, problems: [] };
    return problem(`${path} does not hold an object`, 'write { "tokenLimit": 4000 }, or remove the file');
  } catch (error) {
    return problem(
      `${path} is not JSON: ${(error as Error).message}`,
      "fix or remove it; until then defaults are used",
    );
  }
}
