import { machine } from "./machine.ts";
import { isRunning } from "./running.ts";

/** The process that an agent runs in, if Continuo runs in it too: with it the agent ends. */
export interface HostProcess {
  readonly pid: number;
  readonly machine: string;
}

export function thisProcess(): HostProcess {
  return { pid: process.pid, machine: machine() };
}

/** False if it runs, or on another machine, where nobody can tell. */
export function hasExited({ pid, machine: where }: HostProcess): boolean {
  return where === machine() && !isRunning(pid);
}
