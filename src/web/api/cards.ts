import type { SessionRef } from "./events.ts";

/** The context card of a session: its context sets with their state now, and the files that it used. */
export interface CardView {
  readonly session: SessionRef;
  /** The project's folder; absent if nothing is known of it. */
  readonly root?: string;
  /** The set `files`, in its order. */
  readonly files: readonly CardFile[];
  /** Files that the session's tool calls used most, without pinned ones. */
  readonly used: readonly CardFile[];
  readonly applet?: CardApplet;
  readonly endpoints: readonly CardEndpoint[];
  readonly ports: readonly CardPort[];
  /** Sets with other names. */
  readonly others: readonly CardSet[];
}

export interface CardFile {
  /** As it is in the set: absolute. */
  readonly path: string;
  /** Relative to the project if it is in it. */
  readonly name: string;
  /** `changed`: since the session was last idle. */
  readonly state: "same" | "changed" | "gone";
  /** How much it changed: "+2 lines". */
  readonly change?: string;
  /** The page may open it. */
  readonly canOpen: boolean;
  readonly isEdited?: boolean;
}

export interface CardApplet {
  readonly slug: string;
  readonly title: string;
  /** There is an applet with this name. */
  readonly isThere: boolean;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CardEndpoint {
  /** As it is in the set. */
  readonly item: string;
  /** `GET`, or the protocol if the item names no method: `HTTP`, `WS`. */
  readonly method: string;
  readonly url: string;
}

export interface CardPort {
  readonly port: number;
  /** Something on this machine listens there. */
  readonly isOpen: boolean;
}

interface CardSet {
  readonly name: string;
  readonly items: readonly string[];
}
