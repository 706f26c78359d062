/** A line of text with names between backticks, as agents write them. */
export function InlineCode({ text }: { text: string }) {
  return (
    <>
      {text.split(/`([^`\n]+)`/).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <code key={at} class="inline-code">
            {part}
          </code>
        ),
      )}
    </>
  );
}
