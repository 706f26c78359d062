import { STATE_KEYS, setKey } from "./file/schema.ts";
import type { SeedConfig } from "./types.ts";

/** The session that the seed's state names as the last one. */
export interface LastSession {
  readonly host: string;
  readonly session: string;
  readonly project: string;
  readonly at: number;
}

const MAX_PROJECTS = 8;

/** The host is waiting. */
const LOCK_WAIT_MS = 300;

/** Checkpoints that Continuo set. Those of other programs are left alone. */
const CHECKPOINT = "continuo:";

export function isOwnCheckpoint(checkpointRef: string): boolean {
  return checkpointRef.startsWith(CHECKPOINT);
}

/** Whether recording would change nothing. Checked without the lock each time a session goes idle. */
export function isRecorded(config: SeedConfig, last: LastSession): boolean {
  const { lastSessionId, activeProjects } = config.state;
  return lastSessionId === last.session && activeProjects[0] === last.project;
}

/**
 * Records the last session. It is written when a session first goes idle, so that a session whose host is killed is
 * recorded too. Later idle moments write nothing, and only the end commits: a commit for each idle moment would bury the
 * decisions in the history.
 */
export async function recordLastSession(path: string, last: LastSession, isEnd: boolean): Promise<void> {
  // Loaded here, because session starts read this file and never write.
  const { changeSeed } = await import("./file/change.ts");
  await changeSeed(
    path,
    (config) => {
      if (!isEnd && isRecorded(config, last)) return undefined;
      return {
        config: withLastSession(config, last),
        kind: "Update",
        what: `session in ${last.project} (${last.host})`,
      };
    },
    { lockWaitMs: LOCK_WAIT_MS, commit: isEnd },
  );
}

export function withLastSession(config: SeedConfig, { host, session, project, at }: LastSession): SeedConfig {
  let { state } = config;
  // Sessions may end in a different order than they went idle: the later time wins.
  const isLater = state.lastSessionAt === undefined || Date.parse(state.lastSessionAt) <= at;
  if (isLater) {
    state = setKey(state, "lastSessionId", session, STATE_KEYS);
    state = setKey(state, "lastSessionAt", new Date(at).toISOString(), STATE_KEYS);
  }
  const others = state.activeProjects.filter((name) => name !== project);
  state = { ...state, activeProjects: [project, ...others].slice(0, MAX_PROJECTS) };
  if (isLater && isOwnCheckpoint(state.checkpointRef ?? CHECKPOINT)) {
    state = setKey(state, "checkpointRef", `${CHECKPOINT}${host}/${session}`, STATE_KEYS);
  }
  return { ...config, state };
}
