import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { AnswerOf, InputOf } from "../../api/actions.ts";
import { act } from "../core/act.ts";
import { attempt } from "../core/action.ts";
import { failureOf } from "../core/api.ts";
import { onEvent } from "../core/events.ts";
import { notify } from "../core/notices.ts";

export type MuteEntry = AnswerOf<"mutes">["mutes"][number];

/** Everything that is muted, for all views; undefined until loaded. */
export const mutes = signal<readonly MuteEntry[] | undefined>(undefined);

let users = 0;
let stop: (() => void) | undefined;

/** Loads the mutes while a view shows them, once for all its parts. */
export function useMutes(): void {
  useEffect(() => {
    users += 1;
    if (users === 1) {
      void load();
      stop = onEvent((event) => {
        if (event.type === "rules" || event.type === "reset") void load();
      });
    }
    return () => {
      users -= 1;
      if (users === 0) stop?.();
    };
  }, []);
}

async function load(): Promise<void> {
  await attempt("Could not load what is muted", async () => {
    mutes.value = (await act("mutes", {})).mutes;
  });
}

export interface Where {
  readonly in: MuteEntry["in"];
  readonly host?: string;
  readonly session?: string;
  readonly project?: string;
}

/** How a mute names a source or an item. A rule that is only listed for the model has the same name. */
export function whatOf(source: string, key: string | undefined): string {
  return key === undefined
    ? source
    : `${source}/${source === "rules" ? key.replace(/^on-request\//, "") : key}`;
}

export function whereText({ in: where, project }: Where): string {
  if (where === "everywhere") return "everywhere";
  if (where === "session") return "in this session";
  return project === undefined ? "in this project" : `in this project (${projectName(project)})`;
}

/** A project's id is its git folder, or its own folder without git. */
export function projectName(id: string): string {
  const parts = id.split(/[\\/]/).filter((part) => part !== "" && part !== ".git");
  return parts.at(-1)?.replace(/\.git$/, "") ?? id;
}

const WHEN = "The next start, compaction or addition";

export async function mute(what: string, where: Where, title: string): Promise<void> {
  await attempt(`Could not mute ${title}`, async () => {
    await act("mute", { what, ...scopeOf(where), title });
    await load();
    notify(`Muted ${title} ${whereText(where)}. ${WHEN} leaves it out.`, {
      undo: () => void unmute(what, where, title),
    });
  });
}

export async function unmute(what: string, where: Where, title: string): Promise<void> {
  await attempt(`Could not unmute ${title}`, async () => {
    await act("unmute", { what, ...scopeOf(where) }).catch((error: unknown) => {
      // Another tab was faster.
      if (failureOf(error).code !== "not-muted") throw error;
    });
    await load();
    notify(`${title} is no longer muted. ${WHEN} has it again, if it applies.`);
  });
}

/** The fields that the actions expect. */
function scopeOf({ in: where, host, session, project }: Where): Omit<InputOf<"unmute">, "what"> {
  if (where === "everywhere") return { everywhere: true };
  return where === "project" ? { project } : { session, host: host as InputOf<"unmute">["host"] };
}
