import { join } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { userHome } from "../../store/home.ts";
import type { Installer, Part, ToDo } from "../port/installer.ts";
import { findEntries } from "../shared/install/hook-entries.ts";
import { hookFileInstaller } from "../shared/install/hook-file.ts";
import { invalidSettings } from "../shared/install/jsonc.ts";
import { foreignEntry, inspectLaunch } from "../shared/install/mcp-entry.ts";
import { isSameLaunch, type Launch, launchOf, ourLaunch } from "../shared/install/mcp-launch.ts";
import { readSettingsFile, withoutMark } from "../shared/install/settings-file.ts";
import { type Statement, statementsOf, stringsIn } from "../shared/install/toml.ts";
import { codex } from "./hook.ts";

/** Codex limits SessionEnd to this many seconds, and warns at every start about a higher value. */
const SESSION_END_SECONDS = 3;

/** The events whose answer reaches the model. */
const GETS_CONTEXT: ReadonlySet<string> = new Set([
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "SubagentStart",
]);

const HEADER = ["mcp_servers", "continuo"];

/**
 * `[mcp_servers.continuo]` in Codex's config.toml, edited as text, because everything else in the file belongs to Codex
 * and the user.
 */
export const codexMcp: Part = {
  settingsFile: (env) => join(codexFolder(env), "config.toml"),
  add(text, wiring) {
    const wanted = launchOf(wiring);
    const found = find(text);
    if (found === "inline") throw inlineServers();
    if (found === "foreign") throw foreignEntry("[mcp_servers.continuo]");
    if (found === undefined) return append(text, wanted);
    if (isSameLaunch(found.launch, wanted)) return text;
    const values = { command: JSON.stringify(wanted.command), args: list(wanted.args) };
    return (["command", "args"] as const)
      .map((key) => ({ span: found[key], value: values[key] }))
      .sort((a, b) => b.span.start - a.span.start)
      .reduce((result, { span, value }) => replace(result, span, value), text);
  },
  remove(text) {
    // A file without Continuo's table is left alone, even if its TOML cannot be parsed here.
    if (!text.includes("continuo")) return text;
    const found = find(text);
    return found === undefined || typeof found === "string" ? text : cut(text, found.statements);
  },
  count: (text) => ({ servers: launchIn(text) === undefined ? 0 : 1 }),
  inspect: (text, wiring, exists) => inspectLaunch("codex", launchIn(text), launchOf(wiring), exists),
  probes(text) {
    const launch = launchIn(text);
    return launch === undefined ? [] : [{ kind: "mcp", ...launch }];
  },
};

const fileInstaller = hookFileInstaller({
  hook: codex,
  versionCommand: ["codex", "--version"],
  settingsFile: (env) => join(codexFolder(env), "hooks.json"),
  // If any number is not whole, Codex loads no hook from the file.
  timeout(ms, event) {
    const seconds = Math.ceil(ms / 1000);
    return event === "SessionEnd" ? Math.min(seconds, SESSION_END_SECONDS) : seconds;
  },
  // Without this, Codex cuts the middle out of an answer of more than 10,000 bytes; 0 lifts the limit. At other events
  // Codex warns about it at every start.
  more: (event) => (GETS_CONTEXT.has(event) ? { additionalContextLimit: 0 } : {}),
  addedHolds: "from the next session on, once you have trusted the new hook in /hooks",
  mcp: codexMcp,
});

export const codexInstaller: Installer = { ...fileInstaller, programs: ["codex"], besides: trustToDo };

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Found {
  readonly launch: Launch;
  readonly command: Span;
  readonly args: Span;
  /** The table's header and pairs, and those of its subtables, which are useless without it. */
  readonly statements: readonly Statement[];
}

