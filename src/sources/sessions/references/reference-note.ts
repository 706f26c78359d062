import type { HostNote } from "../../../moments/ports/tool.ts";

/** A reference of a prompt, and what became of it. */
export interface Told {
  readonly key: string;
  readonly text: string;
  readonly outcome: "resolved" | "not_found" | "ambiguous";
  /** All that is known fitted into the text. Only asked where somebody wants to know: it takes a second text. */
  readonly isWhole: () => boolean;
}

/** What pi's programs read about references, in the form that they know; none when nothing of it was delivered. */
export function referenceNote(
  told: readonly Told[],
  leftOut: number,
  at: number,
  delivered: ReadonlySet<string>,
): HostNote[] {
  const isDelivered = ({ key }: Told) => delivered.has(`sessions/${key}`);
  const shown = told.filter(isDelivered);
  if (shown.length === 0) return [];
  const resolved = told.filter(({ outcome }) => outcome === "resolved");
  const reasons = { not_found: 0, ambiguous: 0, over_limit: leftOut };
  for (const { outcome } of told) if (outcome !== "resolved") reasons[outcome]++;
  const unresolvedCount = told.length - resolved.length + leftOut;
  const data = {
    success: unresolvedCount === 0,
    resolvedCount: resolved.length,
    unresolvedCount,
    unresolvedReasons: Object.fromEntries(Object.entries(reasons).filter(([, count]) => count > 0)),
    // One session under two names is delivered once.
    injectedBytes: [...new Set(shown.map(({ text }) => text))].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    ),
    truncated: resolved.some((one) => !isDelivered(one) || !one.isWhole()),
    timestamp: new Date(at).toISOString(),
  };
  return [{ type: "session-reference:inject", data }];
}
