import { oneLine } from "../../../base/for-terminal.ts";
import { shortPaths } from "../../../moments/project/short-paths.ts";
import type { Chosen } from "../../../moments/state/choose-session.ts";
import type { SessionMeta } from "../../../moments/state/session-meta.ts";
import { type Context, checkSetName, itemsOf } from "../../../sources/sets/sets.ts";
import type { Input, Outcome } from "../../command.ts";
import { nextSteps } from "../../terminal/next-step.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN, type Screen } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";
import { chooseSession, sessionLine } from "./session.ts";

/** The sets of a session, or one of them. */
export async function get(input: Input): Promise<Outcome> {
  const chosen = chooseSession(input);
  const meta = chosen.file.read() ?? { name: "" };
  const context = meta.context ?? {};
  const only = input.positionals[1];
  const shown: Context =
    only === undefined || Object.hasOwn(context, only)
      ? only === undefined
        ? context
        : { [only]: itemsOf(context, only) }
      : { [checkSetName(only)]: [] };
  const path = (text: string) => shortPaths(text, chosen.project?.root ?? input.cwd, input.env);
  return {
    data: { ...keys(chosen), ...meta, context: shown },
    text: [
      await sessionLine(input, chosen),
      ...(only === undefined ? fields(meta) : []),
      ...lines(shown, path, input.screen ?? PLAIN),
    ].join("\n"),
  };
}

export function keys({ session, file }: Chosen) {
  return { host: session.host, session: session.id, path: file.path };
}

/** What people call the fields of a session. */
const LABELS = { name: "name", envHint: "environment", currentIntent: "working on" } as const;

export function fields(meta: SessionMeta, only?: object): string[] {
  const shown = only === undefined ? ["name", "envHint", "currentIntent"] : Object.keys(only);
  return shown.flatMap((field) => {
    const key = field as keyof typeof LABELS;
    const value = meta[key];
    return value === undefined || value === ""
      ? only === undefined
        ? []
        : [`${LABELS[key]}: none`]
      : [`${LABELS[key]}: ${oneLine(value)}`];
  });
}

function lines(context: Context, path: (text: string) => string, screen: Screen): string[] {
  const paint = paintFor(screen);
  const sets = Object.entries(context).flatMap(([name, items]) => [
    `${paint("bold", oneLine(name))}:${items.length === 0 ? " none" : ""}`,
    ...items.map((item) => wrapOn(`  ${oneLine(path(item))}`, screen, { hang: 2 })),
  ]);
  return sets.length > 0
    ? sets
    : [
        "This session has no context sets.",
        ...nextSteps(screen, ["continuo sets pin", "Pin files that the session used"]),
      ];
}