function find(text: string): Found | "foreign" | "inline" | undefined {
  const all = statementsOf(text);
  // Nothing can be added to a server list that is written as one value.
  if (all.some(({ kind, path }) => kind !== "table" && path.length === 1 && path[0] === HEADER[0]))
    return "inline";
  const statements = all.filter(({ path }) => HEADER.every((key, i) => path[i] === key));
  if (statements.length === 0) return undefined;
  // Codex refuses a file with duplicates, and it is not clear which of them to edit.
  const keys = statements.map(({ kind, path }) => `${kind === "pair"} ${path.join("\0")}`);
  if (new Set(keys).size < keys.length) throw invalidSettings(`has something in ${HEADER.join(".")} twice`);
  const value = (key: string) =>
    statements.find(({ path, inherited }) => inherited === 2 && path.length === 3 && path[2] === key)?.value;
  const [command, args] = [value("command"), value("args")];
  if (command === undefined || args === undefined) return "foreign";
  const read = (span: Span) => stringsIn(text.slice(span.start, span.end));
  const launch = ourLaunch(read(command)[0], read(args));
  return launch === undefined ? "foreign" : { launch, command, args, statements };
}

function launchIn(text: string): Launch | undefined {
  const found = find(text);
  return found === undefined || typeof found === "string" ? undefined : found.launch;
}

function inlineServers(): ContinuoError {
  return new ContinuoError(
    "settings-foreign",
    "its MCP servers are written as one value (mcp_servers = …), to which no table can be added",
    {
      hint: "write each server as a table, [mcp_servers.NAME], or install with --no-mcp; nothing was changed",
    },
  );
}

function append(text: string, { command, args }: Launch): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const table = [`[${HEADER.join(".")}]`, `command = ${JSON.stringify(command)}`, `args = ${list(args)}`, ""];
  const gap = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + gap + table.join(eol);
}

/** JSON strings are valid TOML strings, except for characters that no path contains. */
function list(args: readonly string[]): string {
  return `[${args.map((arg) => JSON.stringify(arg)).join(", ")}]`;
}

function replace(text: string, { start, end }: Span, value: string): string {
  return text.slice(0, start) + value + text.slice(end);
}

/** Cuts from each header to its last pair; comments after that may belong to the next table. */
function cut(text: string, statements: readonly Statement[]): string {
  const blocks: { start: number; end: number }[] = [];
  for (const { kind, start, end } of statements) {
    const last = blocks.at(-1);
    if (kind === "pair" && last !== undefined) last.end = end;
    else blocks.push({ start, end });
  }
  return blocks.reverse().reduce((result, { start, end }) => {
    const [before, after] = [result.slice(0, start), result.slice(end)];
    // Removes the empty line before the table too.
    const isGap = /(^|\n)\r?\n$/.test(before) && /^(\r?\n|$)/.test(after);
    return (isGap ? before.replace(/\r?\n$/, "") : before) + after;
  }, text);
}

function codexFolder(env: NodeJS.ProcessEnv): string {
  return env["CODEX_HOME"] || join(userHome(env), ".codex");
}

/**
 * Counts trusted hooks: Codex skips untrusted ones without a message. It stores trust in `config.toml`, in tables
 * `[hooks.state."<path of hooks.json>:<event>:<group>:<index>"]` with the hash of the hook (codex-rs, hooks/engine).
 * Whether the hash is still right is not checked.
 */
function trustedHooks(env: NodeJS.ProcessEnv): number {
  const text = withoutMark(readSettingsFile(join(codexFolder(env), "config.toml")) ?? "");
  const file = join(codexFolder(env), "hooks.json");
  const keys = statementsOf(text)
    .map(({ path }) => path)
    .filter(([first, second, , last]) => first === "hooks" && second === "state" && last === "trusted_hash")
    .map(([, , key = ""]) => key);
  return new Set(keys.filter((key) => key.startsWith(`${file}:`))).size;
}

/** What the user has to do so that Codex runs the hooks; empty if it trusts all of them. */
function trustToDo(env: NodeJS.ProcessEnv, changed: boolean): ToDo[] {
  const hooks = findEntries(
    "codex",
    withoutMark(readSettingsFile(join(codexFolder(env), "hooks.json")) ?? ""),
  ).length;
  const how = "start codex, type /hooks, and trust the hooks of Continuo";
  try {
    const trusted = trustedHooks(env);
    if (hooks === 0 || (!changed && trusted >= hooks)) return [];
    const what =
      trusted === 0
        ? "Codex does not run these hooks yet"
        : "Codex runs only hooks that you trusted, and again after a change";
    return [{ what, how }];
  } catch {
    return [{ what: "Codex runs only hooks that you trusted", how }]; // its config cannot be read: Codex says so
  }
}
