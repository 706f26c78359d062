import type { Mute, MuteScope } from "../../store/mutes.ts";
import type { Session } from "../types.ts";

/** Where something would be delivered. `session` is absent if the session has not begun. */
interface MutePlace {
  readonly session?: Session;
  readonly project: string;
}

/** What the user has muted at one place. */
export interface Muted {
  /** The mute of an item, or of its whole source. */
  of(source: string, key: string): Mute | undefined;
  ofSource(source: string): Mute | undefined;
  /**
   * Whether a rule's guard is off. Muting a whole source leaves guards on, and so does muting a project's rule
   * everywhere, because another project may have a rule of the same name.
   */
  isGuardOff(key: string, isUsers: boolean): boolean;
}

/** Undefined if nothing is muted here, which is the usual case. */
export function mutedAt(mutes: readonly Mute[], place: MutePlace): Muted | undefined {
  const here = mutes.filter((mute) => isIn(mute, place));
  if (here.length === 0) return undefined;
  const byWhat = new Map(here.map((mute) => [mute.what, mute]));
  const ofItem = (source: string, key: string) => byWhat.get(muteKey(source, key));
  return {
    of: (source, key) => byWhat.get(source) ?? ofItem(source, key),
    ofSource: (source) => byWhat.get(source),
    isGuardOff: (key, isUsers) =>
      here.some((mute) => mute.what === muteKey("rules", key) && (isUsers || mute.in !== "everywhere")),
  };
}

/** The mutes that apply to a session. */
export function mutesIn(mutes: readonly Mute[], session: Session, project: string): Mute[] {
  return mutes.filter((mute) => isIn(mute, { session, project }));
}

/** The key under which a mute names an item. A rule that is only listed for the model has the same key. */
export function muteKey(source: string, key: string): string {
  return `${source}/${source === "rules" ? key.replace(/^on-request\//, "") : key}`;
}

/** A subagent's session counts as its parent's. */
function isIn(scope: MuteScope, { session, project }: MutePlace): boolean {
  if (scope.in === "everywhere") return true;
  if (scope.in === "project") return scope.project === project;
  if (session === undefined || scope.host !== session.host) return false;
  return scope.session === session.id || scope.session === session.parent;
}
