import type { CardView } from "../../api/cards.ts";
import { count } from "../core/format.ts";

/** The card in one line: "3 files · 1 applet · 2 ports". */
export function summaryOf(card: CardView): string {
  const { files, used, applet, ports, endpoints, others } = card;
  const parts = [
    files.length > 0 && count(files.length, "file"),
    applet !== undefined && "1 applet",
    ports.length > 0 && count(ports.length, "port"),
    endpoints.length > 0 && count(endpoints.length, "endpoint"),
    ...others.map(({ name, items }) => `${items.length} ${name}`),
  ].filter((part) => part !== false);
  if (parts.length > 0) return parts.join(" · ");
  return used.length > 0 ? `Nothing pinned · ${count(used.length, "file")} in use` : "Nothing pinned";
}

/** Every item with its state, to detect changes between two loads. */
export function itemsOf(card: CardView): ReadonlySet<string> {
  return new Set([
    ...card.files.map(({ path, state, change = "" }) => keyOf("files", path, state + change)),
    ...(card.applet === undefined
      ? []
      : [keyOf("applet", card.applet.slug, JSON.stringify(card.applet.parameters))]),
    ...card.ports.map(({ port, isOpen }) => keyOf("ports", String(port), String(isOpen))),
    ...card.endpoints.map(({ item }) => keyOf("endpoints", item)),
    ...card.others.flatMap(({ name, items }) => items.map((item) => keyOf(name, item))),
  ]);
}

export function keyOf(set: string, item: string, state = ""): string {
  return JSON.stringify([set, item, state]);
}
