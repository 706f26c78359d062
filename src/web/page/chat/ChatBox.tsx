/** Where a person writes to a session that runs in this page's server; nothing for others. */
export function ChatBox(_: { host: string; id: string }) {
  return null;
}
