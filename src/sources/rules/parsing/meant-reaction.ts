import type { Reaction } from "../rule.ts";

/** Keys that people write instead of a reaction: `deny: true`. */
const MEANT: Readonly<Record<string, Reaction>> = {
  deny: "deny",
  denied: "deny",
  block: "deny",
  refuse: "deny",
  reject: "deny",
  forbid: "deny",
  prevent: "deny",
  ask: "ask",
  confirm: "ask",
  warn: "remind",
  remind: "remind",
  report: "report",
  log: "report",
};

/** `did you mean "reaction: deny"?` for an unknown key that names a reaction; `field` is the key that holds one. */
export function meantReaction(key: string, field: "reaction" | "action", where = ""): string | undefined {
  const word = key.toLowerCase();
  const reaction = Object.hasOwn(MEANT, word) ? MEANT[word] : undefined;
  return reaction && `did you mean "${field}: ${reaction}"${where}?`;
}
