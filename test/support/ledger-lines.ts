import type { EntryBody } from "../../src/moments/state/ledger.ts";

type Delivered = Extract<EntryBody, { kind: "delivered" }>;
type Broken = Extract<EntryBody, { kind: "broken" }>;

/** Of a start, with these items. */
export function delivered(
  items: readonly { source: string; key: string; title?: string }[],
  more: Partial<Delivered> = {},
): Delivered {
  const { tokens = 5 } = more;
  const all = items.map((item) => ({ title: item.key, reason: "", tokens, ...item }));
  const what = { kind: "delivered", what: "snapshot", fingerprint: "f", dropped: [] } as const;
  return { ...what, tokens, items: all, ...more };
}

export function broken(rule: string, more: Partial<Broken> = {}): Broken {
  const check = { check: "c1", on: "edits", reaction: "remind", text: "x" } as const;
  return { kind: "broken", rule, name: rule.split("/").at(-1) ?? "", ...check, ...more };
}

/** A ledger line as hosts write it, a different one for each `n`. */
export function delivery(n: number, items = 2): string {
  const at = new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
  const keys = Array.from({ length: items }, (_, index) => ({
    source: "rules",
    key: `rule-${index}.md`,
    title: `Rule ${index} — ${n} 🙂`,
    reason: "always",
    tokens: 10 + index,
  }));
  const what = n % 3 === 0 ? "snapshot" : "addition";
  const head = { v: 1, at, kind: "delivered", host: "opencode", session: `ses_${n % 5}`, project: "/p" };
  return JSON.stringify({ ...head, epoch: 1, what, tokens: 50, fingerprint: "ab".repeat(32), items: keys });
}

export function deliveries(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `${delivery(from + index)}\n`).join("");
}
