/** What Continuo did in seven days, in all projects. */
export interface WeekNumbers {
  /** How often rules were given: each rule once for each session that got it, as `continuo rules report` counts. */
  readonly given: number;
  /** How often a rule was broken, and how many of these calls were refused or put to the person first. */
  readonly broken: number;
  readonly stopped: number;
  /**
   * Sessions that went on with earlier work: resumed with what they had, or given the past session that a prompt names. One that
   * was only shown the last session began with it, and may have done something else.
   */
  readonly resumed: number;
  readonly tokens: number;
}

export interface Weeks {
  readonly lastWeek: WeekNumbers;
  /** The seven days before; absent if the ledger has nothing of them. */
  readonly weekBefore?: WeekNumbers;
}
