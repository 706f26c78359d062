import { Check, Copy as CopyIcon } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { notifyFailure } from "../core/notices.ts";
import { Button } from "./Button.tsx";

/**
 * Copies a text and shows "Copied". `text` may be a function that fetches it. `label` says what is copied, if the text
 * beside the icon is short.
 */
export function Copy({
  text,
  label,
  children = "Copy",
  ...rest
}: {
  text: string | (() => Promise<string>);
  label?: string;
  children?: string;
  kind?: "plain" | "quiet";
  title?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setCopied(true);
    } catch (error) {
      notifyFailure("Could not copy", error);
    }
  };
  return (
    <Button
      {...rest}
      icon={isCopied ? Check : CopyIcon}
      onClick={() => void copy()}
      class="copy"
      {...(label !== undefined && { "aria-label": isCopied ? "Copied" : label })}
    >
      <span aria-live="polite">{isCopied ? "Copied" : children}</span>
    </Button>
  );
}

/** A command to copy and run in a terminal. */
export function Command({ text }: { text: string }) {
  return (
    <span class="command">
      <code>{text}</code>
      <Copy text={text} />
    </span>
  );
}
