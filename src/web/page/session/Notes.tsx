import type { TurnList } from "./turn-list.ts";

/** What a reader should know about the conversation as it is shown. */
export function Notes(props: {
  list: TurnList;
  lost: "transcript" | "session" | undefined;
  isMissing: boolean;
}) {
  const { list, lost, isMissing } = props;
  const lines = [
    ...(lost === "transcript"
      ? [
          "The agent deleted this transcript while it was open. What is shown stays until you leave this page.",
        ]
      : []),
    ...(lost === "session"
      ? [
          "This session was removed from the index while it was open. What is shown stays until you leave this page.",
        ]
      : []),
    ...(list.source === "index"
      ? [`${list.notices.join(" ")} What follows is the text that the index kept: no tool results, no diffs.`]
      : list.notices.map((notice) => `Not shown: ${notice}.`)),
    ...(isMissing ? ["That turn is no longer in the transcript."] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="conversation-notes" role="status">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
