import { fingerprint } from "../../compose/fingerprint.ts";
import { countTokens } from "../../compose/tokens.ts";
import { loadConfig } from "../../store/config.ts";
import { findHome } from "../../store/home.ts";
import { recordFailure } from "../follow.ts";
import type { Pi } from "./api.ts";
import { OURS } from "./history.ts";
import type { Parts } from "./teller.ts";

/** What pi's own session file says about our deliveries, for whoever reads it: how much and when, never the text. */
export interface Notes {
  delivered(event: string, texts: readonly string[]): void;
  /** One entry per run, when it is over: an entry among a turn's messages would have no use. */
  write(): void;
}

export function createNotes(pi: Pi, { env, sources, now }: Pick<Parts, "env" | "sources" | "now">): Notes {
  let deliveries: object[] = [];
  return {
    delivered(event, texts) {
      const sizes = texts.map((text) => ({ tokens: countTokens(text), fingerprint: fingerprint(text) }));
      deliveries.push(...sizes.map((size) => ({ event, ...size })));
    },
    write() {
      const written = deliveries;
      deliveries = [];
      if (written.length === 0) return;
      try {
        if (!loadConfig(findHome(env).config, sources, env).config.sessionEntries) return;
        pi.appendEntry(OURS, { version: 1, deliveries: written });
      } catch (error) {
        recordFailure(env, "pi notes", error, now());
      }
    },
  };
}
