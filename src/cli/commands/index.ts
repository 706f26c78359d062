import type { Command } from "../command.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor/doctor.ts";
import { hook } from "./hook.ts";
import { install, uninstall } from "./install/install.ts";
import { mcpCommand } from "./mcp.ts";
import { listCommand, readCommand, recentCommand } from "./notes/browse.ts";
import { deleteCommand, editCommand, moveCommand, writeCommand } from "./notes/change.ts";
import { contextCommand, graphCommand } from "./notes/concepts.ts";
import { memoryCommand } from "./notes/memory.ts";
import { searchCommand } from "./notes/search.ts";
import { syncCommand } from "./notes/sync.ts";
import { rulesCommand } from "./rules/rules.ts";
import { seedCommand } from "./seed/seed.ts";
import { sessionsCommand } from "./sessions/sessions.ts";
import { setsCommand } from "./sets/sets.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { why } from "./why.ts";

const commands: Command[] = [
  start,
  rulesCommand,
  seedCommand,
  setsCommand,
  sessionsCommand,
  why,
  status,
  doctor,
  install,
  uninstall,
  mcpCommand,
  hook,
  searchCommand,
  recentCommand,
  contextCommand,
  graphCommand,
  readCommand,
  writeCommand,
  editCommand,
  moveCommand,
  deleteCommand,
  listCommand,
  syncCommand,
  memoryCommand,
];
commands.push(completion(commands));

/** Every command is registered here and nowhere else. */
export const COMMANDS: readonly Command[] = commands;
