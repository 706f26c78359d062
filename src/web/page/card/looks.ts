import { stateItems } from "../core/applet-address.ts";

interface Session {
  readonly host: string;
  readonly id: string;
}

/** Files that were opened from the card just to look at them, by session: they do not replace the saved applet. */
const looks = new Map<string, string>();

/** The user opened a file from the card of a session with another saved applet. The card already contains the file. */
export function noteLook({ host, id }: Session, path: string): void {
  looks.set(`${host}/${id}`, JSON.stringify(stateItems({ slug: "text-editor", parameters: { path } }).items));
}

/** The state of the applet last opened this way. */
export const lastLook = ({ host, id }: Session): string | undefined => looks.get(`${host}/${id}`);
