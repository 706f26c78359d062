import type { ComponentType } from "preact";

export interface AppletProps {
  readonly session: { readonly host: string; readonly id: string } | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  /** Changes parameters in the address; an empty value removes one. `push` makes the change undoable with "back". */
  set(changes: Readonly<Record<string, string>>, options?: { push?: boolean }): void;
}

export type AppletView = ComponentType<AppletProps>;
