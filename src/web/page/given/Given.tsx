/** What was given to a session: its glass box. */
export function Given(_: { host: string; id: string }) {
  return null;
}
