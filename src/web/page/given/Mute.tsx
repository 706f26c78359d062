/** Mutes something that is given to agents. `key` is an item's key; without it, the whole source. */
export function Mute(_: {
  source: string;
  itemKey?: string;
  label: string;
  project?: string;
  session?: { host: string; id: string };
}) {
  return null;
}
