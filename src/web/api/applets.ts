/** An applet as `GET /api/applets` lists it. */
export interface Applet {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly isBuiltIn: boolean;
  readonly parameters: readonly AppletParameter[];
  /** For a user's applet: the address of its frame, valid until the server ends. */
  readonly frame?: string;
  /** The reasons why a user's applet cannot be used, one sentence each. */
  readonly problems: readonly string[];
}

interface AppletParameter {
  readonly name: string;
  readonly description: string;
}

export interface AppletList {
  readonly applets: readonly Applet[];
  /** The folder for the user's own applets. */
  readonly folder: string;
}
