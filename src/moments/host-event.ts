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
