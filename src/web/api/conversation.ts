import type { Answer, Image, Mark, Role } from "../../moments/ports/turn.ts";

/** A part of a session's conversation, oldest turn first. */
export interface Conversation {
  /** `index`: the transcript is gone; these are the passages stored in the index, without tool results. */
  readonly source: "transcript" | "index";
  readonly turns: readonly ShownTurn[];
  /** The cursor for the earlier part; null at the beginning of the session. */
  readonly before: string | null;
  /** The cursor for the later part, even if nothing is written there yet. The last turn may come again, extended. */
  readonly after: string;
  /** Whether nothing has been written after these turns yet. */
  readonly isEnd: boolean;
  /** The cursor does not fit the transcript any more: everything shown must be loaded again. */
  readonly isReset?: true;
  /** What could not be read, to show. */
  readonly notices: readonly string[];
}

/** A text that may have been cut. */
export interface ShownText {
  readonly text: string;
  /** The number of characters of the whole text, if this is only its beginning: `…/conversation/turn` returns more. */
  readonly of?: number;
}

/** A transcript's marks, and those of a chat: lost at the end of its agent, stopped, or resumed. */
export type ShownMark = Mark | "lost" | "stopped" | "resumed";

/** One step of a conversation as the page shows it, from a transcript or from a chat that runs in this server. */
export interface ShownTurn {
  readonly id: string;
  /** A cursor: reading from here returns this turn first. Empty if the turn is live. */
  readonly place: string;
  /** Set if it comes from a chat rather than a transcript: its texts are complete as far as they exist. */
  readonly isLive?: true;
  /** Whether it may still grow. */
  readonly isOpen?: true;
  readonly role: Role;
  readonly said: ShownText;
  readonly thinking?: ShownText;
  /** What Continuo or the host added to the text. */
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
  /** What the tool does, for the beginning of the line: "Read", "Edit", "Run", or the tool's own name. */
  readonly verb: string;
  /** The file, the command or the words that it is about; one line. */
  readonly about: string;
  /** Files that it read or edited, relative to the project. */
  readonly files: readonly string[];
  /** Its input as JSON. */
  readonly input: ShownText;
  /** What it changes, as a unified diff without the file's line numbers. */
  readonly diff?: ShownText;
}

export type TurnPart = "said" | "thinking" | "injected" | "input" | "diff";

/** A further part of one text of a turn. */
export interface WholeText extends ShownText {
  readonly id: string;
}

/** The structure of a conversation from its beginning, as far as it was read. */
export interface Outline {
  /** How many turns were read. Positions below are among these, from 0. */
  readonly turns: number;
  /** The newest marks, at most a thousand, in the order of the conversation. */
  readonly marks: readonly OutlineMark[];
  /** Time and tokens for each prompt: the newest, at most a thousand, oldest first. */
  readonly prompts: readonly PromptTotals[];
  /** There is more to read; repeat the request to continue. */
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
  /** The tokens of the model's answers; absent if the host stores none. `input` includes tokens from the cache. */
  readonly tokens?: {
    readonly requests: number;
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  };
}

/** What matches a query inside one session, best first. */
export interface FoundInSession {
  readonly hits: readonly FoundPassage[];
  /** Set if only the newest part was searched, because searching a long session completely would take too long. */
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
