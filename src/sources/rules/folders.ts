import { join } from "node:path";
import { typed, type Values } from "../../base/settings.ts";
import type { Dialect } from "./rule.ts";

/** A place where rules are looked for. Earlier ones win where two hold the same rule. */
export interface RuleFolder {
  readonly path: string;
  readonly dialect: Dialect;
  readonly scope: "project" | "global";
  /** What people see, and the first part of a rule's key. */
  readonly label: string;
  readonly ending: RegExp;
  /** Links may lead only here, and only to rules: a repository must not make us send a file of its user to a model. */
  readonly within?: string;
}

export const MARKDOWN = /\.mdc?$/i;

type ForeignDialect = Exclude<Dialect, "continuo" | "opencode">;

/** What other tools' users already have. `host` reads the folder itself, so there it would come twice. */
const FOREIGN: readonly { dialect: ForeignDialect; folder: string; ending: RegExp; host?: string }[] = [
  { dialect: "cursor", folder: ".cursor/rules", ending: MARKDOWN },
  { dialect: "copilot", folder: ".github/instructions", ending: /\.instructions\.md$/i, host: "copilot" },
  { dialect: "claude", folder: ".claude/rules", ending: /\.md$/i, host: "claude-code" },
  { dialect: "windsurf", folder: ".windsurf/rules", ending: /\.md$/i },
  { dialect: "cline", folder: ".clinerules", ending: /\.(md|txt)$/i },
];

interface FolderSwitch {
  readonly kind: "choice";
  readonly default: "auto";
  readonly choices: readonly ("auto" | "on" | "off")[];
  readonly help: string;
}

/** One switch per foreign folder. */
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
    own("continuo", ".continuo/rules"),
    own("opencode", ".opencode/rules"),
    ...foreign.map((one) => ({ ...own(one.dialect, one.folder), ending: one.ending })),
    {
      path: join(home, "rules"),
      dialect: "continuo",
      scope: "global",
      label: "CONTINUO_HOME/rules",
      ending: MARKDOWN,
    },
    ...openCodeGlobal(env, user),
    ...foreign
      .filter((one) => one.dialect === "claude" && user !== undefined)
      .map((one) => ({
        path: join(user ?? "", one.folder),
        dialect: one.dialect,
        scope: "global" as const,
        label: "~/.claude/rules",
        ending: one.ending,
      })),
  ];
}

/** Exactly one of OpenCode's three places counts, as in OpenCode itself. */
function openCodeGlobal(env: NodeJS.ProcessEnv, user: string | undefined): RuleFolder[] {
  const config = env["XDG_CONFIG_HOME"] || (user && join(user, ".config"));
  const folder = env["OPENCODE_CONFIG_DIR"] || (config && join(config, "opencode"));
  if (!folder) return [];
  return [
    {
      path: join(folder, "rules"),
      dialect: "opencode",
      scope: "global",
      label: "OpenCode's global rules",
      ending: MARKDOWN,
    },
  ];
}
