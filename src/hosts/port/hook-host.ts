import type { Room } from "../../compose/room.ts";
import type { Verdict } from "../../moments/ports/source.ts";
import type { HostName } from "../names.ts";
import type { Meaning } from "./meaning.ts";

/** The facts about the call that are not in the payload. */
export interface HookCall {
  readonly event: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly at: number;
}

/** The port of a host that runs a command per event, with JSON on stdin and an answer on stdout. */
export interface HookHost {
  readonly name: HostName;
  readonly events: readonly string[];
  /** How long the host waits for an answer, in milliseconds; what is wired. */
  waitMs(event: string): number;
  /** What of one answer to this event reaches the model; the host cuts or hides more. undefined: everything. */
  room(event: string): Room | undefined;
  /** For events with several hook entries of ours, how many: the further ones print parts that wait. */
  readonly entries?: Readonly<Record<string, number>>;
  /** undefined when the event is none of ours (a host's own housekeeping). */
  understand(call: HookCall, payload: Readonly<Record<string, unknown>>): Meaning | undefined;
  /** What to print so that the model, or the host's summariser, gets the text. Only called with text. */
  reply(event: string, text: string): string;
  /** What to print so that the host heeds the verdict. */
  replyVerdict(event: string, verdict: Verdict): string;
}
