import type { MemoryState } from "../../api/memory.ts";

/** What a person should know before they rely on notes: turned off, answered by another program, still indexing. */
export function MemoryNotice({ state }: { state: MemoryState }) {
  const lines = [
    ...(state.isOn
      ? []
      : [
          "Notes are turned off: agents are given none. To turn them on, set sources.memory.enabled to true.",
        ]),
    ...(state.command === undefined
      ? []
      : [
          `Sessions start with what "${state.command}" answers, not with these notes (sources.memory.command).`,
        ]),
    ...(state.isIndexing ? ["Notes are being indexed; some may be missing from lists and searches."] : []),
    ...state.problems,
  ];
  if (lines.length === 0) return null;
  return (
    <div class="memory-notice warn break rounded" role="note">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
