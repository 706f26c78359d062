import type { Verdict } from "./ports/source.ts";
import type { CompactedMoment, Moment, ToolMoment } from "./types.ts";

/** An event of a host, in the engine's terms. */
export type HostEvent =
  | { readonly kind: "moment"; readonly moment: Moment }
  /** The host runs several hook entries of Continuo for one event; this is not the first of them. */
  | { readonly kind: "further"; readonly moment: Moment; readonly entry: number }
  /** A tool is about to be called. */
  | { readonly kind: "guard"; readonly moment: ToolMoment }
  /** The host's summariser wrote this. */
  | { readonly kind: "summary"; readonly moment: CompactedMoment; readonly summary: string };

/** What the host has to do: deliver a text (if not empty), or respect a verdict. */
export interface Delivery {
  readonly text: string;
  /** About a tool call or, at `idle`, about the agent's stop. */
  readonly verdict?: Verdict | undefined;
  /** Lines for the user, which the model must not see. */
  readonly notices?: readonly string[] | undefined;
  /** Set if the moment failed, or the host did not wait for it. */
  readonly failed?: true;
}
