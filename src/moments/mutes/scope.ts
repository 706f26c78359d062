import { basename, dirname } from "node:path";
import { ContinuoError } from "../../base/errors.ts";
import { commandWord, oneLine, shortId } from "../../base/for-terminal.ts";
import { AGENT_NAMES } from "../../base/host-names.ts";
import type { Mute, MuteScope } from "../../store/mutes.ts";
import { flag, oneOf, optional, text } from "../actions/fields.ts";
import type { Place } from "../ports/action.ts";
import { findProject } from "../project/project.ts";
import { sourceWord } from "../source-words.ts";
import { chooseSession } from "../state/choose-session.ts";

/** The fields that say where a mute applies. */
export const SCOPE_FIELDS = {
  here: optional(flag("only in the current session, or the last one of this project")),
  session: optional(text("only in this session", { value: "ID", fallback: "all of this project" })),
  host: optional(
    oneOf("with --here or --session: only sessions of this agent", AGENT_NAMES, {
      value: "AGENT",
      fallback: "all agents",
    }),
  ),
  everywhere: optional(flag("in all projects, not only in this one")),
  project: optional(text("its id, for a project that is not this one", { typed: "never" })),
};

export interface WantedScope {
  readonly here?: boolean | undefined;
  readonly session?: string | undefined;
  readonly host?: string | undefined;
  readonly everywhere?: boolean | undefined;
  readonly project?: string | undefined;
}

/** Where the mute applies, according to these fields. */
export function scopeOf(wanted: WantedScope, place: Place): MuteScope {
  const isHere = wanted.here === true || wanted.session !== undefined;
  if (isHere && wanted.everywhere === true)
    throw new ContinuoError("usage", "--here and --everywhere exclude each other", {
      hint: "without either, it applies in this project",
    });
  if (wanted.everywhere === true) return { in: "everywhere" };
  if (!isHere) return { in: "project", project: wanted.project ?? findProject(place.cwd).id };
  const { session } = chooseSession(place, wanted);
  return { in: "session", host: session.host, session: session.id };
}

/** The scope in words, for a reader in this folder. */
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

/** The command that undoes exactly this mute. A project's mute has to be undone in that project. */
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
