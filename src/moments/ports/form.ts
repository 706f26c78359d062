/** A question to the user of a host. No model sees it. */
export interface Form {
  /** The text above the fields; may have several lines. */
  readonly message: string;
  readonly fields: readonly FormField[];
}

interface FormField {
  readonly name: string;
  readonly title: string;
  /** The choices, as shown to the user; without them the field accepts any text. */
  readonly choices?: readonly string[];
  /** The initial value. Without it, a choice must be made. */
  readonly value?: string;
  /** Whether to ask for it, given the previous answers. Ignored by hosts that show all fields at once. */
  readonly isAsked?: (answers: FormAnswers) => boolean;
}

/** By the fields' names; a field that was not asked is absent. */
export type FormAnswers = Readonly<Record<string, string>>;

/** Undefined if the person cancels or does not answer in time: then nothing is decided. */
export type AskUser = (form: Form) => Promise<FormAnswers | undefined>;
