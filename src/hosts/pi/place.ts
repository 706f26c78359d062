import { findProject } from "../../moments/project.ts";
import type { Moment, ToolMoment } from "../../moments/types.ts";
import { record, text, toolMoment as toolCall } from "../shared/fields.ts";
import type { PiContext, PiEvent } from "./api.ts";
import { type History, readHistory } from "./conversation.ts";
import { filesOf } from "./tools.ts";

export type Common = Pick<Moment, "session" | "project" | "cwd" | "at" | "model" | "transcript">;

/** Everything we need of pi's context, copied before anything is awaited: it is stale once the session is replaced. */
export interface Place {
  readonly common: Common;
  readonly history: History;
  readonly branch: readonly unknown[];
}

export function placeOf(ctx: PiContext, at: number): Place {
  const { sessionManager, cwd, model } = ctx;
  const branch = sessionManager.getBranch();
  const transcript = sessionManager.getSessionFile();
  return {
    common: {
      session: { host: "pi", id: sessionManager.getSessionId() },
      project: findProject(cwd),
      cwd,
      at,
      ...(model?.id === undefined ? {} : { model: model.id }),
      ...(transcript === undefined ? {} : { transcript }),
    },
    history: readHistory(branch),
    branch,
  };
}

export function toolMoment(common: Common, event: PiEvent): ToolMoment {
  return toolCall(common, text(event, "toolName"), record(event, "input"), filesOf);
}
