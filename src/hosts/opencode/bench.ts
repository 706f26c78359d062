import type { Offer } from "../../moments/ports/offer.ts";
import { recordFailure } from "../shared/follow.ts";
import { type Conductor, type ConductorOptions, createConductor } from "./conductor.ts";
import { createJobs, type Jobs } from "./jobs.ts";
import { createOwnMessage, type OwnMessage } from "./own-message.ts";
import { served } from "./served.ts";
import { createThreads, type Thread, type Threads } from "./threads.ts";
import { createToast } from "./toast.ts";

export interface BenchOptions extends ConductorOptions {
  readonly offers: readonly Offer[];
}

/** What all hooks of one directory work with. */
export interface Bench {
  readonly threads: Threads;
  readonly conductor: Conductor;
  readonly ownMessage: OwnMessage;
  readonly jobs: Jobs;
  /** Whatever fails is recorded, and goes no further. */
  quietly<T>(where: string, work: () => T | Promise<T>): Promise<T | undefined>;
  /** Each thing that happens is dealt with once, by the first of our plugins to see it; quietly. */
  once(where: string, seen: object, work: () => void | Promise<void>): Promise<void>;
  /** Begins a new epoch, unless that is under way; quietly. */
  turn(thread: Thread): Promise<void>;
  /** Tells the user of failures that nobody saw. */
  toast(): void;
}

export function createBench(options: BenchOptions): Bench {
  const { env, now } = options;
  const conductor = createConductor(options);

  async function quietly<T>(where: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      recordFailure(env, `opencode ${where}`, error, now());
      return undefined;
    }
  }

  return {
    threads: createThreads(),
    conductor,
    ownMessage: createOwnMessage(options),
    jobs: createJobs(options),
    toast: createToast(options),
    quietly,
    async once(where, seen, work) {
      await quietly(where, () => (served(seen) ? undefined : work()));
    },
    turn(thread) {
      thread.turning ??= quietly("session.compacted", () => conductor.beginEpoch(thread)).finally(() => {
        thread.turning = undefined;
      });
      return thread.turning;
    },
  };
}
