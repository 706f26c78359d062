import type { AskUser } from "../../moments/ports/form.ts";
import type { PiContext } from "./api.ts";

/** A form as pi's own dialogs, one for each field. Undefined where there is no screen, or no dialogs. */
export function askIn({ hasUI, ui }: PiContext): AskUser | undefined {
  if (hasUI !== true) return undefined;
  const { select, editor } = ui;
  if (select === undefined || editor === undefined) return undefined;
  return async ({ message, fields }) => {
    const answers: Record<string, string> = {};
    for (const [i, { title, name, choices, value, isAsked }] of fields.entries()) {
      if (isAsked?.(answers) === false) continue;
      const asked = i === 0 ? `${message}\n\n${title}` : title;
      const answer =
        choices === undefined
          ? await editor.call(ui, asked, value ?? "")
          : await select.call(ui, asked, [...choices]);
      if (answer === undefined) return undefined;
      answers[name] = answer;
    }
    return answers;
  };
}
