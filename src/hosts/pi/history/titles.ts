import type { Title } from "../../../moments/ports/history.ts";
import { type Entry, textAt } from "../../shared/history/fields.ts";
import { namedByContinuo } from "../conversation.ts";

/**
 * The newest name of a session as its entries tell it. pi does not say who gave one, so it counts as a person's, unless a
 * note of ours behind it says that we did: a fork has a copy of both, and no record that would know it.
 */
export function createTitles(): { see(entry: Entry): void; newest(): Title | undefined } {
  let title: Title | undefined;
  let named: unknown;
  return {
    newest: () => title,
    see(entry) {
      const name = entry["type"] === "session_info" ? textAt(entry, "name") : undefined;
      if (name !== undefined) {
        title = { text: name, by: "person" };
        named = entry["id"];
      } else if (title !== undefined && namedByContinuo(entry).includes(named))
        title = { ...title, by: "host" };
    },
  };
}
