import type { Room } from "../../compose/room.ts";
import type { Config } from "../../store/config.ts";
import type { Home } from "../../store/home.ts";
import type { Delivery } from "../host-event.ts";
import type { LoadHistory } from "../ports/history.ts";
import type { Source } from "../ports/source.ts";
import type { HostNote } from "../ports/tool.ts";

/** What a process knows before any event: an entry makes it, and a test makes its own. */
export interface RunParts {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly sources: readonly Source[];
  /** Past sessions of all hosts, for sources that read them. */
  readonly history: LoadHistory;
}

/** What a host says of one event, or of all its events: what it can do with an answer, and who waits for it. */
export interface HostRun {
  /** How much of one output the host shows the model at this event; everything if absent. */
  readonly room?: Room | undefined;
  /** The host runs several of Continuo's hook entries for some events: the further ones print waiting parts. */
  readonly hasFurtherEntries?: boolean | undefined;
  /** The host can make the agent go on when it stops. */
  readonly canRefuseStop?: boolean | undefined;
  /** Whether the host shows its user the lines of a delivery, and never its model. Absent: they are shown somewhere else. */
  readonly showsNotices?: boolean | undefined;
  /** What the person types in this host to decide on suggestions, if it has a command for it. */
  readonly reviewCommand?: string | undefined;
  /** For hosts that keep notes in the session's own file. */
  readonly onHostNote?: ((note: HostNote) => void) | undefined;
  /** Called when it is known whether the agent's stop is refused, before everything is done that is to be done then. */
  readonly onStopDecided?: ((decided: Delivery) => void) | undefined;
  /** The process ends after this moment, and nothing else runs in it. */
  readonly isOwnProcess?: boolean | undefined;
  /** Once this fires nothing more is written: the host does not wait any longer, and nothing counts as delivered. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The context of one event, from the host's adapter to the sources. `follow` makes it of what the entry and the host say and of
 * the user's settings, and everything below gets this object.
 */
export interface Run extends Omit<RunParts, "now">, HostRun {
  readonly home: Home;
  readonly config: Config;
  /** Its previews only load what a start needs: nobody sees them. */
  readonly isUnseen?: boolean | undefined;
  /** The agent itself runs in this process, and ends with it. */
  readonly isAgentsProcess?: boolean | undefined;
  /** Nobody waits for this moment: how long a source may take, although it plans with the usual time. */
  readonly sourcesMayTakeMs?: number | undefined;
  /** How long the host has waited for this moment so far; absent if it does not wait. */
  readonly elapsedMs?: (() => number) | undefined;
  /** Goes to the health log. */
  onFailure(where: string, error: unknown): void;
}
