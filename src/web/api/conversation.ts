import type { Answer, Image, Mark, Role } from "../../moments/ports/turn.ts";

/** A stretch of a session's conversation, oldest turn first. */
export interface Conversation {
  /** `index`: the transcript is gone; these are the passages that the index kept, without tool results. */
  readonly source: "transcript" | "index";
  readonly turns: readonly ShownTurn[];
  /** Where the earlier part ends; null at the beginning of the session. */
  readonly before: string | null;
  /** Where the later part begins, also one that is not written yet. The last turn may come again, with more in it. */
  readonly after: string;
  /** Nothing was written after these turns yet. */
  readonly isEnd: boolean;
  /** The cursor does not fit the transcript any more: what is shown has to be loaded again. */
  readonly isReset?: true;
  /** What could not be read, for people. */
  readonly notices: readonly string[];
}

/** A text that may have been cut. */
export interface ShownText {
  readonly text: string;
  /** Characters of the whole text, if this is only its beginning: `…/conversation/turn` gives more. */
  readonly of?: number;
}

/** Beside a transcript's marks those of a chat: what its agent ended before, and where it was stopped or resumed. */
export type ShownMark = Mark | "lost" | "stopped" | "resumed";

/** One step of a conversation as the page shows it, of a transcript or of a chat that runs in this server. */
export interface ShownTurn {
  readonly id: string;
  /** A cursor: reading that begins here gives this turn first. Empty if the turn is live. */
  readonly place: string;
  /** It comes from a chat, not from a transcript: there is no more of its texts than it has. */
  readonly isLive?: true;
  /** More of it may come. */
  readonly isOpen?: true;
  readonly role: Role;
  readonly said: ShownText;
  readonly thinking?: ShownText;
  /** What Continuo or the host had added to the text. */
  readonly injected?: ShownText;
  readonly calls: readonly ShownCall[];
  /** For a tool's turn: the calls that it answers. */
  readonly answers: readonly Pick<Answer, "call" | "failed" | "rejected">[];
  readonly images: readonly Image[];
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly model?: string;
  readonly marks: readonly ShownMark[];
}

export interface ShownCall {
  readonly id?: string;
  readonly name: string;
  /** What the tool does, as the line begins: "Read", "Edit", "Run", or the tool's own name. */
  readonly verb: string;
  /** The file, the command or the words that it is about; one line. */
  readonly about: string;
  /** Files that it read or edited, relative to the project. */
  readonly files: readonly string[];
  /** Its input as JSON. */
  readonly input: ShownText;
  /** What it changes, as a unified diff without line numbers of the file. */
  readonly diff?: ShownText;
}

export type TurnPart = "said" | "thinking" | "injected" | "input" | "diff";

/** More of one text of a turn. */
export interface WholeText extends ShownText {
  readonly id: string;
}

/** What a conversation consists of, from its beginning as far as it was read. */
export interface Outline {
  /** How many turns were read. Places below are among these, from 0. */
  readonly turns: number;
  /** In the order of the conversation, at most a thousand: the newest. */
  readonly marks: readonly OutlineMark[];
  /** What each prompt led to, oldest first, at most a thousand: the newest. */
  readonly prompts: readonly PromptTotals[];
  /** There is more to read: asking again goes on. */
  readonly isPart?: true;
}

export interface OutlineMark {
  /** `failed`: a tool call. `broken`: a rule. */
  readonly kind: "compaction" | "error" | "failed" | "broken";
  readonly turn: string;
  readonly place: number;
  readonly at?: number;
  /** What failed or was broken, in one line. */
  readonly text: string;
}

export interface PromptTotals {
  readonly turn: string;
  readonly place: number;
  readonly at?: number;
  /** The last turn before the next prompt. */
  readonly last: string;
  /** From the prompt to that turn; absent if the host stores no times. */
  readonly ms?: number;
  /** Of the model's answers; absent if the host stores no tokens. `input` has what came from the cache too. */
  readonly tokens?: {
    readonly requests: number;
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  };
}

/** What matches a question inside one session, best first. */
export interface FoundInSession {
  readonly hits: readonly FoundPassage[];
  /** Searching all of a long session would have taken too long: its newest part was searched. */
  readonly isPart?: true;
}

export interface FoundPassage {
  readonly turn: string;
  readonly role: string;
  readonly snippet: string;
  readonly score: number;
  readonly at?: number;
  readonly isAbandoned?: true;
}
