import { type Ask, interrupted } from "../../terminal/input.ts";
import type { Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

export interface Question {
  /** Another question was asked before: an empty line is easier to read. */
  readonly isFurther?: boolean;
  /** What would be done, in lines. */
  readonly about: readonly string[];
  /** `Connect Cursor?` */
  readonly question: string;
  /** Also offers to allow the read-only tools. */
  readonly offersTools?: boolean;
  /** What Enter means. */
  readonly usual: "yes" | "no";
  /** Shows the edit, page by page if it is long. */
  show(): Promise<void>;
}

export type Answer = "yes" | "tools" | "no";

/** Asks about an edit of settings until there is an answer. Leaving at the question is an error: nothing was changed yet. */
export async function askAbout(
  ask: Ask,
  screen: Screen,
  { isFurther, about, question, offersTools, usual, show }: Question,
): Promise<Answer> {
  const tools = offersTools === true ? " / yes with [t]ools" : "";
  const [yes, no] = usual === "yes" ? ["[Y]es", "[n]o"] : ["[y]es", "[N]o"];
  let before = `${isFurther === true ? "\n" : ""}${about.join("\n")}\n`;
  for (;;) {
    const asked = `${before}${question} ${yes}${tools} / ${no} / [d]iff`;
    const typed = (await ask(`${wrapOn(asked, screen, { hang: 2 })} `))?.toLowerCase();
    if (typed === undefined) throw interrupted();
    if (typed === "") return usual;
    if (typed === "y" || typed === "yes") return "yes";
    if (typed === "n" || typed === "no") return "no";
    if (offersTools === true && (typed === "t" || typed === "tools")) return "tools";
    const isDiff = typed === "d" || typed === "diff";
    if (isDiff) await show();
    before = isDiff ? "" : "Answer with one of the letters in brackets.\n";
  }
}
