import type { CompactedMoment, Moment, ToolMoment } from "../moments/types.ts";

/** What a host's event means to the engine. */
export type Meaning =
  | { readonly kind: "moment"; readonly moment: Moment }
  /** A tool is about to be called. */
  | { readonly kind: "guard"; readonly moment: ToolMoment }
  /** The host's summariser has written this. */
  | { readonly kind: "summary"; readonly moment: CompactedMoment; readonly summary: string };
