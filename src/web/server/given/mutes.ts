import { ContinuoError } from "../../../base/errors.ts";
import { addMute, type Mute, type MuteScope, readMutes, removeMute } from "../../../store/mutes.ts";
import type { MuteEntry } from "../../api/given.ts";
import type { Web } from "../web.ts";

interface Asked {
  readonly what: string;
  readonly in: "session" | "project" | "everywhere";
  readonly host?: string | undefined;
  readonly session?: string | undefined;
  readonly project?: string | undefined;
  readonly title?: string | undefined;
}

export function allMutes(web: Web): { mutes: readonly MuteEntry[]; problem?: string } {
  const { mutes, damage } = readMutes(web.home);
  return { mutes, ...(damage === undefined ? {} : { problem: damage.message }) };
}

export async function mute(web: Web, asked: Asked): Promise<MuteEntry> {
  await checkSource(web, asked.what);
  const made: Mute = {
    ...scopeOf(asked),
    what: asked.what,
    at: new Date(web.now()).toISOString(),
    ...(asked.title === undefined ? {} : { title: asked.title }),
  };
  await addMute(web.home, made);
  tellPages(web);
  return made;
}

/** Removing what is not there is no failure: another tab was first. */
export async function unmute(web: Web, asked: Asked): Promise<{ removed: boolean }> {
  const removed = await removeMute(web.home, { ...scopeOf(asked), what: asked.what });
  tellPages(web);
  return { removed };
}

async function checkSource(web: Web, what: string): Promise<void> {
  const names = (await web.sources()).map(({ name }) => name);
  const [source] = what.split("/");
  if (source !== undefined && names.includes(source)) return;
  throw new ContinuoError("mute-unknown", `"${source?.slice(0, 100)}" is not a source`, {
    hint: `sources: ${names.join(", ")}`,
  });
}

function scopeOf({ in: where, host, session, project }: Asked): MuteScope {
  if (where === "everywhere") return { in: where };
  if (where === "project" && project !== undefined) return { in: where, project };
  if (where === "session" && host !== undefined && session !== undefined) return { in: where, host, session };
  throw new ContinuoError(
    "invalid-request",
    where === "project" ? 'body: field "project" is missing' : 'body: "host" and "session" are missing',
  );
}

/** What rules apply is shown in several places. */
function tellPages(web: Web): void {
  web.publish({ type: "rules" });
}
