import { describeError } from "../../../base/errors.ts";
import { folderOfUser, givenName, isOfCaco } from "../../../moments/state/session-meta.ts";
import type { SessionRef } from "../../api/events.ts";
import type { Web } from "../web.ts";

/** Another program may name a session in its metadata: lists and `@@` have the new name at once. */
export function followNames(web: Web): void {
  web.onClose(
    web.subscribe((event) => {
      if (event.type === "session" && event.reason === "metadata") void take(web, event.session);
    }),
  );
}

async function take(web: Web, session: SessionRef): Promise<void> {
  try {
    const sessions = await web.sessions();
    const known = sessions.get(session);
    const user = folderOfUser(web.env);
    const name = givenName(web.home, user, session);
    const isNews =
      name === undefined ? known?.namedBy === "given" && isOfCaco(user, session.id) : known?.name !== name;
    if (known === undefined || !isNews) return;
    sessions.named(session, name ?? "");
    web.publish({ type: "session", session, reason: "renamed" });
  } catch (error) {
    const { code, message } = describeError(error);
    if (code !== "index-busy") web.report("web-names", message);
  }
}
