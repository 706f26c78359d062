/** The former name, until the in-process hosts use the new one. */
export type { HostEvent as Meaning } from "./host-event.ts";
