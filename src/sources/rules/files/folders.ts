import { join, sep } from "node:path";
import { typed, type Values } from "../../../base/settings.ts";
import type { Dialect } from "../rule.ts";

/** A folder with rules. If two folders contain the same rule, the earlier folder wins. */
export interface RuleFolder {
  readonly path: string;
  readonly dialect: Dialect;
  readonly scope: "project" | "global";
  /** Shown to users, and the first part of a rule's key. */
  readonly label: string;
  readonly ending: RegExp;
  /** Links may lead only here, and only to rules: a repository must not make Continuo send a user's file to a model. */
  readonly within?: string;
}

export interface RuleFile {
  readonly path: string;
  /** Path below its rules folder with forward slashes. */
  readonly name: string;
  /** The folder's label and the name: the same in every session and on every machine. */
  readonly key: string;
  readonly dialect: Dialect;
  readonly scope: "project" | "global";
  readonly size: number;
  /** mtime and ctime in milliseconds, and the inode: together with the size they show whether the file changed. */
  readonly modified: number;
  readonly changed: number;
  readonly inode: number;
}

/** A file or folder that was not read, or only partly, and why. */
export interface Skipped {
  readonly path: string;
  readonly code: "rule-unreadable" | "rules-cut";
  readonly message: string;
}

const MARKDOWN = /\.mdc?$/i;

type ForeignDialect = Exclude<Dialect, "continuo" | "opencode">;

/** Folders of other tools. `host` reads the folder itself, so in that host Continuo does not read it by default. */
const FOREIGN: readonly { dialect: ForeignDialect; folder: string; ending: RegExp; host?: string }[] = [
  { dialect: "cursor", folder: ".cursor/rules", ending: MARKDOWN },
  { dialect: "copilot", folder: ".github/instructions", ending: /\.instructions\.md$/i, host: "copilot" },
  { dialect: "claude", folder: ".claude/rules", ending: /\.md$/i, host: "claude-code" },
  { dialect: "windsurf", folder: ".windsurf/rules", ending: /\.md$/i },
  { dialect: "cline", folder: ".clinerules", ending: /\.(md|txt)$/i },
];

/** Labels of the user's own folders. */
const OWN_LABELS = {
  continuo: "CONTINUO_HOME/rules",
  opencode: "OpenCode's global rules",
  claude: "~/.claude/rules",
};
const PROJECT_LABELS = { continuo: ".continuo/rules", opencode: ".opencode/rules" };

/** Whose rule has this key; undefined if it is not a rule's key. */
export function scopeOfKey(key: string): RuleFolder["scope"] | undefined {
  const begins = (label: string): boolean => key.startsWith(`${label}/`);
  if (Object.values(OWN_LABELS).some(begins)) return "global";
  const isProjects =
    Object.values(PROJECT_LABELS).some(begins) || FOREIGN.some(({ folder }) => begins(folder));
  return isProjects ? "project" : undefined;
}

export interface FolderSwitch {
  readonly kind: "choice";
  readonly default: "auto";
  readonly choices: readonly ("auto" | "on" | "off")[];
  readonly help: string;
}

/** One setting for each folder of another tool. */
export const FOLDER_SETTINGS = Object.fromEntries(
  FOREIGN.map(({ dialect, folder, host }): [ForeignDialect, FolderSwitch] => [
    dialect,
    {
      kind: "choice",
      default: "auto",
      choices: ["auto", "on", "off"],
      help: `rules in ${folder}; auto is on${host === undefined ? "" : `, but off in ${host}, which reads them itself`}`,
    },
  ]),
) as Readonly<Record<ForeignDialect, FolderSwitch>>;

export function ruleFolders(
  root: string,
  home: string,
  env: NodeJS.ProcessEnv,
  settings: Values,
  host: string,
): RuleFolder[] {
  const own = (dialect: Dialect, folder: string): RuleFolder => ({
    path: join(root, folder),
    dialect,
    scope: "project",
    label: folder,
    ending: MARKDOWN,
    within: root,
  });
  const user = env["HOME"] || env["USERPROFILE"];
  const switches = typed(FOLDER_SETTINGS, settings);
  const foreign = FOREIGN.filter((one) => {
    const setting = switches[one.dialect];
    return setting === "on" || (setting === "auto" && one.host !== host);
  });
  return [
    own("continuo", PROJECT_LABELS.continuo),
    own("opencode", PROJECT_LABELS.opencode),
    ...foreign.map((one) => ({ ...own(one.dialect, one.folder), ending: one.ending })),
    {
      path: join(home, "rules"),
      dialect: "continuo",
      scope: "global",
      label: OWN_LABELS.continuo,
      ending: MARKDOWN,
    },
    ...openCodeGlobal(env, user),
    ...foreign
      .filter((one) => one.dialect === "claude" && user !== undefined)
      .map((one) => ({
        path: join(user ?? "", one.folder),
        dialect: one.dialect,
        scope: "global" as const,
        label: OWN_LABELS.claude,
        ending: one.ending,
      })),
  ];
}

/** Like OpenCode itself, use exactly one of its three possible folders. */
function openCodeGlobal(env: NodeJS.ProcessEnv, user: string | undefined): RuleFolder[] {
  const config = env["XDG_CONFIG_HOME"] || (user && join(user, ".config"));
  const folder = env["OPENCODE_CONFIG_DIR"] || (config && join(config, "opencode"));
  if (!folder) return [];
  return [
    {
      path: join(folder, "rules"),
      dialect: "opencode",
      scope: "global",
      label: OWN_LABELS.opencode,
      ending: MARKDOWN,
    },
  ];
}

/** A rule's key is stored in the state of sessions, once for each check. */
const MAX_NAME = 200;

/** Whether the path of a rule or a folder, below its rules folder, is longer than people choose. In bytes of JSON. */
export function isTooLong(name: string): boolean {
  return name.length > MAX_NAME || Buffer.byteLength(JSON.stringify(name)) - 2 > MAX_NAME;
}

/** Hidden folders in which tools keep files for models. */
const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  ".agent",
  ".agents",
  ".ai",
  ".claude",
  ".clinerules",
  ".codex",
  ".continue",
  ".continuo",
  ".cursor",
  ".gemini",
  ".github",
  ".kiro",
  ".opencode",
  ".roo",
  ".windsurf",
]);

const LEADS_OUT = "it is a link that leads out of the project";
const LEADS_TO_NO_RULE =
  "it is a link to something that is not a rule: links may lead to Markdown files, but not into hidden folders or node_modules";

/**
 * Why a file or folder at a real path is not accepted as a project's rule; undefined if it is. A repository can contain
 * links to files outside it, such as the user's `.env`, which must not be sent to a model.
 */
export function refusalOf(folder: RuleFolder, real: string, kind: "file" | "folder"): string | undefined {
  const { within, ending } = folder;
  if (within === undefined) return undefined;
  if (!`${real}${sep}`.startsWith(`${within}${sep}`)) return LEADS_OUT;
  const segments = real.slice(within.length + 1).split(sep);
  const isOpen = segments.every(
    (name) =>
      name.toLowerCase() !== "node_modules" &&
      (!name.startsWith(".") || TOOL_FOLDERS.has(name.toLowerCase())),
  );
  return isOpen && (kind === "folder" || MARKDOWN.test(real) || ending.test(real))
    ? undefined
    : LEADS_TO_NO_RULE;
}
