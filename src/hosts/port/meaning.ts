import type { CompactedMoment, Moment, ToolMoment } from "../../moments/types.ts";

/** What a host's event means to the engine. */
export type Meaning =
  | { readonly kind: "moment"; readonly moment: Moment }
  /** The host called another hook entry of ours for it already, or at the same time. */
  | { readonly kind: "further"; readonly moment: Moment; readonly entry: number }
  /** A tool is about to be called. */
  | { readonly kind: "guard"; readonly moment: ToolMoment }
  /** The host's summariser has written this. */
  | { readonly kind: "summary"; readonly moment: CompactedMoment; readonly summary: string };
