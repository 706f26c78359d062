import type { Command } from "../command.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor/doctor.ts";
import { hook } from "./hook.ts";
import { install } from "./install/install.ts";
import { uninstall } from "./install/uninstall.ts";
import { mcpCommand } from "./mcp.ts";
import { contextCommand } from "./notes/context.ts";
import { deleteCommand } from "./notes/delete.ts";
import { editCommand } from "./notes/edit.ts";
import { graphCommand } from "./notes/graph.ts";
import { listCommand } from "./notes/list.ts";
import { memoryCommand } from "./notes/memory.ts";
import { moveCommand } from "./notes/move.ts";
import { readCommand } from "./notes/read.ts";
import { recentCommand } from "./notes/recent.ts";
import { searchCommand } from "./notes/search.ts";
import { syncCommand } from "./notes/sync.ts";
import { writeCommand } from "./notes/write.ts";
import { rulesCommand } from "./rules/rules.ts";
import { seedCommand } from "./seed/seed.ts";
import { sessionsCommand } from "./sessions/sessions.ts";
import { setsCommand } from "./sets/sets.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { why } from "./why/why.ts";

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
