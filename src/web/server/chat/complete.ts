import { typed } from "../../../base/settings.ts";
import { findProject } from "../../../moments/project/project.ts";
import { sessionsOffer } from "../../../sources/sessions/ports/offer.ts";
import { handoff } from "../../../sources/sessions/records/texts.ts";
import { slug } from "../../../sources/sessions/references/resolve.ts";
import { SESSIONS_SETTINGS, sessionsSettings } from "../../../sources/sessions/settings.ts";
import type { ChatCompletion, ChatHandoff } from "../../api/chat.ts";
import type { Web } from "../web.ts";

/** Completes `@@name` as hosts do at their prompt. */
export async function complete(
  web: Web,
  { before, cwd, id }: { before: string; cwd: string; id: string },
): Promise<ChatCompletion> {
  const { home, env, now, history } = web;
  const settings = typed(SESSIONS_SETTINGS, sessionsSettings(home, env));
  const context = {
    session: { host: "copilot", id },
    project: findProject(cwd),
    settings,
    cwd,
    home,
    env,
    now: now(),
    history,
  };
  for (const completer of sessionsOffer.completers ?? []) {
    const found = await completer.complete(before, context);
    if (found !== undefined) return found;
  }
  return { replaces: "", items: [] };
}

/** What a new chat needs to continue a session of any host. */
export async function handOff(web: Web, key: { host: string; id: string }): Promise<ChatHandoff> {
  const library = await web.sessions();
  await library.sync({ only: key, sliceMs: 2000 });
  const text = handoff(library, key);
  const { name = "", cwd } = library.get(key) ?? {};
  const short = slug(name);
  const named = library.find(short);
  const isUnique = named.kind === "found" && named.session.id === key.id && named.session.host === key.host;
  const reference = `@@${isUnique ? short : key.id}`;
  return { text, reference, project: cwd && findProject(cwd).root };
}
