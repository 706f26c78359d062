import { STATE_KEYS, setKey } from "./file/key-order.ts";
import type { SeedConfig } from "./types.ts";

export interface SessionFacts {
  readonly host: string;
  readonly session: string;
  readonly project: string;
  readonly at: number;
}

const MAX_PROJECTS = 8;

/** Our own checkpoints; one that another program set is its own business. */
const OURS = "continuo:";

export function isOurs(checkpointRef: string): boolean {
  return checkpointRef.startsWith(OURS);
}

/** Whether a rest would write anything: asked without the lock, at every one of them. */
export function isNoted(config: SeedConfig, facts: SessionFacts): boolean {
  const { lastSessionId, activeProjects } = config.state;
  return lastSessionId === facts.session && activeProjects[0] === facts.project;
}

export function noteSession(config: SeedConfig, { host, session, project, at }: SessionFacts): SeedConfig {
  let { state } = config;
  // Two sessions may end in another order than they rested: the later time stands.
  const time = new Date(at).toISOString();
  const isLater = state.lastSessionAt === undefined || Date.parse(state.lastSessionAt) <= at;
  if (isLater) {
    state = setKey(state, "lastSessionId", session, STATE_KEYS);
    state = setKey(state, "lastSessionAt", time, STATE_KEYS);
  }
  const others = state.activeProjects.filter((name) => name !== project);
  state = { ...state, activeProjects: [project, ...others].slice(0, MAX_PROJECTS) };
  if (isLater && isOurs(state.checkpointRef ?? OURS)) {
    state = setKey(state, "checkpointRef", `${OURS}${host}/${session}`, STATE_KEYS);
  }
  return { ...config, state };
}
