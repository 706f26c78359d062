import type { ComponentChildren } from "preact";
import type { Compaction, GivenItem } from "../../api/given.ts";
import { count } from "../core/format.ts";
import { sourceWord } from "./words.ts";

/** What was active before a compaction, what the host's summary kept, and what Continuo restored. */
export function CompactionReport({ report }: { report: Compaction }) {
  const { active, summary, restored, waiting, noRoom, muted, lost } = report;
  return (
    <div class="loss line-top line-bottom">
      <Column title="Active before" count={active.length}>
        <Names items={active} empty="Nothing had been added." />
      </Column>
      <Column title="Kept by the summary" {...(summary ? { count: summary.keptFiles.length } : {})}>
        {summary === undefined ? (
          <p class="muted">This host does not show its summary.</p>
        ) : (
          <>
            <p class="muted small">A summary of {count(summary.characters, "character")}</p>
            <Paths paths={summary.keptFiles} label="Files that it names" />
            <Paths paths={summary.lostFiles} label="Files in use that it does not name" isLost />
            <Paths paths={summary.restated} label="Repeated, although Continuo gives it anyway" />
          </>
        )}
      </Column>
      <Column title="Restored by Continuo" count={restored.length}>
        <Names items={restored} empty="Nothing." />
        <Group title="Waiting for space in the next output" items={waiting} />
        <Group title="No room" items={noRoom} tone="lost" />
        <Group title="Left out: you muted it" items={muted} />
        <Group title="Not restored: it no longer applies" items={lost} tone="lost" />
      </Column>
    </div>
  );
}

function Column(props: { title: string; count?: number; children: ComponentChildren }) {
  return (
    <section class="loss-column">
      <h3 class="flex start gap-2 pad-bottom-2">
        {props.title}
        {props.count !== undefined && <span class="count">{props.count}</span>}
      </h3>
      {props.children}
    </section>
  );
}

function Group(props: { title: string; items: readonly GivenItem[]; tone?: "lost" }) {
  if (props.items.length === 0) return null;
  return (
    <>
      <p class={`small pad-top-2 ${props.tone === "lost" ? "warn" : "muted"}`}>{props.title}</p>
      <Names items={props.items} empty="" />
    </>
  );
}

function Names({ items, empty }: { items: readonly GivenItem[]; empty: string }) {
  if (items.length === 0) return <p class="muted">{empty}</p>;
  return (
    <ul>
      {items.map((item) => (
        <li key={`${item.source}/${item.key}`} class="flex baseline between gap-2 narrow">
          <span class="clip" title={`${item.source}/${item.key}`}>
            {item.title}
          </span>
          <span class="muted small">{sourceWord(item.source)}</span>
        </li>
      ))}
    </ul>
  );
}

function Paths(props: { paths: readonly string[]; label: string; isLost?: boolean }) {
  if (props.paths.length === 0) return null;
  return (
    <>
      <p class={`small pad-top-2 ${props.isLost ? "warn" : "muted"}`}>{props.label}</p>
      <ul>
        {props.paths.map((path) => (
          <li key={path} class="flex baseline between gap-2 narrow">
            <code class="clip" title={path}>
              {path}
            </code>
          </li>
        ))}
      </ul>
    </>
  );
}
