import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { ActionGroup } from "../../moments/ports/action.ts";
import { NOTE_ACTIONS } from "../../sources/notes/actions/index.ts";
import type { Command } from "../command.ts";

type Load = () => Promise<Command>;
type Actions = () => Promise<readonly ActionGroup[]>;

const givenGroups: Actions = async () => (await import("../../moments/given/actions.ts")).GIVEN_GROUPS;
const settingGroups: Actions = async () => (await import("../../moments/settings/actions.ts")).SETTING_GROUPS;
const muteGroups: Actions = async () => (await import("../../moments/mutes/actions.ts")).MUTE_GROUPS;
const setGroups: Actions = async () => (await import("../../sources/sets/actions.ts")).SET_GROUPS;
const ruleGroups: Actions = async () => (await import("../../sources/rules/actions/index.ts")).RULE_GROUPS;

/**
 * All commands that are more than actions are registered here and nowhere else; each is loaded only when it is used or
 * described. A group of actions needs no line: a line only sets its position in the overview, and avoids loading the
 * other groups.
 */
const LOADERS = {
  start: () => groupCommand(async () => (await import("./start/start.ts")).START),
  welcome: async () => (await import("./welcome/welcome.ts")).welcomeCommand,
  init: () => groupCommand(async () => (await import("../../sources/profile/actions/init.ts")).INIT),
  rules: () => groupOf("rules", ruleGroups),
  review: async () => (await import("./review.ts")).review,
  seed: async () => (await import("./review.ts")).seedCommand,
  sets: () => groupOf("sets", setGroups),
  sessions: async () => (await import("./sessions/sessions.ts")).sessionsCommand,
  mute: () => groupOf("mute", muteGroups),
  unmute: () => groupOf("unmute", muteGroups),
  mutes: () => groupOf("mutes", muteGroups),
  why: () => groupOf("why", givenGroups),
  statusline: async () => (await import("./statusline.ts")).statusline,
  log: async () => (await import("./log.ts")).logCommand,
  status: () => groupOf("status", givenGroups),
  project: () => groupOf("project", settingGroups),
  config: () => groupOf("config", settingGroups),
  doctor: () => groupCommand(async () => (await import("./doctor/doctor.ts")).DOCTOR),
  web: () => groupCommand(async () => (await import("./web/web.ts")).WEB),
  install: async () => (await import("./install/install.ts")).install,
  update: () => groupCommand(async () => (await import("./update/update.ts")).UPDATE),
  uninstall: async () => (await import("./install/uninstall.ts")).uninstall,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  hook: async () => (await import("./hook.ts")).hook,
  search: () => noteCommand("search"),
  recent: () => noteCommand("recent"),
  context: () => noteCommand("context"),
  graph: () => noteCommand("graph"),
  read: () => noteCommand("read"),
  note: () => noteCommand("note"),
  write: () => noteCommand("write"),
  edit: () => noteCommand("edit"),
  move: () => noteCommand("move"),
  delete: () => noteCommand("delete"),
  restore: () => noteCommand("restore"),
  open: () => groupCommand(async () => (await import("./open/open.ts")).OPEN),
  list: () => noteCommand("list"),
  sync: () => noteCommand("sync"),
  memory: () => noteCommand("memory"),
  completion: async () => (await import("./completion.ts")).completion({ loadCommand, loadAllCommands }),
  help: async () => (await import("./help.ts")).help({ findCommand, loadAllCommands }),
} as const satisfies Readonly<Record<string, Load>>;

const noteCommand = (name: keyof typeof NOTE_ACTIONS) => groupCommand(NOTE_ACTIONS[name]);

/** The group with this name, from groups that are loaded together. */
const groupOf = (name: string, load: Actions) =>
  groupCommand(async () => {
    const group = (await load()).find((one) => one.name === name);
    if (group === undefined) throw new Error(`no actions are called ${name}`);
    return group;
  });

/** Loads a group of actions together with the code that turns it into a command. */
async function groupCommand(load: () => Promise<ActionGroup>): Promise<Command> {
  const [group, { asCommand }] = await Promise.all([load(), import("../actions/as-command.ts")]);
  return asCommand(group);
}

export const COMMAND_NAMES: readonly string[] = Object.keys(LOADERS);

/** Other names that users may type for commands. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  connect: "install",
  disconnect: "uninstall",
  upgrade: "update",
  settings: "config",
  rule: "rules",
  profile: "seed",
  suggestions: "review",
  notes: "list",
};

const NO_ACTIONS: Actions = async () => [];

/** The command with this name, if there is one. */
export async function loadCommand(name: string, actions = NO_ACTIONS): Promise<Command | undefined> {
  const loaders: Readonly<Record<string, Load>> = LOADERS;
  if (Object.hasOwn(loaders, name)) return loaders[name]?.();
  const group = (await actions()).find((one) => one.name === name);
  return group && (await import("../actions/as-command.ts")).asCommand(group);
}

/** The same, but an unknown word is refused, with a suggestion. */
export async function findCommand(name: string, actions = NO_ACTIONS): Promise<Command> {
  const command = await loadCommand(name, actions);
  if (command !== undefined) return command;
  const all = await loadAllCommands(actions);
  // Someone who types `continuo trust` means `continuo rules trust`.
  const parents = all.filter((one) => one.subcommands?.some((sub) => sub.name === name));
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  const names = all.map((one) => one.name);
  const near = other ?? nearest(name, names);
  const meant =
    near === undefined || (parents.length > 0 && other === undefined)
      ? parents.map((one) => `${one.name} ${name}`)
      : [near];
  throw new ContinuoError("usage", `there is no command "${name}"`, {
    hint:
      meant.length === 0
        ? "list all commands: continuo help"
        : `did you mean ${meant.map((one) => `"continuo ${one}"`).join(" or ")}?`,
  });
}

/** For the overview and for tab completion, which describe every command. */
export async function loadAllCommands(actions = NO_ACTIONS): Promise<readonly Command[]> {
  const [groups, { asCommand }, ...commands] = await Promise.all([
    actions(),
    import("../actions/as-command.ts"),
    ...Object.values(LOADERS).map((load) => load()),
  ]);
  return [...commands, ...groups.filter(({ name }) => !Object.hasOwn(LOADERS, name)).map(asCommand)];
}
