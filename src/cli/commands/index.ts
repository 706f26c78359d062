import { ContinuoError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { Command } from "../command.ts";

type Load = () => Promise<Command>;

/** Every command is registered here and nowhere else. Each is loaded only when it is used or described. */
const LOADERS = {
  start: async () => (await import("./start/start.ts")).start,
  welcome: async () => (await import("./welcome/welcome.ts")).welcomeCommand,
  init: async () => (await import("./init/init.ts")).initCommand,
  rules: async () => (await import("./rules/rules.ts")).rulesCommand,
  review: async () => (await import("./review.ts")).review,
  seed: async () => (await import("./seed/seed.ts")).seedCommand,
  sets: async () => (await import("./sets/sets.ts")).setsCommand,
  sessions: async () => (await import("./sessions/sessions.ts")).sessionsCommand,
  mute: async () => (await import("./mute/mute.ts")).mute,
  unmute: async () => (await import("./mute/mute.ts")).unmute,
  mutes: async () => (await import("./mute/mute.ts")).mutesCommand,
  why: async () => (await import("./why.ts")).why,
  statusline: async () => (await import("./statusline.ts")).statusline,
  log: async () => (await import("./log/log.ts")).logCommand,
  status: async () => (await import("./status.ts")).status,
  project: async () => (await import("./project.ts")).projectCommand,
  config: async () => (await import("./config.ts")).configCommand,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  web: async () => (await import("./web/web.ts")).webCommand,
  install: async () => (await import("./install/install.ts")).install,
  update: async () => (await import("./update/update.ts")).updateCommand,
  uninstall: async () => (await import("./install/uninstall.ts")).uninstall,
  mcp: async () => (await import("./mcp.ts")).mcpCommand,
  hook: async () => (await import("./hook.ts")).hook,
  search: async () => (await import("./notes/search.ts")).searchCommand,
  recent: async () => (await import("./notes/browse.ts")).recentCommand,
  context: async () => (await import("./notes/concepts.ts")).contextCommand,
  graph: async () => (await import("./notes/concepts.ts")).graphCommand,
  read: async () => (await import("./notes/browse.ts")).readCommand,
  note: async () => (await import("./notes/note.ts")).noteCommand,
  write: async () => (await import("./notes/change.ts")).writeCommand,
  edit: async () => (await import("./notes/change.ts")).editCommand,
  move: async () => (await import("./notes/change.ts")).moveCommand,
  delete: async () => (await import("./notes/delete.ts")).deleteCommand,
  restore: async () => (await import("./notes/restore.ts")).restoreCommand,
  open: async () => (await import("./open/open.ts")).openCommand,
  list: async () => (await import("./notes/browse.ts")).listCommand,
  sync: async () => (await import("./notes/sync.ts")).syncCommand,
  memory: async () => (await import("./notes/memory.ts")).memoryCommand,
  completion: async () => (await import("./completion.ts")).completion({ loadCommand, loadAllCommands }),
  help: async () => (await import("./help.ts")).help({ findCommand, loadAllCommands }),
} as const satisfies Readonly<Record<string, Load>>;

export const COMMAND_NAMES: readonly string[] = Object.keys(LOADERS);

/** What people call commands that have another name. */
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

/** The command of that name, if there is one. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const loaders: Readonly<Record<string, Load>> = LOADERS;
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}

/** The same; a word that is none is refused, with what may be meant. */
export async function findCommand(name: string): Promise<Command> {
  const command = await loadCommand(name);
  if (command !== undefined) return command;
  // Someone who types `continuo trust` means `continuo rules trust`.
  const parents = (await loadAllCommands()).filter((one) =>
    one.subcommands?.some((sub) => sub.name === name),
  );
  const other = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  const near = other ?? nearest(name, COMMAND_NAMES);
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
export function loadAllCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}
