import type { Command } from "./command.ts";
import { completion } from "./completion.ts";
import { contextCommand } from "./context.ts";
import { deleteCommand } from "./delete.ts";
import { doctor } from "./doctor.ts";
import { editCommand } from "./edit.ts";
import { graphCommand } from "./graph.ts";
import { hook } from "./hook.ts";
import { install } from "./install.ts";
import { listCommand } from "./list.ts";
import { mcpCommand } from "./mcp.ts";
import { memoryCommand } from "./memory.ts";
import { moveCommand } from "./move.ts";
import { readCommand } from "./read.ts";
import { recentCommand } from "./recent.ts";
import { rulesCommand } from "./rules.ts";
import { searchCommand } from "./search.ts";
import { seedCommand } from "./seed.ts";
import { sessionsCommand } from "./sessions.ts";
import { setsCommand } from "./sets.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { syncCommand } from "./sync.ts";
import { uninstall } from "./uninstall.ts";
import { why } from "./why.ts";
import { writeCommand } from "./write.ts";

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
