import type { Room } from "../../compose/room.ts";
import type { Config } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";
import type { Delivery } from "../host-event.ts";
import type { LoadHistory } from "../ports/history.ts";
import type { Source } from "../ports/source.ts";
import type { HostNote } from "../ports/tool.ts";

/** What a process knows before any event: created by an entry, or by a test. */
export interface RunParts {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly sources: readonly Source[];
  /** Past sessions of all hosts, for sources that read them. */
  readonly history: LoadHistory;
}

/** What a host says about one event, or about all: what it can do with an answer, and who waits for it. */
export interface HostRun {
  /** How much of one output the host shows the model at this event (default: everything). */
  readonly room?: Room | undefined;
  /** Whether the host runs several of Continuo's hook entries for some events: the further ones print waiting parts. */
  readonly hasFurtherEntries?: boolean | undefined;
  /** Whether the host can refuse the agent's stop, so that the agent goes on. */
  readonly canRefuseStop?: boolean | undefined;
  /**
   * Whether the host shows a delivery's lines to its user, and never to its model. Absent: they are shown elsewhere.
   */
  readonly showsNotices?: boolean | undefined;
  /** What the user types in this host to decide on suggestions, if it has a command for that. */
  readonly reviewCommand?: string | undefined;
  /** For hosts that store notes in the session's own file. */
  readonly onHostNote?: ((note: HostNote) => void) | undefined;
  /** Called as soon as it is known whether the agent's stop is refused, before the rest of the work at a stop. */
  readonly onStopDecided?: ((decided: Delivery) => void) | undefined;
  /** Whether the process ends after this moment and runs nothing else. */
  readonly isOwnProcess?: boolean | undefined;
  /** Once this fires nothing more is written: the host has stopped waiting, and nothing counts as delivered. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The context of one event, from the host's adapter to the sources. `follow` builds it from the entry, the host and the
 * user's settings, and all code below receives this object.
 */
export interface Run extends Omit<RunParts, "now">, HostRun {
  readonly home: Home;
  readonly config: Config;
  /** Previews are seen by nobody: they only load what a start needs. */
  readonly isUnseen?: boolean | undefined;
  /** Whether the agent itself runs in this process, so that both end together. */
  readonly isAgentsProcess?: boolean | undefined;
  /** For a moment that nobody waits for: how long a source may take, although it plans with its usual time. */
  readonly sourcesMayTakeMs?: number | undefined;
  /** How long the host has waited for this moment so far; absent if it does not wait. */
  readonly elapsedMs?: (() => number) | undefined;
  /** Writes to the health log. */
  onFailure(where: string, error: unknown): void;
}
