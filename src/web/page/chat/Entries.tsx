import { Brain, ChevronRight, CircleAlert, TriangleAlert, Wrench } from "lucide";
import { memo } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import type { ChatEntry } from "../../api/chat.ts";
import { Copy } from "../parts/Copy.tsx";
import { Code } from "../parts/code/Code.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Markdown } from "../parts/markdown/Markdown.tsx";
import { Time } from "../parts/Time.tsx";

type Of<K extends ChatEntry["kind"]> = Extract<ChatEntry, { kind: K }>;

/** One thing in the conversation. An entry that did not change is not drawn again. */
export const Entry = memo(function Entry({ entry }: { entry: ChatEntry }) {
  switch (entry.kind) {
    case "user":
      return <Said entry={entry} />;
    case "assistant":
      return <Answer entry={entry} />;
    case "tool":
      return <Tool entry={entry} />;
    case "failure":
      return (
        <div class="chat-failure" role="alert">
          <Icon of={CircleAlert} />
          <div>
            <p class="chat-failure-what">{entry.message}</p>
            <p>{entry.hint}</p>
          </div>
        </div>
      );
    case "note":
      return <p class="chat-note">{NOTES[entry.what]}</p>;
  }
});

const NOTES = {
  compacted: "The conversation was compacted here.",
  stopped: "Stopped.",
  resumed: "Resumed here.",
} as const;

function Said({ entry }: { entry: Of<"user"> }) {
  return (
    <article class="chat-said" aria-label="You">
      <div class="chat-text">{entry.text}</div>
      <Foot at={entry.at} text={entry.text} />
    </article>
  );
}

function Answer({ entry }: { entry: Of<"assistant"> }) {
  const text = useCalmed(entry.text, entry.isOpen);
  return (
    <article class="chat-answer" aria-label="Agent" aria-busy={entry.isOpen}>
      {entry.thinking !== "" && (
        <details class="chat-fold">
          <summary>
            <Icon of={ChevronRight} />
            <Icon of={Brain} />
            Thinking
          </summary>
          <div class="chat-fold-text">{entry.thinking}</div>
        </details>
      )}
      <Markdown text={text} />
      {entry.isCut && (
        <p class="chat-note">
          <Icon of={TriangleAlert} /> The answer is longer than this page shows.
        </p>
      )}
      {entry.isLost && (
        <p class="chat-note">
          <Icon of={TriangleAlert} /> The agent ended before it finished this answer. It is not part of the
          session, and the agent does not know it.
        </p>
      )}
      {!entry.isOpen && <Foot at={entry.at} text={entry.text} />}
    </article>
  );
}

const CALM_MS = 80;

/** Rendering Markdown at every piece of a long answer would take all the time there is. */
function useCalmed(text: string, isGrowing: boolean): string {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    if (!isGrowing) return;
    const timer = setTimeout(() => setShown(text), shown === "" ? 0 : CALM_MS);
    return () => clearTimeout(timer);
  }, [text, isGrowing, shown]);
  return isGrowing && text.startsWith(shown) ? shown : text;
}

function Foot({ at, text }: { at: number; text: string }) {
  return (
    <footer class="chat-foot">
      {at > 0 && <Time at={at} class="muted small" />}
      <Copy text={text} />
    </footer>
  );
}

const STATES = { running: "running", done: "", failed: "failed", denied: "denied" } as const;
/** Of a tool's arguments, the one that says most. */
const TELLING = ["path", "file_path", "url", "pattern", "query", "name", "description"];

function lineOf(input: string): string {
  if (!input.startsWith("{")) return input.trim().split("\n", 1)[0] ?? "";
  try {
    const values = JSON.parse(input) as Record<string, unknown>;
    const found = TELLING.map((name) => values[name]).find((value) => typeof value === "string");
    return typeof found === "string" ? found : input.replace(/\s+/g, " ");
  } catch {
    return input.replace(/\s+/g, " "); // it was cut
  }
}

function Tool({ entry }: { entry: Of<"tool"> }) {
  return (
    <details class={`chat-fold chat-tool chat-tool-${entry.state}`}>
      <summary>
        <Icon of={ChevronRight} />
        <Icon of={Wrench} />
        <span class="chat-tool-name">{entry.tool}</span>
        <code class="clip">{lineOf(entry.input)}</code>
        {STATES[entry.state] !== "" && <span class="chat-tool-state">{STATES[entry.state]}</span>}
      </summary>
      <div class="chat-fold-text">
        <Code text={entry.input} language={entry.tool === "bash" ? "bash" : "json"} />
      </div>
      {entry.result !== "" && (
        <div class="chat-fold-text">
          <Code text={entry.result} />
        </div>
      )}
    </details>
  );
}
