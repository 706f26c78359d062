import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { userHome } from "../../../store/home.ts";

export interface Program {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * What `memory.command` names: a program and its first arguments. undefined when it names none that may be run: a
 * relative path would be another program in every folder.
 */
export function programOf(command: string | readonly string[], env: NodeJS.ProcessEnv): Program | undefined {
  const [first, ...args] = typeof command === "string" ? words(command.trim(), env) : command;
  if (first === undefined || first === "") return undefined;
  const program = atHome(first, env);
  return isAbsolute(program) || !/[/\\]/.test(program) ? { program, args } : undefined;
}

/** A text that is a file as it stands is its path, spaces and all; any other is cut at spaces outside quotes. */
function words(command: string, env: NodeJS.ProcessEnv): string[] {
  if (isAbsolute(atHome(command, env)) && isFile(atHome(command, env))) return [command];
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
}

function atHome(path: string, env: NodeJS.ProcessEnv): string {
  return /^~[/\\]/.test(path) ? userHome(env) + path.slice(1) : path;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
