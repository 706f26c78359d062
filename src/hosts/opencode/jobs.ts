import type { LoadHistory } from "../../moments/ports/history.ts";
import type { Offer } from "../../moments/ports/offer.ts";
import type { Source } from "../../moments/ports/source.ts";
import { findProject } from "../../moments/project.ts";
import type { Session } from "../../moments/types.ts";
import { recordFailure } from "../shared/follow.ts";
import { createBackground } from "../shared/in-process/background.ts";
import { createCounter } from "../shared/in-process/offers.ts";

export interface JobsOptions {
  readonly offers: readonly Offer[];
  readonly sources: readonly Source[];
  readonly history: LoadHistory;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
}

/** What sources do while the agent rests; the host has no line that could tell of it. */
export interface Jobs {
  begin(session: Session): void;
  /** The host ends, or leaves the directory. */
  settle(): Promise<void>;
}

/** `opencode run` ends when its answer is there, and whoever called it waits. */
const SETTLE_MS = 2_000;

export function createJobs({ directory, ...options }: JobsOptions): Jobs {
  const { env, now } = options;
  const counter = createCounter({ host: "opencode", ...options });
  const background = createBackground((where, error) =>
    recordFailure(env, `opencode ${where}`, error, now()),
  );
  let isStarted = false;
  return {
    begin(session) {
      if (session.parent !== undefined) return;
      const seat = { session, project: findProject(directory), cwd: directory };
      const begin = (at: "start" | "idle") => counter.begin(at, seat, background, () => undefined);
      // Not when the host loads us: it does that also to list sessions.
      if (!isStarted) begin("start");
      isStarted = true;
      begin("idle");
    },
    settle: () => background.settle(SETTLE_MS),
  };
}
