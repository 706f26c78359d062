import { sessionAddress } from "../core/address.ts";

/** From a turn of the conversation to what the model had of Continuo's at that time. */
export function KnownLink({
  session,
  at,
}: {
  session: { host: string; id: string };
  at: number | undefined;
}) {
  if (at === undefined) return null;
  const address = sessionAddress(session.host, session.id, { tab: "given", at: new Date(at).toISOString() });
  return (
    <a class="known-link small" href={address}>
      What did it know here?
    </a>
  );
}
