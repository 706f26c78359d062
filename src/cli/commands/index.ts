import type { Command } from "../command.ts";

type Load = () => Promise<Command>;

/** Every command is registered here and nowhere else. Each is loaded only when it is used or described. */
const LOADERS = {
  start: async () => (await import("./start/start.ts")).start,
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
  status: async () => (await import("./status.ts")).status,
  project: async () => (await import("./project.ts")).projectCommand,
  config: async () => (await import("./config.ts")).configCommand,
  doctor: async () => (await import("./doctor/doctor.ts")).doctor,
  web: async () => (await import("./web/web.ts")).webCommand,
  install: async () => (await import("./install/install.ts")).install,
  uninstall: async () => (await import("./install/install.ts")).uninstall,
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
  delete: async () => (await import("./notes/change.ts")).deleteCommand,
  list: async () => (await import("./notes/browse.ts")).listCommand,
  sync: async () => (await import("./notes/sync.ts")).syncCommand,
  memory: async () => (await import("./notes/memory.ts")).memoryCommand,
  completion: async () => (await import("./completion.ts")).completion(loadAllCommands),
} as const satisfies Readonly<Record<string, Load>>;

export const COMMAND_NAMES: readonly string[] = Object.keys(LOADERS);

/** The command of that name, if there is one. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const loaders: Readonly<Record<string, Load>> = LOADERS;
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}

/** For the overview and for tab completion, which describe every command. */
export function loadAllCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}
