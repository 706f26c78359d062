/** The context card of a session. */
export function Card(_: { host: string; id: string }) {
  return null;
}
