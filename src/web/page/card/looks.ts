import { stateItems } from "../core/applet-address.ts";

interface Session {
  readonly host: string;
  readonly id: string;
}

/** Files that were opened from the card only to look, by session: they do not replace the applet that is kept. */
const looks = new Map<string, string>();

/** The person opened a file from the card of a session that keeps another applet. It is in the card already. */
export function noteLook({ host, id }: Session, path: string): void {
  looks.set(`${host}/${id}`, JSON.stringify(stateItems({ slug: "text-editor", parameters: { path } }).items));
}

/** The state of the applet that was opened in this way last. */
export const lastLook = ({ host, id }: Session): string | undefined => looks.get(`${host}/${id}`);
