import type { ComponentChildren } from "preact";

/** A word about something: subdued by default; coloured only if the user should notice it. */
export function Badge({
  tone = "plain",
  title,
  children,
}: {
  tone?: "plain" | "accent" | "good" | "warn" | "bad";
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  );
}

const LABELS: Readonly<Record<string, string>> = {
  "claude-code": "Claude Code",
  opencode: "OpenCode",
  pi: "pi",
  copilot: "Copilot",
  "copilot-sdk": "Copilot SDK",
  codex: "Codex",
  gemini: "Gemini",
  vscode: "VS Code",
  cursor: "Cursor",
  unknown: "Unknown agent",
  mcp: "MCP",
};

export function hostLabel(host: string): string {
  return LABELS[host] ?? host;
}

/** A host's name with a coloured dot, so that lists can be scanned. */
export function HostName({ host }: { host: string }) {
  return (
    <span class="host-name">
      <span class={`host-dot host-${host.replace(/[^a-z-]/g, "")}`} aria-hidden="true" />
      {hostLabel(host)}
    </span>
  );
}
