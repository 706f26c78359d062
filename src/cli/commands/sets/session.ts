import { oneLine, shortId } from "../../../base/for-terminal.ts";
import { type Chosen, chooseSession as choose } from "../../../moments/state/choose-session.ts";
import type { Input } from "../../command.ts";
import { agentNamer, sessionNamer } from "../../names.ts";
import { hostOption, textOption } from "../../terminal/options.ts";
import { paintFor } from "../../terminal/paint.ts";
import { PLAIN } from "../../terminal/screen.ts";
import { wrapOn } from "../../terminal/wrap.ts";

/** The session that the options name. Commands print its `sessionLine`, so that nobody changes another one by mistake. */
export function chooseSession(input: Input): Chosen {
  return choose(input, { session: textOption(input, "session"), host: hostOption(input) });
}

/** `Retry failed webhooks (Claude Code, project shop, 5d0c2f7e)`: for people, who know a session by its name. */
export async function sessionLine(
  input: Input,
  { session, project }: Pick<Chosen, "session" | "project">,
): Promise<string> {
  const paint = paintFor(input.screen ?? PLAIN);
  const [agentOf, nameOf] = [await agentNamer(input), await sessionNamer(input)];
  const name = oneLine(nameOf({ host: session.host, session: session.id }));
  const where = project === undefined ? "" : `, project ${oneLine(project.label)}`;
  const id = shortId(session.id);
  const line = `${paint("bold", name === "" ? `Session ${id}` : name)} ${paint("dim", `(${agentOf(session.host)}${where}${name === "" ? "" : `, ${id}`})`)}`;
  return wrapOn(line, input.screen ?? PLAIN);
}
