import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ContinuoError } from "../../base/errors.ts";
import { findAction } from "../../moments/actions/find-action.ts";
import { checkSent, fieldsOf } from "../../moments/actions/input.ts";
import type { Action, Place } from "../../moments/ports/action.ts";
import { changeConfig } from "../../setup/change-config.ts";
import { failure } from "./failures.ts";
import { allowedPlace } from "./files/roots.ts";
import { type BodyOptions, readObject } from "./requests.ts";
import type { Area, Web } from "./web.ts";

/** Serves every action at its own address: `POST /api/do/rules/list`, with its input as the body. */
export const actions: Area = {
  name: "actions",
  routes(app, web) {
    app.post("/api/do/:group/:name?", async (context) => {
      const { group, name } = context.req.param();
      const words = [group, ...(name === undefined ? [] : [name])];
      const { action, rest } = findAction(await web.actions(), words);
      if (rest.length > 0)
        throw new ContinuoError("no-such-action", `there is no "${words.join(" ").slice(0, 80)}"`);
      const body = await withAllowedFolders(web, action, await readObject(context, bodyLimit(action)));
      if (action.asks === undefined) return context.json((await act(web, action, body)) as object);
      const { yes, ...given } = body;
      const question = await questionOf(web, action, given);
      // A confirmation is valid only for exactly what the question was about.
      if (question === undefined || (yes === true && isDeepStrictEqual(given, question.input)))
        return context.json((await act(web, action, given)) as object);
      const hint = "ask the person with `ask`; after a yes, send `input` with yes: true";
      return context.json(
        { ...failure("not-confirmed", "the person is asked first", hint), ...question },
        409,
      );
    });
  },
};

/** JSON may need six bytes for a character. */
function bodyLimit(action: Action): BodyOptions {
  const texts = fieldsOf(action).flatMap(({ piped }) => piped ?? []);
  return texts.length === 0 ? {} : { maxBytes: 6 * Math.max(...texts) };
}

/**
 * Resolves folders to real paths. Only known projects and folders of notes are allowed, even if the action itself would
 * accept others.
 */
async function withAllowedFolders(web: Web, action: Action, given: Readonly<Record<string, unknown>>) {
  const folders: Record<string, string> = {};
  for (const { name, isFolder } of fieldsOf(action)) {
    const path = given[name];
    if (isFolder && typeof path === "string")
      folders[name] = (await allowedPlace(web, resolve(web.cwd, path))).real;
  }
  return { ...given, ...folders };
}

/** The question to the user, and the input that a yes runs, as JSON. */
async function questionOf(web: Web, action: Action, given: unknown) {
  const question = await action.asks?.(checkSent(action.input, given, "body") as never, placeIn(web));
  const input: unknown = JSON.parse(JSON.stringify(question?.input ?? given));
  return question && { ask: question.ask, input };
}

/** Runs an action as the page's user, tells open pages what changed, and returns its result for programs. */
export async function act(web: Web, action: Action, given: unknown, where = "body"): Promise<unknown> {
  const data = await action.run(checkSent(action.input, given, where) as never, placeIn(web));
  // A failed action may have changed something too; pages learn that from the watched files.
  if (action.changes !== undefined && !action.isBad?.(data as never)) web.publish({ type: action.changes });
  return action.json === undefined ? data : action.json(data as never);
}

/** For a route whose address is older than actions. Its answer is the action's `json`, or else its `run` result. */
export async function actNamed(
  web: Web,
  name: string,
  given: unknown,
  where?: "query",
): Promise<Record<string, unknown>> {
  const { action } = findAction(await web.actions(), name.split(" "));
  return (await act(web, action, given, where)) as Record<string, unknown>;
}

/** The page calls such routes only after it has asked the user. */
function placeIn(web: Web): Place {
  const { env, cwd, home, now, history, sources, openingRoom } = web;
  const change: Place["changeConfig"] = (...given) => changeConfig({ env }, ...given);
  const others = () => web.others(web);
  const readable = async (path: string) => (await allowedPlace(web, path)).real;
  return { env, cwd, home, now, history, sources, openingRoom, changeConfig: change, others, readable };
}
