import { fingerprint } from "../../base/fingerprint.ts";
import { countTokens } from "../../compose/tokens.ts";
import type { HostNote } from "../../moments/ports/tool.ts";
import type { Pi } from "./api.ts";
import { OURS } from "./conversation.ts";

/** What pi's own session file says about us, for whoever reads it: how much and when, never a text of ours. */
export interface Notes {
  delivered(event: string, texts: readonly string[]): void;
  keep(note: HostNote): void;
  /** When a run is over: an entry among a turn's messages would have no use. */
  write(): void;
}

/** `append` is pi's, as long as there is a session to append to. */
export function createNotes(append: Pi["appendEntry"]): Notes {
  let deliveries: object[] = [];
  let kept: HostNote[] = [];
  return {
    delivered(event, texts) {
      const sizes = texts.map((text) => ({ tokens: countTokens(text), fingerprint: fingerprint(text) }));
      deliveries.push(...sizes.map((size) => ({ event, ...size })));
    },
    keep(note) {
      kept.push(note);
    },
    write() {
      const written = [
        ...kept,
        ...(deliveries.length === 0 ? [] : [{ type: OURS, data: { version: 1, deliveries } }]),
      ];
      [kept, deliveries] = [[], []];
      for (const { type, data } of written) append(type, data);
    },
  };
}
