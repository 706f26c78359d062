/** `continuo`: the engine, for programs that are hosts themselves. */
import { loadHistory } from "../../hosts/index.ts";
import { type Engine, createEngine as engineWith } from "../../moments/engine/engine.ts";
import type { Run } from "../../moments/run/run.ts";

export { ContinuoError } from "../../base/errors.ts";
export type * from "../../compose/section.ts";
export type { Engine } from "../../moments/engine/engine.ts";
export type { Delivery, HostEvent } from "../../moments/host-event.ts";
export type { Answer, Source, SourceContext } from "../../moments/ports/source.ts";
export { findProject } from "../../moments/project/project.ts";
export type * from "../../moments/types.ts";
export { SOURCES } from "../../sources/index.ts";
export { type Config, loadConfig } from "../../store/config.ts";
export { findHome, type Home, homeAt } from "../../store/home.ts";

export type EngineOptions = Omit<Run, "history">;

/** The engine, with the past sessions of all hosts that Continuo knows. */
export const createEngine = (options: EngineOptions): Engine =>
  engineWith({ ...options, history: loadHistory });
