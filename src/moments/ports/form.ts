/** A question to the person at a host. No model sees it. */
export interface Form {
  /** What it is about; it may have several lines. */
  readonly message: string;
  readonly fields: readonly FormField[];
}

interface FormField {
  readonly name: string;
  readonly title: string;
  /** What can be chosen, as the person reads it; without it the field takes any text. */
  readonly choices?: readonly string[];
  /** What the field has when it is shown. A choice without it must be made. */
  readonly value?: string;
  /** Whether it is asked, given the answers before it. A host that shows all fields at once ignores this. */
  readonly isAsked?: (answers: FormAnswers) => boolean;
}

/** By the fields' names; a field that was not asked is absent. */
export type FormAnswers = Readonly<Record<string, string>>;

/** Undefined if the person cancels or does not answer in time: then nothing is decided. */
export type AskUser = (form: Form) => Promise<FormAnswers | undefined>;
