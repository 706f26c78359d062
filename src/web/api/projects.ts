/** A project that Continuo knows: an agent has worked in it, or `continuo web` was started there. */
export interface KnownProject {
  readonly root: string;
  readonly label: string;
}
