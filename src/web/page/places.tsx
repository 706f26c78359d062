import {
  BookOpen,
  ChartNoAxesColumn,
  House,
  type IconNode,
  Inbox as InboxIcon,
  MessageSquare,
  MessagesSquare,
  Plug,
  ScrollText,
  Waypoints,
} from "lucide";
import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { loadPart } from "./core/page-key.ts";

export interface Place {
  readonly path: string;
  readonly view: ComponentType;
}

/** A place in the navigation. */
export interface MainPlace {
  readonly path: string;
  readonly label: string;
  readonly icon: IconNode;
  /** The key to type after `g`. */
  readonly key: string;
  /** On a phone it is behind "More", because there is little space. */
  readonly isMore?: true;
}

export const MAIN_PLACES: readonly MainPlace[] = [
  { path: "/", label: "Home", icon: House, key: "h" },
  { path: "/sessions", label: "Sessions", icon: MessagesSquare, key: "s" },
  { path: "/chat", label: "Chat", icon: MessageSquare, key: "c", isMore: true },
  { path: "/memory", label: "Notes", icon: BookOpen, key: "m" },
  { path: "/graph", label: "Graph", icon: Waypoints, key: "g", isMore: true },
  { path: "/rules", label: "Rules", icon: ScrollText, key: "r", isMore: true },
  { path: "/inbox", label: "Suggestions", icon: InboxIcon, key: "i" },
  { path: "/given", label: "Added", icon: ChartNoAxesColumn, key: "d", isMore: true },
  { path: "/connect", label: "Connect", icon: Plug, key: "o", isMore: true },
];

/**
 * All addresses of the page; each is registered here and nowhere else. Each view is a separate file, loaded when shown.
 */
export const PLACES: readonly Place[] = [
  { path: "/", view: lazy(() => loadPart(() => import("./RootPlace.tsx"))) },
  { path: "/sessions", view: lazy(() => loadPart(() => import("./sessions/SessionsPlace.tsx"))) },
  { path: "/sessions/:host/:id", view: lazy(() => loadPart(() => import("./session/SessionPlace.tsx"))) },
  { path: "/chat", view: lazy(() => loadPart(() => import("./chat/ChatPlace.tsx"))) },
  { path: "/memory", view: lazy(() => loadPart(() => import("./notes/MemoryPlace.tsx"))) },
  { path: "/memory/:note", view: lazy(() => loadPart(() => import("./notes/NotePlace.tsx"))) },
  { path: "/graph", view: lazy(() => loadPart(() => import("./graph/GraphPlace.tsx"))) },
  { path: "/rules", view: lazy(() => loadPart(() => import("./rules/RulesPlace.tsx"))) },
  { path: "/inbox", view: lazy(() => loadPart(() => import("./suggestions/InboxPlace.tsx"))) },
  { path: "/given", view: lazy(() => loadPart(() => import("./given/DaysPlace.tsx"))) },
  { path: "/connect", view: lazy(() => loadPart(() => import("./connect/ConnectPlace.tsx"))) },
];
