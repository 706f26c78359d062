import { type LedgerLine, restoredAfter } from "../../../moments/state/ledger.ts";
import { receivedOf } from "../../../moments/state/received.ts";
import type { Compaction, GivenEntry, GivenItem, Known } from "../../api/given.ts";
import { brokenRule } from "./broken.ts";
import { givenItem, itemNamed, keyOf } from "./items.ts";

type Line<K extends LedgerLine["kind"]> = Extract<LedgerLine, { readonly kind: K }>;

/** A stored text without the text itself. */
interface KeptText {
  readonly epoch: number;
  readonly what: string;
  readonly fingerprint: string;
  readonly about?: string;
}

/** What was added to a session, oldest first. Ids are indexes in this list, which only grows at its end. */
export function timelineOf(lines: readonly LedgerLine[], texts: readonly KeptText[]): GivenEntry[] {
  const kept = new Map(texts.map((text) => [`${text.epoch} ${text.fingerprint}`, text]));
  const known = new Map<string, GivenItem>();
  const begun = new Set<number>();
  const compacted = new Set(lines.flatMap((line) => (line.kind === "compacted" ? [line.epoch] : [])));
  const { isMissing, isTold } = receivedOf(lines);
  const entries: GivenEntry[] = [];
  const add = (entry: Omit<GivenEntry, "id">): void => void entries.push({ ...entry, id: entries.length });
  for (const [i, line] of lines.entries()) {
    const common = { at: line.at, epoch: line.epoch, items: [], dropped: [], tokens: 0, hasText: false };
    switch (line.kind) {
      case "delivered": {
        const items = line.items.map(givenItem);
        for (const item of items) known.set(keyOf(item), item);
        const isLost = isMissing(line);
        const text = kept.get(`${line.epoch} ${line.fingerprint}`);
        add({
          ...common,
          kind: line.what,
          moment: line.moment,
          tool: line.tool,
          ...(text?.about === undefined ? {} : { about: text.about }),
          tokens: line.tokens,
          cache: isLost ? "none" : cacheEffect(line, begun.has(line.epoch), compacted.has(line.epoch)),
          ...(isLost ? { isMissing: true as const } : {}),
          items,
          dropped: (line.dropped ?? []).map(givenItem),
          hasText: text !== undefined,
        });
        if (!isLost) begun.add(line.epoch);
        break;
      }
      case "replayed": {
        const hasText = texts.some(({ epoch, what }) => epoch === line.epoch && what === "snapshot");
        add({ ...common, kind: "replayed", cache: "replayed", hasText });
        break;
      }
      case "compacting": {
        if (line.fingerprint === undefined) break;
        const hasText = kept.has(`${line.epoch} ${line.fingerprint}`);
        add({ ...common, kind: "handover", tokens: line.tokens ?? 0, cache: "none", hasText });
        break;
      }
      case "compacted":
        add({
          ...common,
          kind: "compaction",
          cache: "new-epoch",
          compaction: compactionOf(line, lines, i, known),
        });
        break;
      case "guarded":
        add({
          ...common,
          kind: "guard",
          tool: line.tool,
          cache: "none",
          guard: { action: line.action, why: line.why },
        });
        break;
      case "broken":
        add({
          ...common,
          kind: "broken",
          tool: line.tool,
          cache: "none",
          broken: brokenRule(line, isTold(line)),
        });
        break;
      case "ended":
        add({ ...common, kind: "ended", cache: "none", why: line.why });
        break;
    }
  }
  return entries;
}

function cacheEffect(
  { what }: Line<"delivered">,
  hasBegun: boolean,
  isAfterCompaction: boolean,
): GivenEntry["cache"] {
  if (what === "addition" || hasBegun) return "appended";
  return isAfterCompaction ? "new-epoch" : "new-prefix";
}

function compactionOf(
  line: Line<"compacted">,
  lines: readonly LedgerLine[],
  at: number,
  known: ReadonlyMap<string, GivenItem>,
): Compaction {
  const { restored, waiting } = restoredAfter(line, lines);
  const named = (names: readonly string[] = []) => names.map((name) => itemNamed(name, known));
  const announced = lines.slice(0, at).findLast((one) => one.kind === "compacting");
  // The host shows its summary before or after the new epoch begins, but before the next compaction.
  const next = lines.findIndex((one, i) => i > at && one.kind === "compacting");
  const before = announced === undefined ? 0 : lines.indexOf(announced);
  const summary = lines
    .slice(before, next < 0 ? lines.length : next)
    .find((one): one is Line<"summarised"> => one.kind === "summarised");
  return {
    ...(announced?.kind === "compacting" ? { trigger: announced.trigger } : {}),
    active: named(line.active),
    ...(summary === undefined
      ? {}
      : {
          summary: {
            characters: summary.characters,
            keptFiles: summary.keptFiles,
            lostFiles: summary.lostFiles,
            restated: summary.restated,
          },
        }),
    restored: named(restored),
    waiting: named(waiting),
    noRoom: named(line.noRoom),
    muted: named(line.muted),
    lost: named(line.lost),
  };
}

/** What the model had at a time: everything in the epoch at that time, each item in its latest form. */
export function knownAt(entries: readonly GivenEntry[], at: number): Known {
  const until = entries.filter((entry) => Date.parse(entry.at) <= at);
  const epoch = until.findLast((entry) => entry.kind !== "handover")?.epoch;
  const items = new Map<string, Known["items"][number]>();
  for (const entry of until.filter((one) => one.epoch === epoch && one.isMissing !== true)) {
    for (const item of entry.items) {
      if (item.withdraws === true) items.delete(keyOf(item));
      else items.set(keyOf(item), { ...item, entry: entry.id });
    }
  }
  const last = until.at(-1);
  return {
    at: new Date(at).toISOString(),
    ...(last === undefined ? {} : { entry: last.id }),
    items: [...items.values()],
  };
}
