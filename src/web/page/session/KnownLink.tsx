import { MessageCircleQuestionMark } from "lucide";
import { sessionAddress } from "../core/address.ts";
import { Icon } from "../parts/Icon.tsx";

const QUESTION = "What did it know here?";

/** From a turn of the conversation to what the model had of Continuo's at that time. In a narrow place only an icon. */
export function KnownLink(props: {
  session: { host: string; id: string };
  at: number | undefined;
  isIcon?: boolean;
}) {
  const { session, at, isIcon = false } = props;
  if (at === undefined) return null;
  const address = sessionAddress(session.host, session.id, { tab: "given", at: new Date(at).toISOString() });
  if (isIcon)
    return (
      <a class="known-link row-action" href={address} aria-label={QUESTION} title={QUESTION}>
        <Icon of={MessageCircleQuestionMark} size={14} />
      </a>
    );
  return (
    <a class="known-link small" href={address}>
      {QUESTION}
    </a>
  );
}
