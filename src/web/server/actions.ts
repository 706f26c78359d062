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

/** Every action at an address of its own: `POST /api/do/rules/list`, with its input as the body. */
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
      // A yes is one to exactly what the question was about.
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

/** JSON writes a character with up to six bytes. */
function bodyLimit(action: Action): BodyOptions {
  const texts = fieldsOf(action).flatMap(({ piped }) => piped ?? []);
  return texts.length === 0 ? {} : { maxBytes: 6 * Math.max(...texts) };
}

/** Folders as real paths: known projects and folders of notes, and nothing else of the disk, whatever the action could. */
async function withAllowedFolders(web: Web, action: Action, given: Readonly<Record<string, unknown>>) {
  const folders: Record<string, string> = {};
  for (const { name, isFolder } of fieldsOf(action)) {
    const path = given[name];
    if (isFolder && typeof path === "string")
      folders[name] = (await allowedPlace(web, resolve(web.cwd, path))).real;
  }
  return { ...given, ...folders };
}

/** What the person is asked, and what a yes runs, as JSON has it. */
async function questionOf(web: Web, action: Action, given: unknown) {
  const question = await action.asks?.(checkSent(action.input, given, "body") as never, placeIn(web));
  const input: unknown = JSON.parse(JSON.stringify(question?.input ?? given));
  return question && { ask: question.ask, input };
}

/** Runs it as the page's user, tells open pages what changed, and returns what programs get. */
export async function act(web: Web, action: Action, given: unknown): Promise<unknown> {
  const data = await action.run(checkSent(action.input, given, "body") as never, placeIn(web));
  if (action.changes !== undefined) web.publish({ type: action.changes });
  return action.json === undefined ? data : action.json(data);
}

/** For a route that has had an address of its own for longer. Its answer is what `json` or `run` of the action gives. */
export async function actNamed(web: Web, name: string, given: unknown): Promise<Record<string, unknown>> {
  const { action } = findAction(await web.actions(), name.split(" "));
  return (await act(web, action, given)) as Record<string, unknown>;
}

/** Routes of the page come here only after the person was asked. */
function placeIn(web: Web): Place {
  const { env, cwd, home, now, history, sources, openingRoom } = web;
  const change: Place["changeConfig"] = async (...given) => changeConfig({ env }, ...given);
  const others = () => web.others(web);
  return { env, cwd, home, now, history, sources, openingRoom, changeConfig: change, others };
}
