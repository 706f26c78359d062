/** `continuo`: the engine for programs that are hosts themselves. */

export { ContinuoError } from "../../base/errors.ts";
export { createEngine, type Engine, type EngineOptions } from "../../moments/engine.ts";
export type { Answer, Source, Surroundings } from "../../moments/ports/source.ts";
export { findProject } from "../../moments/project.ts";
export type * from "../../moments/types.ts";
export { SOURCES } from "../../sources/index.ts";
export { type Config, loadConfig } from "../../store/config.ts";
export { findHome, type Home, homeAt } from "../../store/home.ts";
