import { ChevronRight } from "lucide";
import type { GivenEntry, GivenText } from "../../api/given.ts";
import { sessionPath } from "../core/api.ts";
import { clock, count, exact, number } from "../core/format.ts";
import { useGet } from "../core/resource.ts";
import { Badge } from "../parts/Badge.tsx";
import { Button } from "../parts/Button.tsx";
import { Copy } from "../parts/Copy.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Loaded } from "../parts/States.tsx";
import { Broken, placeOf } from "./Broken.tsx";
import { CompactionReport } from "./CompactionReport.tsx";
import { Items, type Owner } from "./Items.tsx";
import { CACHE_WORDS, outcomeOf } from "./words.ts";

interface Props {
  readonly entry: GivenEntry;
  readonly title: string;
  readonly owner: Owner;
  readonly isOpen: boolean;
  /** Whether the session's state is shown as of this entry. */
  readonly isMarked: boolean;
  toggle(): void;
  lookAt(): void;
}

/** An entry of the timeline: a line when closed; when open, the exact text and all details. */
export function EntryRow({ entry, title, owner, isOpen, isMarked, toggle, lookAt }: Props) {
  const [short] = CACHE_WORDS[entry.cache];
  const isPlain = entry.kind === "ended";
  const tone = entry.cache === "appended" || entry.cache === "replayed" ? "good" : "plain";
  return (
    <li
      class={`entry entry-${entry.kind} ${isOpen ? "entry-open" : ""} ${isMarked ? "entry-marked" : ""}`}
      id={`given-${entry.id}`}
    >
      <span class="entry-dot" aria-hidden="true" />
      <button
        type="button"
        class="entry-line plain row gap-2 full rounded"
        aria-expanded={isPlain ? undefined : isOpen}
        disabled={isPlain}
        onClick={toggle}
      >
        {!isPlain && <Icon of={ChevronRight} />}
        <span class="entry-title medium nowrap">{title}</span>
        {entry.broken && <code class="entry-about clip muted">{placeOf(entry.broken)}</code>}
        {entry.about && entry.about !== entry.tool && (
          <span class="entry-about clip muted">{aboutText(entry)}</span>
        )}
        <span class="entry-facts inline-row gap-3 nowrap">
          {entry.kind === "compaction" && entry.compaction && (
            <span class="small muted">
              {entry.compaction.restored.length} of {entry.compaction.active.length} restored
            </span>
          )}
          {entry.tokens > 0 && <span class="small muted">{count(entry.tokens, "token")}</span>}
          {isInConversation(entry) && <Badge tone={tone}>{short}</Badge>}
          <time
            class="small muted entry-time numbers right"
            dateTime={entry.at}
            title={exact(Date.parse(entry.at))}
          >
            {clock(Date.parse(entry.at))}
          </time>
        </span>
      </button>
      {isOpen && !isPlain && <Body entry={entry} owner={owner} lookAt={lookAt} isMarked={isMarked} />}
    </li>
  );
}

/** Other kinds only say what happened to a call, and have no text. */
function isInConversation({ kind }: GivenEntry): boolean {
  return kind !== "ended" && kind !== "guard" && kind !== "broken";
}

/** The title already contains the tool. */
function aboutText({ about = "", tool }: GivenEntry): string {
  return tool !== undefined && about.startsWith(`${tool} `) ? about.slice(tool.length + 1) : `“${about}”`;
}

function Body({ entry, owner, lookAt, isMarked }: Pick<Props, "entry" | "owner" | "lookAt" | "isMarked">) {
  const [, effect] = CACHE_WORDS[entry.cache];
  const hasText = entry.kind !== "compaction" && isInConversation(entry);
  return (
    <div class="entry-body stack gap-3 narrow">
      <p class="muted small row wrap between gap-2">
        {entry.broken ? outcomeOf(entry.broken) : effect}
        {!isMarked && entry.kind !== "handover" && (
          <Button kind="quiet" onClick={lookAt}>
            What was known here?
          </Button>
        )}
      </p>
      {entry.guard && <p>{entry.guard.why}</p>}
      {entry.broken && <Broken of={entry.broken} owner={owner} />}
      {entry.compaction && <CompactionReport report={entry.compaction} />}
      <Items items={entry.items} owner={owner} label="What the text consists of" />
      {entry.dropped.length > 0 && (
        <>
          <h3>No room for {count(entry.dropped.length, "item")}</h3>
          <Items items={entry.dropped} owner={owner} label="What had no room" />
        </>
      )}
      {hasText && <ExactText entry={entry} owner={owner} />}
    </div>
  );
}

function ExactText({ entry, owner }: { entry: GivenEntry; owner: Owner }) {
  const path = sessionPath(owner.host, owner.id, `/given/${entry.id}`);
  const resource = useGet<GivenText>(path);
  return (
    <Loaded resource={resource} lines={3}>
      {({ text, why }) => (
        <figure class="entry-text">
          <figcaption class="row between gap-3 small muted pad-bottom-1">
            <span>
              {text === undefined ? "Exact text" : `Exact text, ${number(text.length)} characters`}
              {why && `. ${why}`}
            </span>
            {text !== undefined && <Copy text={text} />}
          </figcaption>
          {text !== undefined && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            <pre tabIndex={0}>{text}</pre>
          )}
        </figure>
      )}
    </Loaded>
  );
}
