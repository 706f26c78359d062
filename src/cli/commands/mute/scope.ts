import { basename, dirname } from "node:path";
import { ContinuoError } from "../../../base/errors.ts";
import { commandWord, oneLine } from "../../../base/for-terminal.ts";
import { findProject } from "../../../moments/project/project.ts";
import type { Mute, MuteScope } from "../../../store/mutes.ts";
import type { Input, Options } from "../../command.ts";
import { shortId } from "../../names.ts";
import { sourceWord } from "../../source-words.ts";
import { textOption } from "../../terminal/options.ts";
import { chooseSession } from "../sets/session.ts";

export const SCOPE_OPTIONS: Options = {
  here: { type: "boolean", help: "only in the current session, or the last one of this project" },
  session: { type: "string", value: "ID", help: "only in this session", fallback: "all of this project" },
  host: {
    type: "string",
    value: "AGENT",
    help: "with --here or --session: only sessions of this agent",
    fallback: "all agents",
  },
  everywhere: { type: "boolean", help: "in all projects, not only in this one" },
};

/** Where the options say that it holds. */
export function scopeOf(input: Input): MuteScope {
  const isHere = input.values["here"] === true || textOption(input, "session") !== undefined;
  if (isHere && input.values["everywhere"] === true)
    throw new ContinuoError("usage", "--here and --everywhere exclude each other", {
      hint: "without either, it applies in this project",
    });
  if (input.values["everywhere"] === true) return { in: "everywhere" };
  if (!isHere) return { in: "project", project: findProject(input.cwd).id };
  const { session } = chooseSession(input);
  return { in: "session", host: session.host, session: session.id };
}

/** Where it holds, for somebody in this folder. */
export function scopeText(scope: MuteScope, cwd: string): string {
  if (scope.in === "everywhere") return "everywhere";
  if (scope.in === "session") return `in the session ${shortId(scope.session)}`;
  const name = oneLine(projectName(scope.project));
  return scope.project === findProject(cwd).id
    ? `in this project (${name})`
    : `in the project ${name} (${oneLine(scope.project)})`;
}

/** A project's id is its git folder, or its own folder without git. */
function projectName(id: string): string {
  const name = basename(id) === ".git" ? basename(dirname(id)) : basename(id).replace(/\.git$/, "");
  return name || id;
}

/** The command that undoes exactly this mute. One of a project is undone in that project. */
export function undoCommand(
  mute: MuteScope & Pick<Mute, "what">,
  command: "mute" | "unmute" = "unmute",
): string {
  const options =
    mute.in === "everywhere"
      ? " --everywhere"
      : mute.in === "session"
        ? ` --session ${commandWord(mute.session)} --host ${commandWord(mute.host)}`
        : "";
  return `continuo ${command} ${commandWord(sourceWord(mute.what))}${options}`;
}

export function nameOf({ what, title }: Pick<Mute, "what" | "title">): string {
  return oneLine(title === undefined || title === what ? sourceWord(what) : `${title} (${what})`);
}
