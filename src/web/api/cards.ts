import type { SessionRef } from "./events.ts";

/** The context card of a session: its context sets with their current state, and the files that it used. */
export interface CardView {
  readonly session: SessionRef;
  /** The project's folder; absent if unknown. */
  readonly root?: string;
  /** The set `files`, in order. */
  readonly files: readonly CardFile[];
  /** The files that the session's tool calls used most, without pinned ones. */
  readonly used: readonly CardFile[];
  readonly applet?: CardApplet;
  readonly endpoints: readonly CardEndpoint[];
  readonly ports: readonly CardPort[];
  /** Sets with other names. */
  readonly others: readonly CardSet[];
}

export interface CardFile {
  /** The absolute path, as in the set. */
  readonly path: string;
  /** Relative to the project if it is inside. */
  readonly name: string;
  /** `changed` means since the session was last idle. */
  readonly state: "same" | "changed" | "gone";
  /** How much it changed: "+2 lines". */
  readonly change?: string;
  /** Whether the page may open it. */
  readonly canOpen: boolean;
  readonly isEdited?: boolean;
}

export interface CardApplet {
  readonly slug: string;
  readonly title: string;
  /** Whether an applet with this name exists. */
  readonly isThere: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CardEndpoint {
  /** As in the set. */
  readonly item: string;
  /** `GET`, or the protocol if the item names no method: `HTTP`, `WS`. */
  readonly method: string;
  readonly url: string;
}

export interface CardPort {
  readonly port: number;
  /** Whether something on this machine listens there. */
  readonly isOpen: boolean;
}

interface CardSet {
  readonly name: string;
  readonly items: readonly string[];
}
