import { FileText } from "lucide";
import type { GivenItem } from "../../api/given.ts";
import { addressOf, noteAddress } from "../core/address.ts";
import { count } from "../core/format.ts";
import { Icon } from "../parts/Icon.tsx";
import { Mute } from "./Mute.tsx";
import { sourceWord } from "./words.ts";

export interface Owner {
  readonly host: string;
  readonly id: string;
  readonly project?: string;
}

/** The parts of a text: each item with its reason, its origin, and a way to mute it. */
export function Items({ items, owner, label }: { items: readonly GivenItem[]; owner: Owner; label: string }) {
  if (items.length === 0) return null;
  return (
    <ul class="line-top" aria-label={label}>
      {items.map((item) => (
        <ItemRow key={`${item.source}/${item.key}`} item={item} owner={owner} />
      ))}
    </ul>
  );
}

function ItemRow({ item, owner }: { item: GivenItem; owner: Owner }) {
  const { source, key, title, reason, tokens } = item;
  const session = { host: owner.host, id: owner.id };
  return (
    <li class="flex wrap between start gap-1-4 line-bottom pad-y-2">
      <div class="given-item-what">
        <span class="given-item-title medium break">{title}</span>
        <span class="muted small">
          {sourceWord(source)}
          {tokens > 0 && ` · ${count(tokens, "token")}`}
        </span>
        <p class="given-item-why muted break">
          {item.withdraws ? "Says that it no longer holds: " : "Why: "}
          {reason === "" ? "added before" : reason}
        </p>
      </div>
      <div class="row wrap gap-1">
        <SourceLink item={item} session={owner.id} />
        <Mute
          source={source}
          {...(item.canMute ? { itemKey: key } : {})}
          label={item.canMute ? title : `all of ${sourceWord(source)}`}
          session={session}
          project={owner.project}
        />
      </div>
    </li>
  );
}

function SourceLink({ item, session }: { item: GivenItem; session: string }) {
  const address =
    item.note !== undefined
      ? noteAddress(item.note)
      : item.path === undefined
        ? undefined
        : addressOf("/", { session, applet: "text-editor", path: item.path });
  if (address === undefined) return null;
  return (
    <a class="button button-quiet" href={address} aria-label={`Open the source of ${item.title}`}>
      <Icon of={FileText} />
      Open
    </a>
  );
}
