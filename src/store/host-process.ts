import { machine } from "./machine.ts";
import { isRunning } from "./running.ts";

/** The process of an agent, if Continuo runs inside it: when that process ends, so has the agent. */
export interface HostProcess {
  readonly pid: number;
  readonly machine: string;
}

export function thisProcess(): HostProcess {
  return { pid: process.pid, machine: machine() };
}

/** False while it runs, and on another machine, where that cannot be checked. */
export function hasExited({ pid, machine: where }: HostProcess): boolean {
  return where === machine() && !isRunning(pid);
}
