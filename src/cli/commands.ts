import type { Command } from "./command.ts";
import { completion } from "./completion.ts";
import { doctor } from "./doctor.ts";
import { hook } from "./hook.ts";
import { install } from "./install.ts";
import { mcpCommand } from "./mcp.ts";
import { rulesCommand } from "./rules.ts";
import { seedCommand } from "./seed.ts";
import { sessionsCommand } from "./sessions.ts";
import { setsCommand } from "./sets.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { uninstall } from "./uninstall.ts";
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
];
commands.push(completion(commands));

/** Every command is registered here and nowhere else. */
export const COMMANDS: readonly Command[] = commands;
